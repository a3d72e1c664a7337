"""The parts of a result that are compared in one case: right, other, wrong or not, and as numbers where possible."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..carried import array_of, is_one
from ..compare import MADE_UP, Comparison
from ..next_step import received_arguments
from ..wire_data import NamedParts
from .claim import Pair

if TYPE_CHECKING:
    from ..exercise import Case, Exercise
    from ..trial import Trial


#: Results with more numbers are not looked into: those of public and hidden cases have a few hundred.
_MAX_NUMBERS = 6_000
#: What a result without named parts is called.
WHOLE = "result"


def first_wrong_part(exercise: Exercise, trial: Trial) -> str:
    """Return the name of the part that the verdict speaks of; empty where there is no result to look at."""
    parts = parts_of(exercise, trial)
    return next((name for name, (_, _, wrong) in parts.items() if wrong), "")


def pair_of(exercise: Exercise, trial: Trial, part: str) -> Pair | None:
    """Return a part of the result with the right one; None where it is not wrong."""
    parts = parts_of(exercise, trial)
    right, other, wrong = parts.get(part, (None, None, False))
    if not wrong:
        return None
    if isinstance(exercise.compare, Comparison) and part in exercise.compare.tolerances:
        return None  # a statistic of random draws
    others = _as_arrays({name: value for name, (value, _, _) in parts.items() if name != part})
    given = _as_arrays(received_arguments(exercise, trial.case))
    if _size(right) > _MAX_NUMBERS or _size(other) > _MAX_NUMBERS:
        return Pair(None, None)
    try:
        mine, theirs = _numbers(right), _numbers(other)
        if (mine is None) != (theirs is None):  # a list where an array belongs, or the other way round
            mine, theirs = (_listed(right), theirs) if mine is None else (mine, _listed(other))
    except MADE_UP:  # an int without end, tensors that do not fit together
        return Pair(None, None)
    if mine is None or theirs is None:
        return Pair(right, other, given, (right, other), others)
    return Pair(mine, theirs, given, (right, other), others)


def parts_of(exercise: Exercise, trial: Trial) -> dict[str, tuple[Any, Any, bool]]:
    """Return for each part of the result the right one, the other, and whether that is wrong."""
    compare = exercise.compare if isinstance(exercise.compare, Comparison) else Comparison()
    case, expected, got = trial.case, trial.expected, trial.received
    if expected.raised or got.raised:
        return {}
    try:
        right, other = compare.seen(expected, case).value, compare.seen(got, case).value
        if not isinstance(right, NamedParts):
            return {WHOLE: (right, other, compare._parts(right, other, case) is not None)}
        theirs = other if isinstance(other, dict) else {}
        return {
            name: (part, theirs.get(name), _wrong(compare, name, part, theirs.get(name), case)) for name, part in right.items()
        }
    except MADE_UP:
        return {}


def _size(value: Any) -> int:
    """Return how many numbers, words and characters that is: asked before anything is made of it, since it may be huge."""
    if is_one(value):
        return math.prod(value.shape)
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return len(value) + sum(map(_size, value.values()))
    return len(value) + sum(map(_size, value)) if isinstance(value, list) else 1


def _wrong(compare: Comparison, name: str, right: Any, other: Any, case: Case) -> bool:
    return compare._parts(NamedParts({name: right}), NamedParts({name: other}), case) is not None


def _listed(value: Any) -> np.ndarray | None:
    """Return a list of numbers, or lists of them that are equally long, as float64; None for anything else.

    >>> _listed([[True, False]]), _listed(["a"])
    (array([[1., 0.]]), None)
    """
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(item, (bool, int, float)) for item in value):
        return np.array([float(item) for item in value])
    rows = [row for row in map(_listed, value) if row is not None]
    even = len(rows) == len(value) and len({row.shape for row in rows}) == 1
    return np.stack(rows) if even else None


def _numbers(value: Any) -> np.ndarray | None:
    """Return a tensor or array, a number or a list of numbers as an array of float64; None for anything else."""
    if is_one(value):
        return array_of(value).astype(np.float64)
    if isinstance(value, (bool, int, float)):
        return np.array(float(value))
    if isinstance(value, list) and value and all(type(item) is float for item in value):
        return np.array(value)
    if isinstance(value, list) and value and all(is_one(item) for item in value):
        return (
            np.stack([array_of(item) for item in value]).astype(np.float64)
            if len({item.shape for item in value}) == 1
            else None
        )
    return None


def _as_arrays(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values under the same names, with arrays in place of tensors, since the rules only know arrays."""
    return {name: array_of(value) if is_one(value) else value for name, value in values.items()}
