"""What is wrong in one case, as data, with the sentences that several kinds of values share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..messages import Code, Count, Listing, Message
from .show import describe, show

__all__ = [
    "RESULT",
    "STAGES",
    "Mismatch",
    "no_single_number",
    "not_finite",
    "wrong_dtype",
    "wrong_length",
    "wrong_shape",
    "wrong_single_value",
    "wrong_type",
    "wrong_values",
]

#: The rungs of the ladder, cheapest first.
STAGES = ("name missing", "not attempted", "raises", "type", "shape", "dtype", "not finite", "values", "property")
#: A result that has no named parts.
RESULT = Message("the result")


@dataclass(frozen=True)
class Mismatch:
    """What is wrong in one case.

    Attributes
    ----------
    stage : str
        The rung of `STAGES` at which the result failed.
    message : Message
        What is wrong, with values. Said of public cases.
    hidden : Message or None
        What hidden cases show in place of `message`; its slots are redacted.
    expected, received : str
        The kinds, types or exceptions that do not fit together, for whoever chooses a next step.
    """

    stage: str
    message: Message
    hidden: Message | None = None
    expected: str = ""
    received: str = ""


def wrong_type(part: Message, expected: Any, received: Any) -> Mismatch:
    """Return the fault of something of another kind than expected.

    Parameters
    ----------
    part : Message
        What the received value is, as a noun phrase.
    expected, received : object
        The two values.
    """
    kinds = {"expected": type(expected).__name__, "received": type(received).__name__}
    wanted = wanted_hidden = describe(expected, sizes=False)
    if hasattr(expected, "shape"):
        shape = tuple(expected.shape)
        wanted_hidden = Message.plural("a tensor with {count} axis", "a tensor with {count} axes", Count(len(shape)))
        wanted = Message("a tensor of shape {shape}", shape=shape)
        if kinds["expected"] == "ndarray":
            wanted_hidden = Message.plural("an array with {count} axis", "an array with {count} axes", Count(len(shape)))
            wanted = Message("an array of shape {shape}", shape=shape)
    if received is None:
        message = Message("For {part}, {expected} was expected; None came back. Is a `return` missing?", part=part)
        return Mismatch("type", message.fill(expected=wanted), message.fill(expected=wanted_hidden), **kinds)
    message = Message("For {part}, {expected} was expected; {received} came back.", part=part)
    whole, roughly, value = describe(received), describe(received, sizes=False), show(received)
    if isinstance(received, list):  # tuples come as lists
        whole = Message.plural("a list or tuple of {count} entry", "a list or tuple of {count} entries", len(received))
        roughly = Message("a list or tuple")
    public = message.fill(expected=wanted, received=whole)
    if not value.startswith("<"):
        public = Message("For {part}, {expected} was expected; {received} came back: {value}.", **public.slots, value=value)
    return Mismatch("type", public, message.fill(expected=wanted_hidden, received=roughly), **kinds)


def missing_part(part: Message, present: Listing, expected: Any) -> Mismatch:
    """Return the fault of an answer that returned some of several results only."""
    message = Message("Only {present} came back, and not {part}.", present=present, part=part)
    return Mismatch("type", message, expected=type(expected).__name__, received="NoneType")


def wrong_shape(part: Message, expected: Sequence[int], received: Sequence[int]) -> Mismatch:
    """Return the fault of a tensor or array of another shape. Of a hidden case only the axes are named."""
    message = Message("The shape of {part} is {received}; {expected} was expected.")
    message = message.fill(part=part, received=tuple(received), expected=tuple(expected))
    if len(received) != len(expected):
        hidden = Message("The number of axes of {part} is {received}; {expected} was expected.", part=part)
        return Mismatch("shape", message, hidden.fill(received=Count(len(received)), expected=Count(len(expected))))
    apart = [Count(axis) for axis, (right, other) in enumerate(zip(expected, received, strict=True)) if right != other]
    hidden = Message.plural(
        "The size of {part} along axis {axes} is not the expected one.",
        "The sizes of {part} along the axes {axes} are not the expected ones.",
        Count(len(apart)),
        part=part,
        axes=Listing(apart),
    )
    return Mismatch("shape", message, hidden)


def no_single_number(part: Message, received: Any) -> Mismatch:
    """Return the fault of a tensor or array where a single number was expected."""
    message = Message("For {part}, a single number was expected; {received} came back.", part=part)
    return Mismatch("shape", message.fill(received=describe(received)), message.fill(received=describe(received, sizes=False)))


def wrong_length(part: Message, expected: int, received: int) -> Mismatch:
    """Return the fault of a list with too many or too few entries."""
    message = Message("The number of entries of {part} is {received}; {expected} was expected.", part=part)
    more, fewer = Message("There are too many entries in {part}."), Message("There are too few entries in {part}.")
    hidden = (more if received > expected else fewer).fill(part=part)
    return Mismatch("shape", message.fill(received=received, expected=expected), hidden)


def wrong_dtype(part: Message, expected: str, received: str, *, floating: bool) -> Mismatch:
    """Return the fault of a part whose dtype is not the expected one.

    Parameters
    ----------
    part : Message
        What has the dtype.
    expected, received : str
        Names of the dtypes.
    floating : bool
        True if any floating dtype was expected.
    """
    message = Message("The dtype of {part} is {received}; {expected} was expected.", part=part, received=received)
    wanted = Message("a floating one") if floating else Code(expected)
    return Mismatch("dtype", message.fill(expected=wanted), expected="floating" if floating else expected, received=received)


def not_finite(part: Message, index: Sequence[int]) -> Mismatch:
    """Return the fault of nan or inf in a tensor or array, where the first of them is at `index`."""
    hidden = Message("There is nan or inf in {part}.", part=part)
    if not index:
        return Mismatch("not finite", hidden)
    return Mismatch(
        "not finite", Message("There is nan or inf in {part}, at index {index}.", part=part, index=_index(index)), hidden
    )


def wrong_single_value(part: Message, expected: Any, received: Any) -> Mismatch:
    """Return the fault of a single number, text or the like."""
    message = Message("The value of {part} is {received}; {expected} was expected.", part=part)
    hidden = Message("The value of {part} is wrong.", part=part)
    return Mismatch("values", message.fill(received=show(received), expected=show(expected)), hidden)


def wrong_values(part: Message, wrong: int, count: int, index: Sequence[int], expected: Any, received: Any) -> Mismatch:
    """Return the fault of a result with wrong entries.

    Of floating numbers the entry that is farthest off is shown; of indices, ids and codes the first, since how far two of them
    lie apart says nothing.

    Parameters
    ----------
    part : Message
        What holds the entries.
    wrong, count : int
        How many entries are wrong, and how many there are.
    index : sequence of int
        Where the entry stands that is shown.
    expected, received : bool, int or float
        This entry.
    """
    values = [f"{value:.5g}" if isinstance(value, float) else str(value) for value in (expected, received)]
    if values[0] == values[1]:
        values = [str(expected), str(received)]
    if isinstance(expected, float):
        message = Message.plural(
            "{count} of {size} entries of {part} is wrong. It is at index {index}: {received}, not {expected}.",
            "{count} of {size} entries of {part} are wrong. The largest difference is at index {index}: {received}, not "
            "{expected}.",
            wrong,
        )
    else:
        message = Message.plural(
            "{count} of {size} entries of {part} is wrong. It is at index {index}: {received}, not {expected}.",
            "{count} of {size} entries of {part} are wrong. The first is at index {index}: {received}, not {expected}.",
            wrong,
        )
    public = message.fill(part=part, size=count, index=_index(index), expected=values[0], received=values[1])
    hidden = Message("Every entry of {part} is wrong.") if wrong == count else Message("Some entries of {part} are wrong.")
    return Mismatch("values", public, hidden.fill(part=part))


def _index(index: Sequence[int]) -> int | tuple[int, ...]:
    return index[0] if len(index) == 1 else tuple(index)
