"""Two towers for pictures and captions, and for readers and books: what they reach, and what they cannot."""

import doctest
import math

import pytest
import torch

from embedding_course.data import library_loans
from embedding_course.data.digits_captions import digits
from embedding_course.experiments.contrastive_training import clip_digits, recommender
from tests.support.right_answers import right_answer

LogitScale, clip_loss, false_negative_mask, info_nce, recall_at_k = (
    right_answer(f"09.{name}") for name in ("LogitScale", "clip_loss", "false_negative_mask", "info_nce", "recall_at_k")
)


def test_the_examples_in_the_docstrings_are_true() -> None:
    for module in (clip_digits, library_loans):
        assert doctest.testmod(module).failed == 0


@pytest.mark.slow
def test_the_unseen_template_names_digits_and_the_loss_stands_at_its_floor() -> None:
    trained = clip_digits.train(clip_loss, LogitScale)
    assert min(clip_digits.accuracy(trained.model).values()) > 0.95
    loss, floor = (sum(values[-50:]) / 50 for values in (trained.losses, trained.floors))
    assert floor > 2.4 and floor < loss < floor + 0.1


@pytest.mark.slow
def test_without_false_negatives_the_loss_goes_to_zero() -> None:
    short = clip_digits.Setting(steps=150)
    trained = clip_digits.train(clip_loss, LogitScale, short, false_negative_mask)
    assert trained.losses[-1] < 0.1 and set(trained.floors) == {0.0}
    outcome = clip_digits.train(clip_loss, LogitScale, clip_digits.Setting(steps=150, one_of_each=True))
    assert set(outcome.floors) == {0.0} and len(outcome.losses) == 150 and outcome.losses[-1] < 1


def test_the_floor_is_the_loss_of_a_model_that_knows_the_digit_and_nothing_else() -> None:
    labels = digits("train", 64).digits
    logits = torch.where(labels[:, None] == labels, 100.0, 0.0)
    assert clip_loss(logits).item() == pytest.approx(clip_digits.floor(labels), abs=1e-5)
    assert clip_digits.floor(torch.arange(10)) == 0 and clip_digits.floor(torch.zeros(4)) == pytest.approx(math.log(4))


def test_loans_are_as_they_are_described() -> None:
    data = library_loans.loans(200, 80, 10, seed=1)
    assert data.taken.shape == (200, 10) and data.seen().sum() == 2000 and data.popularity().sum() == 2000
    assert not data.seen()[torch.arange(200), data.next_one].any()
    torch.testing.assert_close(data.chances.sum(dim=1), torch.ones(200))
    again, other = library_loans.loans(200, 80, 10, seed=1), library_loans.loans(200, 80, 10, seed=2)
    assert torch.equal(again.taken, data.taken) and not torch.equal(other.taken, data.taken)
    liked = (data.genre[data.taken][:, :, None] == data.likes[:, None]).any(dim=2).float().mean()
    assert liked > 0.5  # of eight genres, two are liked


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"seed": -1}, "seed -1: it is 0 or more"),
        ({"readers": 0}, "at least one"),
        ({"each": 0}, "at least one"),
        ({"books": 15, "each": 15}, "at most 14 loans each, not 15"),
    ],
)
def test_impossible_loans_are_refused(named: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        library_loans.loans(**named)


@pytest.mark.slow
def test_taste_and_popularity_together_beat_each_alone() -> None:
    data = library_loans.loans()
    trained = recommender.train(info_nce, data)

    def recall(scores: torch.Tensor) -> float:
        return recall_at_k(recommender.hide(scores, data), data.next_one, 10)

    both, taste = (recall(recommender.scores(trained, data, popularity)) for popularity in (True, False))
    popular, best = recall(recommender.popular(data)), recall(recommender.ceiling(data))
    assert 0.05 < taste < popular < both - 0.04 and both < best
