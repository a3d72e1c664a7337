"""The KeyError of 11.translate_names has to name the whole unknown weight, not a known one with which that name begins."""

from collections.abc import Mapping

import pytest
import torch

from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.observe import observe
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.exercises import find_exercise
from grader.course_source.catalogue import reference

EXERCISE = find_exercise("11.translate_names")
CASES = {case.name: case for case in EXERCISE.cases(RandomInputs(PUBLIC_SEED, EXERCISE.id))}


@pytest.mark.parametrize(
    ("name", "part", "holds"),
    [
        ("an adapter behind a known part", ".lora", False),
        ("a name that begins with bert. twice", "bert.bert.", False),
        ("an adapter behind a known part", "", True),
        ("an unknown table behind bert.", "bert.", True),
    ],
)
def test_the_message_holds_the_unknown_name(name: str, part: str, holds: bool) -> None:
    case = CASES[name]
    right = observe(EXERCISE, reference(EXERCISE), case)
    assert right.raised is not None
    message = right.raised.message

    def answer(state: Mapping[str, torch.Tensor], fused: bool = False) -> None:
        unknown = next(key for key in state if repr(key) == message)
        raise KeyError(unknown.replace(part, ""))

    fault = EXERCISE.compare(right, observe(EXERCISE, answer, case), case)
    assert (fault is None) == holds
