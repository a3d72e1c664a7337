"""A short key of what an unexplained wrong answer returns, so that a person can judge all answers that return the same at once.

Hidden inputs differ from run to run, so the key is made of the public cases. It decides over no mark.
"""

import hashlib
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from embedding_course.checking.case import Case
from embedding_course.checking.changed_arguments import with_changes
from embedding_course.checking.difference import outline_for
from embedding_course.checking.exercise import Exercise
from embedding_course.checking.observation import Observation
from embedding_course.checking.result import Result
from embedding_course.checking.wire_data import OtherObject, dtype_name
from embedding_course.subject.tensors import TENSORS, torch

_DIGITS = 3
#: Cells begin beside round numbers, which rounding errors would otherwise put now into one, now into the next.
_BESIDE = 0.37
#: Numbers below this are what rounding leaves of 0.
_NOTHING = 1e-6


def unexplained(result: Result) -> bool:
    """Return True if this is a wrong answer that no known mistake and no earlier exercise explains."""
    return result.status in ("wrong", "partly") and result.mistake is None and not result.blamed and bool(result.case)


def computed_key(exercise: Exercise, cases: Sequence[Case], observations: Sequence[Observation]) -> str:
    """Return twelve hexadecimal digits, the same for answers that return the same up to rounding.

    Parameters
    ----------
    exercise : Exercise
    cases : sequence of Case
        Cases in which the answer was tried.
    observations : sequence of Observation
        Result of the answer in each case.
    """
    looked_at = [with_changes(exercise, case, observation) for case, observation in zip(cases, observations, strict=True)]
    outlines = [outline_for(exercise.compare, observation, case) for case, observation in zip(cases, looked_at, strict=True)]
    plain_outlines = [
        outline and (_plain(outline.value), outline.raised and outline.raised.type, outline.modified) for outline in outlines
    ]
    return hashlib.sha256(repr(plain_outlines).encode("utf-8", "backslashreplace")).hexdigest()[:12]


def _plain(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        numbers = value.flatten().double().tolist()
        return dtype_name(value.dtype), list(value.shape), _rounded(numbers) if value.is_floating_point() else numbers
    if isinstance(value, np.ndarray) and not TENSORS:
        numbers = value.astype(np.float64).ravel().tolist()
        return value.dtype.name, list(value.shape), _rounded(numbers) if value.dtype.kind == "f" else numbers
    if isinstance(value, float):
        return _rounded([value])
    if isinstance(value, dict):
        return [(key, _plain(part)) for key, part in value.items()]
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value.type_name if isinstance(value, OtherObject) else value


def _rounded(numbers: Sequence[float]) -> list[Any]:
    """Round in proportion to the largest number: what exact arithmetic makes 0 is never quite 0."""
    largest = max((abs(number) for number in numbers if math.isfinite(number)), default=0.0)
    if largest < _NOTHING:
        return [0 if math.isfinite(value) else str(value) for value in numbers]
    power = round(math.log10(largest))
    step = 10.0 ** (power - _DIGITS)
    return [power, *(math.floor(value / step + _BESIDE) if math.isfinite(value) else str(value) for value in numbers)]
