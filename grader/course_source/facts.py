"""The line below an exercise's title: how hard it is, what it is worth, how long it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from embedding_course.checking.result import number

if TYPE_CHECKING:
    from embedding_course.checking.exercise import Exercise
    from embedding_course.exercises.index import Entry

_STARS = {1: "★☆☆", 2: "★★☆", 3: "★★★"}


def facts(exercise: Exercise | Entry, core: bool | None = None, worth: str = "") -> str:
    """Return a class may count the exercise as `core` or not, and say its `worth` in words of its own."""
    core = exercise.core if core is None else core
    worth = worth or f"{number(exercise.points)} point{'s' * (exercise.points != 1)}" + ("" if core else " of extra credit")
    sort = "core" if core else "further"
    return f'{_STARS[exercise.difficulty]} · {sort} · {worth} · about {exercise.minutes} minutes · `hint("{exercise.id}")`'
