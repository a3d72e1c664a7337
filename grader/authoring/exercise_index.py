"""The index of the exercises, which commands read that need no torch."""

import msgspec

from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import known
from embedding_course.exercises.index import Entry


def exercise_index() -> bytes:
    """The file as `embedding_course.exercises.index` reads it, the same on every machine."""
    return msgspec.json.format(msgspec.json.encode([_entry(exercise) for exercise in known().values()]), indent=1) + b"\n"


def _entry(exercise: Exercise) -> Entry:
    return Entry(
        id=exercise.id, title=exercise.title, why=exercise.why, points=float(exercise.points), core=exercise.core,
        difficulty=exercise.difficulty, minutes=exercise.minutes,
    )  # fmt: skip
