"""Two names that are easily taken for one: told apart, or refused with a sentence, and never silently one person."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from .item import Item

__all__ = ["told_apart"]


def told_apart(items: Sequence[Item], there: Sequence[str], *, by_roster: bool) -> list[Item]:
    """The items, without those of whom nobody can say whether they are one person or two.

    `there` are the folders of students that the class has. A roster that names the students has told them apart already;
    without one, names that differ in case, width or signs that no folder can carry are one to some machines and two to others.
    """
    if by_roster:
        return list(items)
    names: dict[str, set[str]] = defaultdict(set)
    for name in there:
        names[_alike(name)].add(name)
    for item in items:
        if item.action == "new" and item.team is None:
            names[_alike(item.student)].add(_spelled(item.claim.name))
    return [_judged(item, names[_alike(item.student)], there) for item in items]


def _judged(item: Item, names: set[str], there: Sequence[str]) -> Item:
    mine = _spelled(item.claim.name)
    if item.action != "new" or item.team is not None or len(names) < 2 or mine in there:
        return item
    others = " and ".join(sorted(repr(name) for name in names - {mine})[:3])
    return replace(item, action="left", why=f"nobody can tell {mine!r} from {others} by their names; a roster does")


def _alike(name: str) -> str:
    """The same for two names that some file system, or some reader, holds for one."""
    return unicodedata.normalize("NFKC", name).casefold()


def _spelled(name: str) -> str:
    """A name as it was written, but for the spaces that a folder's name has underscores for."""
    return re.sub(r"\s+", "_", unicodedata.normalize("NFC", name).strip())
