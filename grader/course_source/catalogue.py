"""The catalogues in `solutions/`: right answers, wrong answers by name, and unusual right ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import exercises_of

from ..paths import SOLUTIONS
from .catalogue_file import Entry, Few, Mistake, RightForm, Survivor, read_entries

__all__ = [
    "Mistake",
    "RightForm",
    "Survivor",
    "callable_of",
    "mistakes_of",
    "reference",
    "reference_source",
    "references",
    "right_forms_of",
    "survivors_of",
    "why_few",
]


def mistakes_of(exercise: Exercise) -> list[Mistake]:
    """Return the known wrong answers to an exercise."""
    return [entry for entry in _entries(exercise) if isinstance(entry, Mistake)]


def right_forms_of(exercise: Exercise) -> list[RightForm]:
    """Return the known unusual right answers to an exercise."""
    return [entry for entry in _entries(exercise) if isinstance(entry, RightForm)]


def survivors_of(exercise: Exercise) -> list[Survivor]:
    """Return the mutants of the reference that are known to be right."""
    return [entry for entry in _entries(exercise) if isinstance(entry, Survivor)]


def why_few(exercise: Exercise, what: str) -> str:
    """Return the reason for few "mistakes" or few "right forms"; the empty string if none is given."""
    return next((entry.reason for entry in _entries(exercise) if isinstance(entry, Few) and entry.what == what), "")


def _entries(exercise: Exercise) -> list[Entry]:
    return [entry for entry in _catalogue(exercise.lesson.topic) if entry.exercise == exercise.id]


@cache
def _catalogue(topic: str) -> tuple[Entry, ...]:
    """Return all entries of a notebook. Raise LookupError if the exercise of one does not exist."""
    paths = sorted((SOLUTIONS / topic / "mistakes").glob("*.py"))
    entries = tuple(entry for path in paths for entry in read_entries(path))
    ids = {exercise.id for exercise in exercises_of(topic)}
    for entry in entries:
        if entry.exercise not in ids:
            raise LookupError(f"solutions/{topic}/mistakes speaks of {entry.exercise}, which is no exercise")
    return entries


def reference(exercise: Exercise) -> Callable[..., Any]:
    """Return the right answer to an exercise. Raise LookupError if none is written."""
    answers = references(exercise.lesson.topic)
    if exercise.name not in answers:
        raise _missing(exercise)
    return answers[exercise.name]


def reference_source(exercise: Exercise) -> str:
    """Return the text of the file that holds the right answer to an exercise. Raise LookupError if there is none."""
    path = _reference_file(exercise)
    if not path.exists():
        raise _missing(exercise)
    return path.read_text(encoding="utf-8")


def references(topic: str) -> dict[str, Any]:
    """Return the right answers of a notebook by name."""
    return dict(_references(topic))


@cache
def _references(topic: str) -> dict[str, Any]:
    """Run each answer of a notebook in a namespace of its own that holds the earlier ones, and return them by name."""
    answers: dict[str, Any] = {}
    for exercise in exercises_of(topic):
        path = _reference_file(exercise)
        if path.exists():
            scope = {**answers, "__name__": f"reference_{exercise.grade_id}"}
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), scope)
            if exercise.name in scope:
                answers[exercise.name] = scope[exercise.name]
    return answers


def _reference_file(exercise: Exercise) -> Path:
    return SOLUTIONS / exercise.lesson.topic / "reference" / f"{exercise.stem}.py"


def _missing(exercise: Exercise) -> LookupError:
    return LookupError(f"solutions/{exercise.lesson.topic}/reference defines no {exercise.name}")


def callable_of(source: str, exercise: Exercise) -> Callable[..., Any]:
    """Run a catalogue entry's source beside the notebook's references and return what it defines."""
    scope = {**_references(exercise.lesson.topic), "__name__": f"catalogue_{exercise.grade_id}"}
    exec(_compiled(source, f"<{exercise.id}>"), scope)
    return scope[exercise.name]


@lru_cache(maxsize=4096)
def _compiled(source: str, name: str) -> CodeType:
    return compile(source, name, "exec")
