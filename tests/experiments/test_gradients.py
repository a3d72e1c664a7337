"""The small machines behind notebook 02's demonstrations, and the numbers that its text gives."""

import math

import pytest
import torch

from embedding_course.data import language_reference
from embedding_course.data.published import WordVectors
from embedding_course.experiments import curves
from embedding_course.experiments.gradients import difference_quotients, glove_start, initialisation, moving_rows, pretrained
from embedding_course.plot import lines
from embedding_course.plot import pretrained as pretrained_pictures


def test_one_gradient_carries_a_row_as_far_as_the_lesson_says(capsys: pytest.CaptureFixture[str]) -> None:
    ends = {name: moving_rows.further_travel(name)[-1].item() for name in ("sgd", "sgd-momentum", "adam")}
    assert ends["sgd"] == pytest.approx(1) and ends["sgd-momentum"] == pytest.approx(10, abs=0.01)
    late = moving_rows.further_travel("adam", seen_at=10_000)
    assert ends["adam"] == pytest.approx(6.0, abs=0.05) and late[-1].item() == pytest.approx(31.8, abs=0.1)
    assert late[0].item() == pytest.approx(math.sqrt(10), rel=1e-3), "the first step alone is three learning rates"
    lines.show_travel({"sgd": moving_rows.further_travel("sgd"), "late": late})
    assert "late 31.8" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["sgd", "sgd-momentum", "adam"])
def test_steps_that_are_only_counted_are_those_of_the_optimizer(name: str) -> None:
    """`seen_at` sets the count of steps; here they are really made."""
    row = torch.nn.Parameter(torch.ones(1, dtype=torch.float64))
    stepper = moving_rows.OPTIMIZERS[name]([row])
    path = []
    for step in range(1, 40):
        row.grad = torch.ones_like(row) if step == 20 else torch.zeros_like(row)
        stepper.step()
        path.append((1 - row.item()) / moving_rows.LEARNING_RATE)
    assert moving_rows.further_travel(name, steps=20, seen_at=20).tolist() == pytest.approx(path[19:], rel=1e-6)


@pytest.mark.parametrize("seen_at", [1, 5_000])
def test_the_memory_of_adam_lasts_for_one_or_two_hundred_steps(seen_at: int) -> None:
    row = torch.nn.Parameter(torch.randn(64, generator=torch.Generator().manual_seed(0)))
    stepper = moving_rows.OPTIMIZERS["adam"]([row])
    row.grad = torch.zeros(64)
    stepper.step()
    stepper.state[row]["step"].fill_(seen_at)
    last = 0
    for step in range(400):
        row.grad = torch.zeros(64) if step else torch.randn(64, generator=torch.Generator().manual_seed(1))
        before = row.detach().clone()
        stepper.step()
        last = step if not row.detach().equal(before) else last
    assert 100 < last < 220


def test_a_tied_table_begins_far_above_guessing_unless_it_is_small_or_its_logits_are_divided() -> None:
    ids = language_reference.ids_of(
        language_reference.words(), language_reference.common_words(language_reference.words(), 1_000)
    )
    guessing = math.log(1_000)
    assert initialisation.first_loss(ids, 1_000, 1.0) > 3 * guessing
    assert initialisation.first_loss(ids, 1_000, 0.02) == pytest.approx(guessing, abs=0.01)
    assert initialisation.first_loss(ids, 1_000, 1.0, scale=1 / 8) < guessing + 1
    assert initialisation.train(ids, 1_000, 1.0, tied=True, steps=1).logit_std == pytest.approx(8, abs=0.5)


def test_no_blind_start_is_near_and_a_large_one_is_farther_than_zeros() -> None:
    vectors = torch.randn(400, 16, generator=torch.Generator().manual_seed(1)) + 0.5
    drawn, small, mean = pretrained.cold_starts(*vectors.chunk(2)).values()
    assert drawn > 1.2 and small == pytest.approx(1, abs=0.01) and 0.8 < mean < 1
    trained = torch.stack(list(pretrained.train_vectors(pretrained.texts().long).values()))
    drawn, small, mean = pretrained.cold_starts(*trained.chunk(2)).values()
    assert drawn > 2 and mean < small < 1.01


def test_a_word_gets_the_mean_of_its_ngrams() -> None:
    given = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
    mean = given.mean(dim=0)
    # Of "cart" and "xyz" only the n-grams of "cart" are known, each by one word.
    guesses = glove_start.from_ngrams(["cart", "dog"], given, ["cart", "xyz"])
    assert torch.allclose(guesses, torch.stack([mean + (given[0] - mean) / 2, mean]))


def test_glove_knows_what_the_lesson_says(word_vectors: WordVectors) -> None:
    numbers = glove_start.quick_numbers(word_vectors)
    recorded = curves.load("02_glove").numbers
    assert numbers == pytest.approx({name: recorded[name] for name in numbers}, abs=0.02)
    assert numbers[f"{glove_start.STORY}, types"] == 0.58 and numbers[f"{glove_start.CUT}, types"] == 1
    assert 0.8 < numbers[f"{glove_start.REFERENCE}, types"] < 0.84 < 0.96 < numbers[f"{glove_start.REFERENCE}, tokens"]
    starts = ("N(0, 1)", "N(0, 0.02²)", "mean of the known rows", glove_start.NGRAMS)
    drawn, small, mean, subword = (numbers[name] for name in starts)
    assert drawn > 1.5 and subword < mean - 0.03 < mean < small
    known = [word for word in word_vectors.words[:40_000] if word.isalpha()][:20_000]
    given = word_vectors.vectors[[word_vectors.index[word] for word in known]]
    centre = given.mean(dim=0)
    guesses = glove_start.from_ngrams(known, given, ["cpython", "unhashable"])
    nearest = (torch.nn.functional.normalize(given - centre, dim=1) @ (guesses - centre).T).topk(2, dim=0).indices.T
    assert [[known[row] for row in rows] for rows in nearest.tolist()] == [["python", "monkey"], ["punishable", "adultery"]]
    assert not {"iterable", "typeerror", "__getitem__", "The", "dog."} & word_vectors.index.keys()


def test_the_recorded_gain_of_glove_shrinks_with_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    record = curves.load("02_glove")
    random, trained_on, _ = ([loss for _, loss in record.curves[way]] for way in pretrained.WAYS)
    gain = [worst - best for worst, best in zip(random, trained_on, strict=True)]
    assert gain == sorted(gain, reverse=True) and gain[-1] > 0
    assert all(low > 0 for _, low in record.curves["low"])
    pretrained_pictures.show_text_sizes(record)
    assert "Lead of training on" in capsys.readouterr().out


def test_central_differences_in_float64_are_best() -> None:
    steps = [10.0**power for power in range(-11, 0)]
    least = {
        label: min(difference_quotients.errors(steps, dtype, central)) for label, dtype, central in difference_quotients.KINDS
    }
    central, forward, single = least.values()
    assert 50 * central < forward < single and single > 1e5 * central
