"""Rubrics of written questions: the reference rubric beside each lesson, and those that a class puts into course.toml."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from embedding_course.checking.result import number
from embedding_course.subject.errors import closest

from ...paths import SOLUTIONS
from .toml_file import WrongCourse, shown

#: The file beside a lesson that holds its reference rubric.
FILE = "rubric.toml"
_MAX_POINTS = 1000


class RubricLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a rubric: what earns points, or costs them if `points` is below 0."""

    text: str
    points: float


def reference_rubric(topic: str) -> tuple[RubricLine, ...]:
    """Return the reference rubric of a lesson's written question, empty if the lesson has none.

    Examples
    --------
    >>> [line.points for line in reference_rubric("03_max_norm")]
    [1.0, 1.0, 1.0]
    """
    path = SOLUTIONS / topic / FILE
    if not path.exists():
        return ()
    return tuple(msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8"))["item"], list[RubricLine]))


def rubrics_of(table: Mapping[str, Any], topics: Collection[str]) -> dict[str, tuple[RubricLine, ...]]:
    """Return the rubrics that course.toml holds, by notebook.

    Parameters
    ----------
    table : mapping
        What `[rubrics]` holds, by names such as "03.written".
    topics : collection of str
        The notebooks of the class.

    Raises
    ------
    WrongCourse
        If a name is no written question of the class, or a line is not a text with points.
    """
    known = {f"{topic[:2]}.written": topic for topic in topics}
    rubrics = {}
    for name, entries in table.items():
        if name not in known:
            raise WrongCourse(f"rubrics: there is no written question {shown(name)} in this class; {closest(name, known)}")
        key = f'rubrics."{name}"'
        try:
            lines = msgspec.convert(entries, list[RubricLine])
        except msgspec.ValidationError:
            raise WrongCourse(
                f'{key}: each line needs text = "…" and points = a number, below [[{key}]], and nothing else.'
            ) from None
        for position, line in enumerate(lines, 1):
            reason = wrong_line(line.text, line.points)
            if reason:
                raise WrongCourse(f"{key}, number {position}: {reason}")
        rubrics[known[name]] = tuple(lines)
    return rubrics


def wrong_line(text: str, points: float) -> str:
    """Return why a line of a rubric cannot be used, or an empty string."""
    if not text.strip():
        return "An item of the rubric has no text: say what it is given for."
    if not math.isfinite(points) or abs(points) > _MAX_POINTS:
        return f"{shown(points)} points: an item is worth a number from -{_MAX_POINTS} to {_MAX_POINTS}."
    return ""


def rubric_for(rubrics: Mapping[str, tuple[RubricLine, ...]], topic: str, most: float) -> tuple[tuple[RubricLine, ...], str]:
    """Return the rubric that marking begins with, and whose it is: "course.toml", "the lesson" or "" if there is none.

    The lesson's rubric is scaled to what the question is worth in the class, a rubric of course.toml is taken as it is.

    Parameters
    ----------
    rubrics : mapping
        The rubrics of course.toml by notebook.
    topic : str
    most : float
        What the question is worth.
    """
    own = rubrics.get(topic)
    if own is not None:
        return own, "course.toml"
    lines = reference_rubric(topic)
    total = sum(line.points for line in lines if line.points > 0)
    if not total:
        return lines, "the lesson" if lines else ""
    scaled = [RubricLine(line.text, round(line.points * most / total, 6)) for line in lines]
    return tuple(scaled), "the lesson"


def misfit(points: Sequence[float], most: float) -> str:
    """Return by how much a rubric misses the points of its question, as a sentence; empty if it adds up or has no lines.

    Examples
    --------
    >>> misfit([2, 2], 3)
    'All items together give 4 of 3 points: marks stop at 3, or take 1 away from the items.'
    >>> misfit([1, -1], 3)
    'All items together give 1 of 3 points: the other 2 can only be given as points on top.'
    """
    total = round(sum(value for value in points if value > 0), 6)
    if not points or total == most:
        return ""
    start = f"All items together give {number(total)} of {number(most)} points:"
    if total > most:
        return f"{start} marks stop at {number(most)}, or take {number(round(total - most, 6))} away from the items."
    return f"{start} the other {number(round(most - total, 6))} can only be given as points on top."
