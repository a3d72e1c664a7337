"""Do two answers compute the same? A known mistake is recognised by that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..with_torch import torch
from .carried import is_one, largest
from .case import Case
from .compare import MADE_UP, Comparison
from .observation import Observation, Raised
from .outline import outline

__all__ = ["difference", "outline_for"]

#: What rounding in float32 leaves of the largest number that takes part.
_NOISE = 1e-6


def outline_for(compare: Any, observation: Observation, case: Case) -> Observation | None:
    """The outline of what is judged of an observation; None where it has not the parts for it."""
    if not isinstance(compare, Comparison):
        return outline(observation)
    try:
        return outline(compare.seen(observation, case))
    except MADE_UP:
        return None


def difference(
    expected: Observation,
    got: Observation,
    case: Case,
    compare: Any = None,
    *,
    as_float32: bool = False,
    any_float: bool = False,
) -> bool:
    """Do two outlines, of `outline_for`, differ by more than rounding? With `as_float32` float64 counts as near as float32
    does: many a mistake works in float32 and hands over float64. With `any_float` it does not matter which of the two comes
    back: for where the exercise takes both."""
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
    mine, theirs = (map(_of_any_float, (expected.value, got.value))) if any_float else (expected.value, got.value)
    return near._parts(mine, theirs, case) is not None


def _of_any_float(value: Any) -> Any:
    """The same outline with every floating type called float64."""
    if isinstance(value, torch.Tensor):
        return value.double() if value.is_floating_point() else value
    if isinstance(value, list):
        return [_of_any_float(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = type(value)({key: _of_any_float(one) for key, one in value.items()})
    if str(value.get("dtype")).startswith("float"):
        found["dtype"] = "float64"
    return found


def _alike(one: Raised, other: Raised) -> bool:
    """Do two exceptions in different words come of the same mistake? Mostly the type tells; a LookupError is a driver's own and
    says which name is missing, and an AttributeError has as many causes as there are things without an attribute."""
    if one.type != other.type or one.type == "LookupError":
        return False
    return one.type != "AttributeError" or _without_attribute(one.message) == _without_attribute(other.message)


def _without_attribute(message: str) -> str:
    """What an AttributeError is about, in front of the attribute.

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
    for entry in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _tensors(entry)
