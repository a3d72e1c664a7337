"""The small machines behind notebook 06's demonstrations."""

import pytest
import torch

from embedding_course.checking.compare import Mismatch
from embedding_course.checking.observe import observe
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.exercises import find_exercise
from embedding_course.experiments.positional_encoding import copy_back, sentence_pair
from embedding_course.plot import positions, rotary
from grader.course_source.catalogue import callable_of, mistakes_of
from tests.support.right_answers import right_answer


def _mistake(name: str, slug: str):
    exercise = find_exercise(f"06.{name}")
    return callable_of(next(mistake.source for mistake in mistakes_of(exercise) if mistake.slug == slug), exercise)


@pytest.mark.slow
def test_the_copying_task_tells_what_the_lesson_says():
    outcomes = {
        "learned": copy_back.train(table=copy_back.learned_table()),
        "sinusoidal": copy_back.train(table=right_answer("06.sinusoidal_positions")(copy_back.FURTHEST, 32)),
        "RoPE": copy_back.train(turn=right_answer("06.apply_rope")),
        "wrongly paired": copy_back.train(turn=_mistake("apply_rope", "tables_by_halves_pairs_by_neighbours")),
        "doubled exponent": copy_back.train(table=_mistake("sinusoidal_positions", "doubled_exponent")(copy_back.FURTHEST, 32)),
    }
    far = copy_back.STARTS.index(100)
    assert all(outcome.loss < 0.05 and outcome.accuracy[0] > 0.97 for outcome in outcomes.values())
    assert all(outcome.at_the_end < 0.15 for outcome in outcomes.values())  # 200 words in one text: guessing, 1 in 10
    assert outcomes["RoPE"].accuracy[far] > 0.97 > 0.8 > outcomes["sinusoidal"].accuracy[far] > 0.35
    assert outcomes["learned"].accuracy[far] < 0.35 and outcomes["wrongly paired"].accuracy[far] < 0.5


@pytest.mark.slow
def test_wider_heads_repair_a_part_of_the_wrong_pairing():
    wrong = _mistake("apply_rope", "tables_by_halves_pairs_by_neighbours")
    beyond = copy_back.train(turn=wrong, width=64).accuracy[copy_back.STARTS.index(32) :]
    assert (round(min(beyond), 2), round(max(beyond), 2)) == (pytest.approx(0.65, abs=0.05), pytest.approx(0.97, abs=0.03))


@pytest.mark.slow
def test_without_positions_the_commonest_word_so_far_is_all_there_is_to_guess():
    """A causal layer without positions can do no better than a quarter, and does."""
    words = torch.randint(copy_back.WORDS, (5000, copy_back.LENGTH), generator=torch.Generator().manual_seed(0))
    counts = torch.nn.functional.one_hot(words).cumsum(dim=1)
    share = (counts.amax(dim=-1) / torch.arange(1, copy_back.LENGTH + 1))[:, copy_back.BACK :].mean().item()
    assert round(share, 2) == 0.25 and abs(copy_back.train().accuracy[0] - share) < 0.02


def test_the_same_arguments_give_the_same_outcome_and_leave_the_random_state_alone():
    before = torch.random.get_rng_state()
    first, second = copy_back.train(steps=2), copy_back.train(steps=2)
    assert first == second and torch.equal(before, torch.random.get_rng_state())


def test_the_worked_numbers():
    right = right_answer("06.sinusoidal_positions")(6, 16)[5]
    doubled = _mistake("sinusoidal_positions", "doubled_exponent")(6, 16)[5]
    assert round((right - doubled).abs().max().item(), 2) == 0.89
    turn = 2 * torch.pi / right_answer("06.rope_angles")(torch.tensor([1.0]), 128)[0]
    assert round(turn[-1].item()) == 54410
    unit = torch.nn.functional.normalize(torch.randn(1, 1, 500, 8, generator=torch.Generator().manual_seed(0)), dim=-1)
    lengths = _mistake("apply_rope", "tables_by_halves_pairs_by_neighbours")(unit, torch.arange(500)).norm(dim=-1)
    assert lengths.min() < 0.6 and lengths.max() > 1.3


def test_the_figures_return_what_they_say(capsys: pytest.CaptureFixture[str]):
    rope, wrong = right_answer("06.apply_rope"), _mistake("apply_rope", "tables_by_halves_pairs_by_neighbours")
    drifts = rotary.show_scores({"right": rope, "wrong": wrong}, length=12)
    assert drifts["right"] < 1e-3 and drifts["wrong"] > 0.05
    spreads = rotary.card({"right": rope, "wrong": wrong}, offsets=5, starts=4)
    assert spreads["right"] < 1e-3 and spreads["wrong"] > 0.05
    tables = sentence_pair.tables()
    total = right_answer("06.input_embedding")(sentence_pair.ids(), sentence_pair.PARTS, *tables)[0]
    positions.show_sum(list(sentence_pair.WORDS), sentence_pair.PARTS[0].tolist(), {"a": total, "b": total})
    assert capsys.readouterr().out.count("[Figure:") == 3


@pytest.mark.parametrize("seed", range(3))
def test_any_form_of_rope_is_judged_alike(seed: int):
    """Pairs in any order and any basis, either direction: right; the same with one wrong speed: wrong."""
    rope = find_exercise("06.apply_rope")
    right, generator = right_answer("06.apply_rope"), torch.Generator().manual_seed(seed)

    def in_another_basis(speed: float):
        def apply_rope(x, positions, base=10000.0):
            basis, _ = torch.linalg.qr(
                torch.randn(x.shape[-1], x.shape[-1], dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
            )
            turned = right((x.double() @ basis), -speed * positions.double(), base)
            return (turned @ basis.T).to(x.dtype)

        return apply_rope

    cases = list(rope.cases(RandomInputs(int(torch.randint(10**6, (), generator=generator)), rope.id)))
    expected = [observe(rope, right, case) for case in cases]
    for speed, wanted in ((1.0, False), (1.05, True)):
        faults: list[Mismatch | None] = [
            rope.compare(mine, observe(rope, in_another_basis(speed), case), case)
            for mine, case in zip(expected, cases, strict=True)
        ]
        assert any(faults) == wanted, faults
