"""The line below an exercise's title: how hard it is, what it is worth, how long it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from embedding_course.checking.result import number
from embedding_course.messages import Message

if TYPE_CHECKING:
    from embedding_course.checking.exercise import Exercise
    from embedding_course.exercises.index import Entry

_STARS = {1: "★☆☆", 2: "★★☆", 3: "★★★"}


def facts(exercise: Exercise | Entry, core: bool | None = None, worth: str = "") -> str:
    """Return the line below the title of an exercise.

    Parameters
    ----------
    exercise : Exercise or Entry
    core : bool, optional
        Whether the class counts the exercise as core; by default as the lesson does.
    worth : str, optional
        What the exercise is worth, in words of the class; by default the points of the lesson.
    """
    core = exercise.core if core is None else core
    points = Message.plural("{points} point", "{points} points", 1 if exercise.points == 1 else 2)
    if not core:
        points = Message.plural("{points} point of extra credit", "{points} points of extra credit", points.slots["count"])
    message = Message("{stars} · {sort} · {worth} · about {minutes} minutes · `{hint}`", stars=_STARS[exercise.difficulty])
    message = message.fill(sort=Message("core") if core else Message("further"), minutes=exercise.minutes)
    return str(message.fill(worth=worth or points.fill(points=number(exercise.points)), hint=f'hint("{exercise.id}")'))
