"""Tell whether two answers compute the same, by which a known mistake is recognised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..subject.tensors import torch
from .carried import is_one, largest
from .case import Case
from .compare import MADE_UP, Comparison
from .observation import Observation, Raised
from .outline import outline

__all__ = ["difference", "outline_for"]

#: What rounding in float32 leaves of the largest number that takes part.
_NOISE = 1e-6


def outline_for(compare: Any, observation: Observation, case: Case) -> Observation | None:
    """Return the outline of the judged part of an observation, or None if the observation lacks parts that `compare` needs.

    Where an answer may choose the dtype of its numbers, the outline is the same for every dtype.
    """
    if not isinstance(compare, Comparison):
        return outline(observation)
    try:
        seen = compare.seen(observation, case)
        return outline(replace(seen, value=_of_one_type(seen.value, compare.dtype)))
    except MADE_UP:
        return None


def _of_one_type(value: Any, free: str) -> Any:
    """Return the value with float32 in place of every dtype that is accepted as well."""
    if free == "same":
        return value
    if isinstance(value, torch.Tensor):
        chosen = not value.is_complex() if free == "any" else value.dtype == torch.float64
        return value.float() if chosen else value
    if isinstance(value, dict):
        return type(value)({key: _of_one_type(part, free) for key, part in value.items()})
    return [_of_one_type(part, free) for part in value] if isinstance(value, list) else value


def difference(
    expected: Observation,
    got: Observation,
    case: Case,
    compare: Any = None,
    *,
    as_float32: bool = False,
    any_float: bool = False,
) -> bool:
    """Return True if two outlines of `outline_for` differ by more than rounding.

    Parameters
    ----------
    expected, got : Observation
        The two outlines.
    case : Case
        The case in which they were seen.
    compare : callable, optional
        The comparison of the exercise; its own tolerances apply if it is a `Comparison`.
    as_float32 : bool
        Compare float64 numbers with the tolerance of float32: many mistakes compute in float32 and return float64.
    any_float : bool
        Ignore which floating dtype the numbers have, for cases in which several are right.
    """
    if (expected.raised is None) != (got.raised is None):
        return True
    if expected.raised and got.raised:  # one version of torch raises ValueError where another, in the same words, RuntimeError
        return expected.raised.message != got.raised.message and not _alike(expected.raised, got.raised)
    if expected.modified != got.modified:
        return True
    # What would be 0 by exact arithmetic is in proportion to what it was made of, and differs from machine to machine.
    noise = _NOISE * max(map(largest, _tensors(expected.value)), default=0.0)
    near = Comparison(
        rtol64=Comparison.rtol if as_float32 else Comparison.rtol64,
        atol=noise,
        tolerances={**compare.rounding, **compare.tolerances} if isinstance(compare, Comparison) else {},
    )
    # What cancels to nothing leaves noise of the size of what was given, which no two ways of computing leave alike.
    nothing = _NOISE * max(map(largest, _tensors([case.args, case.options])), default=0.0)
    mine, theirs = (_without_noise(seen.value, nothing) for seen in (expected, got))
    if any_float:
        mine, theirs = _of_any_float(mine), _of_any_float(theirs)
    return near._parts(mine, theirs, case) is not None


def _of_any_float(value: Any) -> Any:
    """Return an outline in which every floating dtype is float64."""
    if isinstance(value, torch.Tensor):
        return value.double() if value.is_floating_point() else value
    if isinstance(value, list):
        return [_of_any_float(item) for item in value]
    if not isinstance(value, dict):
        return value
    copy = type(value)({key: _of_any_float(item) for key, item in value.items()})
    if str(value.get("dtype")).startswith("float"):
        copy["dtype"] = "float64"
    return copy


def _without_noise(value: Any, nothing: float) -> Any:
    """Return the value with zeros in place of each floating tensor whose numbers are all at most `nothing` in size."""
    if isinstance(value, torch.Tensor):
        small = value.is_floating_point() and bool(torch.isfinite(value).all()) and largest(value) <= nothing
        return torch.zeros_like(value) if small else value
    if isinstance(value, dict):
        return type(value)({key: _without_noise(part, nothing) for key, part in value.items()})
    return [_without_noise(part, nothing) for part in value] if isinstance(value, list) else value


def _alike(first: Raised, second: Raised) -> bool:
    """Return True if two exceptions in different words come of the same mistake.

    Mostly the type tells, unless the message names one cause, such as "leaf Variable". A LookupError is a driver's own and
    names what is missing; an AttributeError has as many causes as there are things without an attribute. What a driver reports
    of a result is never what Python reports of a line.
    """
    if first.type != second.type or first.type == "LookupError" or first.by_driver != second.by_driver:
        return False
    if _cause(first.message) != _cause(second.message):
        return False
    return first.type != "AttributeError" or _without_attribute(first.message) == _without_attribute(second.message)


#: Words of exceptions that have one cause, however alike their types are.
_CAUSES = re.compile(
    r"does not require grad and does not have a grad_fn|grad can be implicitly created only for scalar"
    r"|leaf Variable that requires|modified by an inplace operation|grad_output\[\d+\] has a shape|Boolean value of Tensor"
    r"|Dimension out of range|out of bounds for dimension|too many indices"
)


def _cause(message: str) -> str:
    """Return the words of a message that name its one cause, or "".

    >>> _cause("a leaf Variable that requires grad is being used in an in-place operation.")
    'leaf Variable that requires'
    """
    match = _CAUSES.search(message)
    return re.sub(r"\d+", "0", match[0]) if match else ""


def _without_attribute(message: str) -> str:
    """Return what an AttributeError is about, in front of the attribute.

    >>> _without_attribute("'tuple' object has no attribute 'shape'")
    "'tuple' object"
    >>> _without_attribute("cannot assign parameters before Module.__init__() call")
    'before Module.__init__() call'
    """
    assigned = re.search(r"before Module\.__init__\(\) call", message)
    return assigned[0] if assigned else message.partition(" has no attribute ")[0]


def _tensors(value: Any) -> Iterator[Any]:
    if is_one(value):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _tensors(item)
