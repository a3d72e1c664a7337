"""What a mark is: items of the rubric, points on top, a comment, an author and a time."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Item:
    """One line of a rubric: what earns or costs points. `id` is 0 for a new one."""

    id: int
    text: str
    points: float


@dataclass(frozen=True)
class Draft:
    """What a person decides on an answer: items of the rubric, points on top of them, and a comment."""

    items: tuple[int, ...] = ()
    adjustment: float = 0.0
    comment: str = ""


@dataclass(frozen=True)
class Mark:
    """A mark as it counts now.

    Attributes
    ----------
    version
        The number of this mark; a later mark must name it as the one that it replaces.
    points
        The points by the present rubric, between 0 and the question's maximum.
    answer
        The SHA-256 of the text that was marked.
    """

    version: int
    draft: Draft
    points: float
    author: str
    at: str
    answer: str


def mark_of(row: Mapping[Any, Any], rubric: Mapping[int, float], most: float) -> Mark:
    """Return a row of the tables of marks with the points that it earns by the present rubric."""
    items = tuple(item for item in row["items"] if item in rubric)
    points = sum(rubric[item] for item in items) + row["adjustment"]
    draft = Draft(items, row["adjustment"], row["comment"])
    return Mark(row["id"], draft, round(min(max(points, 0.0), most), 6), row["author"], row["at"], row["answer"])


def digest_of_text(text: str) -> str:
    """Return the SHA-256 of a written answer, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
