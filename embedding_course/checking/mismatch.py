"""What is wrong in one case, in words that kinds of values share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .grammar import article, verb
from .show import kind, show

__all__ = ["STAGES", "Mismatch", "entries", "wrong_type", "wrong_values"]

#: The rungs of the ladder, cheapest first.
STAGES = (
    "name missing", "not attempted", "raises", "type", "shape", "dtype", "not finite", "values", "property",
)  # fmt: skip


@dataclass(frozen=True)
class Mismatch:
    """What is wrong in one case. `what` gives kinds and shapes only and may be said of hidden cases;
    `detail` gives values and is said of public ones alone."""

    stage: str
    what: str
    detail: str = ""


def wrong_type(wanted: str, got: Any, where: str) -> Mismatch:
    if got is None:
        return Mismatch("type", f"{verb(where, 'is', 'are')} None where {wanted} was expected; is a `return` missing?")
    found = f"list or tuple of {len(got)}" if isinstance(got, list) else kind(got)  # tuples come as lists
    shown = show(got)
    detail = "" if isinstance(got, list) and shown.startswith("<") else f": {shown}"
    return Mismatch("type", f"{verb(where, 'is', 'are')} {article(found)}; {wanted} was expected", detail)


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
    return Mismatch(
        "values", f"{verb(where, 'has', 'have')} wrong values in {wrong} of {entries(count)}",
        f"; the {which} is at index {index}: {values}",
    )  # fmt: skip


def entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def _short(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)
