"""The public half of every exercise: cases and comparison, no answers. One module per notebook."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from ..messages import Message
from ..subject.course import course
from ..subject.errors import CourseError, closest
from ..subject.lessons import LESSONS

if TYPE_CHECKING:
    from ..checking.exercise import Exercise


@cache
def exercises_of(topic: str) -> tuple[Exercise, ...]:
    """Return the exercises of one notebook, in its order."""
    from ..checking.process_state import as_at_the_start  # imports torch, which listing notebooks does not need

    with as_at_the_start():
        return importlib.import_module(f"{course().package}.exercises.{topic}").EXERCISES


@cache
def known() -> dict[str, Exercise]:
    """Return every exercise of the written notebooks by id."""
    return {exercise.id: exercise for lesson in LESSONS if lesson.written for exercise in exercises_of(lesson.topic)}


def find_exercise(name: str) -> Exercise:
    """Return the exercise "01.one_hot"; the bare name "one_hot" is enough.

    Raises
    ------
    CourseError
        If there is no such exercise; the message names the most similar ones.
    """
    name = str(name).strip()
    exercise = known().get(name) or next((candidate for candidate in known().values() if candidate.name == name), None)
    if exercise is None:
        number, _, last = name.rpartition(".")
        beginning = f"{number.zfill(2)}."
        near = [known_id for known_id in known() if known_id.endswith(f".{last}") or known_id.startswith(beginning)]
        message = Message("There is no exercise {name}: {closest}", name=repr(name), closest=closest(name, near or known()))
        raise CourseError(message)
    return exercise


def named(names: Iterable[str]) -> list[Exercise]:
    """Return the exercises of these names or notebook numbers; all exercises if no name is given.

    >>> [entry.id for entry in named(["08.pool_max", "03"])][:2]
    ['08.pool_max', '03.renorm_rows']
    """
    topics = {lesson.topic[:2]: lesson.topic for lesson in LESSONS if lesson.written}
    exercises: dict[str, Exercise] = {}
    for name in names:
        entries = exercises_of(topics[name]) if name in topics else (find_exercise(name),)
        exercises |= {exercise.id: exercise for exercise in entries}
    return list((exercises or known()).values())
