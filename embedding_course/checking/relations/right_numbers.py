"""The right numbers, and something else is wrong: the type of the entries, what holds them, their last digits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..carried import Carrier, is_one
from ..wire_data import dtype_name
from .claim import Claim, Pair
from .in_words import A_CARRIER, ROUNDED

__all__ = ["another_container", "another_type", "nearly_right"]

_CONTAINERS: tuple[tuple[type, str], ...] = (
    (Carrier, A_CARRIER),
    (list, "a list"),
    (bool, "a Python bool"),
    (int, "a Python number"),
    (float, "a Python number"),
)


def another_container(pair: Pair) -> Iterator[Claim]:
    """A list where a tensor or array was asked for, one of those where a number was."""
    right, other = map(_container, pair.as_sent)
    if right != other and right and other:
        yield Claim(("container", right, other), f"{{yours}} holds the right numbers, as {other} instead of {right}")


def another_type(pair: Pair) -> Iterator[Claim]:
    """float64 for float32, whole numbers for floating ones."""
    right, other = pair.as_sent
    if is_one(right) and is_one(other) and right.dtype != other.dtype:
        types = dtype_name(right.dtype), dtype_name(other.dtype)
        yield Claim(("type", *types), f"{{yours}} holds the right numbers, as {types[1]} instead of {types[0]}")


def nearly_right(pair: Pair) -> Iterator[Claim]:
    """Right as float32 is, where float64 was asked for."""
    right, other = pair.as_sent
    if is_one(right) and is_one(other) and dtype_name(right.dtype) == "float64" == dtype_name(other.dtype):
        says = "{yours} is right to four digits or so, but not as float64: something is rounded on the way"
        yield Claim(("rounding",), says, ROUNDED)


def _container(value: Any) -> str:
    return next((words for kind, words in _CONTAINERS if isinstance(value, kind)), "")
