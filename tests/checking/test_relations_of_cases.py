"""Wrong in cases of one kind alone, and questions whose answer is yes or no."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from embedding_course.checking.compare import Comparison
from embedding_course.checking.exercise import Case
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.checking.result import Result
from tests.support.samples import sample, verdict


def said(right: Callable[..., Any], answer: Callable[..., Any], cases: Callable[[RandomInputs], Iterator[Case]]) -> Result:
    return verdict(sample(cases, compare=Comparison()), right, answer)


def test_a_right_answer_but_for_cases_of_one_kind_is_told_which() -> None:
    def cases(draw: RandomInputs) -> Iterator[Case]:
        for size in range(2, 7):
            yield Case(f"{size} numbers", {"x": draw.normal(size)}, "all")
            yield Case(f"{size} numbers and a shift", {"x": draw.normal(size), "shift": draw.normal(size)}, "all")

    def right(x: torch.Tensor, shift: torch.Tensor | None = None) -> torch.Tensor:
        return x if shift is None else x + shift

    result = said(right, lambda x, shift=None: x, cases)
    assert result.diagnosis == "Your result is `x` as it was given."
    result = said(right, lambda x, shift=None: x if shift is None else x + shift.sort().values.square(), cases)
    assert result.diagnosis == "Wrong in all 5 cases with `shift`; right in all 5 others."
    assert not said(right, lambda x, shift=None: x.square() + 0.3, cases).diagnosis


@pytest.mark.parametrize("answer", [True, False])
def test_of_yes_and_no_it_is_said_which_comes_too_often(answer: bool) -> None:
    def cases(draw: RandomInputs) -> Iterator[Case]:
        for number in (-3.0, -2.0, 2.0, 3.0):
            yield Case(f"{number}", {"x": number}, "all")

    result = said(lambda x: x > 0, lambda x: answer, cases)
    assert result.diagnosis == f"Wherever your result is wrong, it is {answer} and should be {not answer}."
