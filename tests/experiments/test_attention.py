"""The small machines behind notebook 07's demonstrations."""

import json
from typing import Any

import pytest
import torch

from embedding_course.data.files import data_file
from embedding_course.data.micro import micro_language
from embedding_course.exercises import find_exercise
from embedding_course.experiments.attention import masked_words, next_words, parity, reversal, senses
from embedding_course.experiments.attention.causal import Causal
from embedding_course.experiments.training import Run
from embedding_course.plot import attention, blocks
from grader.course_source.catalogue import callable_of, references, right_forms_of
from grader.course_source.lesson import read_lesson
from tests.support.right_answers import right_answer


def _lesson(*keys: str) -> dict[str, Any]:
    """What the cells of these keys define, behind the lesson's imports and with the right answers."""
    scope: dict[str, Any] = {**references("07_attention")}
    for cell in read_lesson("07_attention"):
        if cell.key in ("imports", "figures", *keys):
            exec(cell.source, scope)
    return scope


@pytest.mark.slow
def test_scrambled_heads_score_the_same_and_a_test_of_the_property_finds_them():
    mask, leaks = right_answer("07.causal_mask"), right_answer("07.leaks")
    lesson = _lesson("reverser", "reversal-training", "scramble-code")
    learn = lesson["learn_to_reverse"]
    outcomes = {
        "right": learn("right"),
        "blank": learn("blank", blank=True),
        "scrambled": learn("scrambled", change=lesson["scramble"]),
    }
    assert all(outcome.accuracy > 0.999 for outcome in outcomes.values())
    split, attend = right_answer("07.split_heads"), right_answer("07.scaled_dot_product_attention")
    maps = {name: reversal.looks(run, split, attend) for name, run in outcomes.items()}
    shares = attention.show_heads(maps)
    assert min(shares["right"], shares["blank"]) > 0.7 > 0.3 > shares["scrambled"]
    rows = torch.randn(4, 8, 32)
    assert leaks(Causal(outcomes["scrambled"].model.layer, mask), rows)
    assert not leaks(Causal(outcomes["right"].model.layer, mask), rows)


def test_pytorch_says_the_same_whichever_form_the_projections_have():
    exercise = find_exercise("07.MultiHeadAttention")
    forms = [callable_of(form.source, exercise) for form in right_forms_of(exercise) if "qkv_proj" in form.source]
    assert forms
    for make in (right_answer("07.MultiHeadAttention"), *forms):
        for bias in (True, False):
            mine, x, context = make(16, 4, bias).eval(), torch.randn(2, 5, 16), torch.randn(2, 7, 16)
            theirs = parity.torch_attention(mine, 4)(x, context, context)[0]
            assert torch.allclose(mine(x, context), theirs, atol=1e-5)
    model = _lesson("reverser")["Reverser"](forms[0](32, 4), blank=False)
    tried = reversal.tried(model, Run([1.0]))
    maps = reversal.looks(tried, right_answer("07.split_heads"), right_answer("07.scaled_dot_product_attention"))
    assert maps.shape == (4, 8, 8)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_pytorch_s_encoder_layer_says_the_same(norm: str):
    block, x, seen = (
        right_answer("07.TransformerBlock")(16, 4, 32, norm).eval(),
        torch.randn(2, 5, 16),
        right_answer("07.causal_mask")(5),
    )
    with torch.no_grad():
        assert torch.allclose(block(x, seen), parity.encoder_layer(block, 4, norm)(x, src_mask=~seen), atol=1e-5)


def test_words_are_covered_in_every_row_and_never_the_padding():
    rows = masked_words.encode(["the dog is sleeping", "they never play the piano"])
    covered, hidden = masked_words.cover(rows, torch.Generator().manual_seed(0))
    assert hidden.any(dim=1).all() and not hidden[rows == 0].any()
    assert (covered[hidden] == len(masked_words.words())).all() and torch.equal(covered[~hidden], rows[~hidden])


def test_a_short_run_of_covered_words(capsys: pytest.CaptureFixture[str]):
    outcome = masked_words.train(
        right_answer("07.TransformerBlock"), setting=masked_words.Setting(steps=30, batch=64), every=15
    )
    assert outcome.loss < 5 and outcome.parameters == 61_483
    assert [step for step, _ in outcome.run.measured] == [0, 15, 30]
    guesses = masked_words.fill(outcome.model, "the [?] is sleeping")
    assert len(guesses) == 3 and guesses[0][1] >= guesses[1][1]
    known, new = (senses.vectors(outcome.model, "bat", -1, split, 60) for split in ("train", "test"))
    assert senses.right_neighbours(known, new) == 0.5  # one row, one vector
    known, new = (senses.vectors(outcome.model, "bat", 2, split, 60) for split in ("train", "test"))
    assert senses.map_of(known, new).shape == (60, 2) and len(senses.examples(known, new, 2)) == 4
    names = {"animal": "a", "thing": "t"}
    blocks.show_senses({"a": senses.map_of(known, new), "b": torch.zeros(60, 2)}, new.senses, names)
    assert "[Figure:" in capsys.readouterr().out


def test_the_encoder_of_the_lesson_is_that_of_the_recorded_runs():
    """They are written down twice: in view, and with all that the recorded runs leave out or add."""
    torch.manual_seed(0)
    shown = _lesson("encoder")["CoveredWords"]()
    torch.manual_seed(0)
    recorded = masked_words.MaskedWords(right_answer("07.TransformerBlock"), masked_words.Setting())
    rows = masked_words.text("valid", 20)
    assert torch.equal(shown(rows), recorded(rows))
    assert [masked_words.warm_up(20)(at) for at in (0, 1, 2, 20)] == [0.5, 1.0, 1.0, 0.0]


def test_rows_of_next_words_and_their_levels():
    words = micro_language().vocabulary["english"]
    rows = next_words.rows("valid", 200)
    assert rows.shape == (200, next_words.LENGTH) and set(rows[:, 0].tolist()) == {words.bos}
    assert ((rows == words.eos).sum(dim=1) == 1).all() and not (rows[:, 0] == words.pad).any()
    levels = next_words.levels(rows, rows)
    assert list(levels) == ["unigram", "bigram", "floor, four words", "floor, all words"]
    assert levels["unigram"] > levels["bigram"] > 0 and levels["floor, four words"] > levels["floor, all words"]
    model = right_answer("07.TinyLM")(len(words), 8, 2, 1, 8, next_words.LENGTH - 1)
    assert next_words.loss(model, rows) > 4


def test_the_recorded_runs_say_what_the_lesson_says():
    files = {name: data_file(f"curves/07_{name}.json") for name in ("floor", "depth", "parts")}
    recorded = {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items()}
    ends = {name: {key: curve[-1][1] for key, curve in run["curves"].items()} for name, run in recorded.items()}
    floor = recorded["floor"]["numbers"]["floor"]
    assert ends["floor"]["right"] > floor > 10 * ends["floor"]["scrambled"] > ends["floor"]["late_mask"]
    assert ends["depth"]["pre"] < ends["depth"]["pre_cold"] < 3 < 4.5 < ends["depth"]["post"]
    assert max(ends["parts"], key=ends["parts"].get) == "no_attention"


def test_the_worked_numbers():
    count = right_answer("07.count_encoder_parameters")
    assert 494_697_728 - count(100256, 1536, 12, 6144) == 800_000
    assert count(30522, 768, 12, 3072, True) == 108_495_360
    assert round(617_558_016 / count(50257, 12288, 96, 49152, True), 4) == 0.0035
    assert count(30522, 768, 12, 3072, True) + 514 * 768 + 2 * 768 + 768 * 769 == 109_482_240
    scores = torch.tensor([[2.0, 2.0], [0.0, 0.0], [2.0, -2.0], [-1.0, 0.0]]) @ torch.tensor([2.0, 1.0]) / 2**0.5
    assert round(scores.softmax(dim=0)[0].item(), 2) == 0.93
