"""What is wrong in one case, in words that kinds of values share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .grammar import article, in_a_row, verb
from .show import axes, kind, show, without_sizes

__all__ = ["STAGES", "Mismatch", "entries", "no_single_number", "wrong_length", "wrong_shape", "wrong_type", "wrong_values"]

#: The rungs of the ladder, cheapest first.
STAGES = (
    "name missing", "not attempted", "raises", "type", "shape", "dtype", "not finite", "values", "property",
)  # fmt: skip


@dataclass(frozen=True)
class Mismatch:
    """What is wrong in one case.

    Attributes
    ----------
    stage : str
        The rung of `STAGES` at which the result failed.
    what : str
        What is wrong, in kinds and sizes. Said of public cases; of hidden ones too where there is no `hidden`, after
        `discreet` took out what an answer could have chosen.
    detail : str
        Values, said of public cases only.
    hidden : str
        What is said of hidden cases in place of `what`, where that holds sizes: an answer can return a size that is a
        hidden input.
    """

    stage: str
    what: str
    detail: str = ""
    hidden: str = ""


def wrong_type(wanted: str, got: Any, where: str) -> Mismatch:
    if got is None:
        return Mismatch("type", f"{verb(where, 'is', 'are')} None where {wanted} was expected; is a `return` missing?")
    found = f"list or tuple of {len(got)}" if isinstance(got, list) else kind(got)  # tuples come as lists
    shown = show(got)
    detail = "" if isinstance(got, list) and shown.startswith("<") else f": {shown}"
    roughly = "list or tuple" if isinstance(got, list) else kind(got, sizes=False)
    hidden = f"{verb(where, 'is', 'are')} {article(roughly)}; {without_sizes(wanted)} was expected"
    return Mismatch("type", f"{verb(where, 'is', 'are')} {article(found)}; {wanted} was expected", detail, hidden)


def wrong_shape(where: str, got: Sequence[int], expected: Sequence[int]) -> Mismatch:
    """Return the fault of a tensor or array of another shape. Of a hidden case only the axes are named."""
    has = verb(where, "has", "have")
    said = f"{has} shape {tuple(got)}; shape {tuple(expected)} was expected"
    if len(got) != len(expected):
        return Mismatch("shape", said, hidden=f"{has} {axes(len(got))}; {axes(len(expected))} {be(len(expected))} expected")
    apart = [str(axis) for axis, (mine, theirs) in enumerate(zip(expected, got, strict=True)) if mine != theirs]
    along = f"axis {apart[0]}" if len(apart) == 1 else f"the axes {in_a_row(apart)}"
    return Mismatch("shape", said, hidden=f"{has} {axes(len(got))}, as expected, and another size than expected along {along}")


def no_single_number(where: str, what: str, shape: Sequence[int]) -> Mismatch:
    """Return the fault of a tensor or array (`what`) where a single number was expected."""
    is_one = verb(where, "is", "are")
    said = f"{is_one} {what} of shape {tuple(shape)}; a single number was expected"
    return Mismatch("shape", said, hidden=f"{is_one} {what} with {axes(len(shape))}; a single number was expected")


def wrong_length(where: str, got: int, expected: int) -> Mismatch:
    """Return the fault of a list with too many or too few entries."""
    has = verb(where, "has", "have")
    hidden = f"{has} {'more' if got > expected else 'fewer'} entries than expected"
    return Mismatch("shape", f"{has} {entries(got)}; {expected} {be(expected)} expected", hidden=hidden)


def wrong_values(where: str, wrong: int, count: int, spot: Sequence[int], theirs: Any, mine: Any) -> Mismatch:
    """So many of a result's entries are wrong; of the one at the index `spot` both numbers are shown.

    Of floating numbers it is the one that is farthest off; of indices, ids and codes the first, since how far two of them lie
    apart says nothing.
    """
    index = tuple(spot) if len(spot) != 1 else spot[0]
    values = f"{_short(theirs)}, not {_short(mine)}"
    if _short(theirs) == _short(mine):
        values = f"{theirs}, not {mine}"
    which = "largest difference" if isinstance(mine, float) else "first"
    has = verb(where, "has", "have")
    hidden = f"{has} wrong values in {'every entry' if wrong == count else 'some entries'}"
    detail = f"; the {which} is at index {index}: {values}"
    return Mismatch("values", f"{has} wrong values in {wrong} of {entries(count)}", detail, hidden)


def entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def be(count: int) -> str:
    return "was" if count == 1 else "were"


def _short(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)
