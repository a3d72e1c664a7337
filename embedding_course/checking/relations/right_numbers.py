"""Right numbers with another fault: the type of the entries, the type of the container, or the last digits."""

from collections.abc import Iterator
from typing import Any

from ...messages import Message
from ..carried import Carrier, is_one
from ..wire_data import dtype_name
from .carrier_words import A_CARRIER, ROUNDED
from .claim import Claim, Pair

_CONTAINERS: tuple[tuple[type, str, Message], ...] = (
    (Carrier, "carrier", A_CARRIER),
    (list, "list", Message("a list")),
    (bool, "bool", Message("a Python bool")),
    (int, "number", Message("a Python number")),
    (float, "number", Message("a Python number")),
)


def another_container(pair: Pair) -> Iterator[Claim]:
    """Yield that the right numbers come in another container."""
    right, other = map(_container, pair.as_sent)
    if right and other and right[0] != other[0]:
        says = Message("{Yours} holds the right numbers, as {other} instead of {expected}.", other=other[1], expected=right[1])
        yield Claim(("container", right[0], other[0]), says)


def another_type(pair: Pair) -> Iterator[Claim]:
    """Yield that the right numbers come in another type."""
    right, other = pair.as_sent
    if is_one(right) and is_one(other) and right.dtype != other.dtype:
        types = dtype_name(right.dtype), dtype_name(other.dtype)
        says = Message("{Yours} holds the right numbers, as {other} instead of {expected}.", other=types[1], expected=types[0])
        yield Claim(("type", *types), says)


def nearly_right(pair: Pair) -> Iterator[Claim]:
    """Yield that the result is right as float32 is, where float64 was asked for."""
    right, other = pair.as_sent
    if is_one(right) and is_one(other) and dtype_name(right.dtype) == "float64" == dtype_name(other.dtype):
        says = Message("{Yours} is right to four digits or so, but not as float64: something is rounded on the way.")
        yield Claim(("rounding",), says, ROUNDED)


def _container(value: Any) -> tuple[str, Message] | None:
    return next(((name, words) for kind, name, words in _CONTAINERS if isinstance(value, kind)), None)
