"""The parts of a result that are looked at, in one case: right, other, wrong or not, and as numbers where they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...with_torch import TENSORS, torch
from ..compare import MADE_UP, Comparison
from ..wire_data import NamedParts
from .claim import Pair

if TYPE_CHECKING:
    from ..exercise import Case, Exercise
    from ..observation import Observation

__all__ = ["WHOLE", "first_wrong_part", "pair_of", "parts_of"]

#: Results with more numbers are not looked into: those of public and hidden cases have a few hundred.
_MOST_NUMBERS = 6_000
#: What a result without named parts is called.
WHOLE = "result"


def first_wrong_part(exercise: Exercise, case: Case, expected: Observation, got: Observation) -> str:
    """The name of the part that the verdict speaks of; empty where there is no result to look at."""
    parts = parts_of(exercise, case, expected, got)
    return next((name for name, (_, _, wrong) in parts.items() if wrong), "")


def pair_of(
    exercise: Exercise, case: Case, expected: Observation, got: Observation, part: str, given: Mapping[str, Any]
) -> Pair | None:
    """A part of the result where it is wrong, with the right one."""
    parts = parts_of(exercise, case, expected, got)
    right, other, wrong = parts.get(part, (None, None, False))
    if not wrong:
        return None
    if isinstance(exercise.compare, Comparison) and part in exercise.compare.tolerances:
        return None  # a statistic of random draws
    others = {name: value for name, (value, _, _) in parts.items() if name != part}
    if _size(right) > _MOST_NUMBERS or _size(other) > _MOST_NUMBERS:
        return Pair(None, None)
    try:
        mine, theirs = _numbers(right), _numbers(other)
    except MADE_UP:  # an int without end, tensors that do not fit together
        return Pair(None, None)
    if mine is None or theirs is None:
        return Pair(right, other, given, (right, other), others)
    return Pair(mine, theirs, given, (right, other), others)


def parts_of(exercise: Exercise, case: Case, expected: Observation, got: Observation) -> dict[str, tuple[Any, Any, bool]]:
    """For each part of the result: the right one, the other, and whether that is wrong."""
    compare = exercise.compare if isinstance(exercise.compare, Comparison) else Comparison()
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
    """How many numbers, words and characters that is: asked before anything is made of it, since it may be huge."""
    if isinstance(value, torch.Tensor):
        return value.numel()
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return len(value) + sum(map(_size, value.values()))
    return len(value) + sum(map(_size, value)) if isinstance(value, list) else 1


def _wrong(compare: Comparison, name: str, right: Any, other: Any, case: Case) -> bool:
    return compare._parts(NamedParts({name: right}), NamedParts({name: other}), case) is not None


def _numbers(value: Any) -> torch.Tensor | None:
    """A tensor, a number or a list of numbers as float64; None for anything else, and in a course without tensors."""
    if not TENSORS:
        return None
    if isinstance(value, torch.Tensor):
        return value.double()
    if isinstance(value, (bool, int, float)):
        return torch.tensor(float(value), dtype=torch.float64)
    if isinstance(value, list) and value and all(type(one) is float for one in value):
        return torch.tensor(value, dtype=torch.float64)
    if isinstance(value, list) and value and all(isinstance(one, torch.Tensor) for one in value):
        return torch.stack(value).double() if len({one.shape for one in value}) == 1 else None
    return None
