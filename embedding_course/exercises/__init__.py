"""The public half of every exercise: cases and comparison, no answers. One module per notebook."""

from __future__ import annotations

import importlib
from functools import cache

from ..errors import CourseError, closest
from ..exercise import Exercise
from ..lessons import LESSONS

__all__ = ["exercise", "exercises_of", "known"]


@cache
def exercises_of(topic: str) -> tuple[Exercise, ...]:
    """The exercises of one notebook, in its order."""
    return importlib.import_module(f"{__name__}.{topic}").EXERCISES


@cache
def known() -> dict[str, Exercise]:
    """Every exercise of the written notebooks by id."""
    return {entry.id: entry for lesson in LESSONS if lesson.written for entry in exercises_of(lesson.topic)}


def exercise(name: str) -> Exercise:
    """The exercise "01.one_hot"; a bare "one_hot" is enough. CourseError names the closest ones otherwise."""
    name = str(name).strip()
    found = known().get(name) or next((entry for entry in known().values() if entry.name == name), None)
    if found is None:
        number, _, last = name.rpartition(".")
        beginning = f"{number.zfill(2)}."
        near = [entry for entry in known() if entry.endswith(f".{last}") or entry.startswith(beginning)]
        raise CourseError(f"There is no exercise {name!r}: {closest(name, near or known())}")
    return found
