"""Unfinished exercises, reported before a long command begins."""

import ast
import re
from collections.abc import Iterator, Sequence

from embedding_course.checking import expected
from embedding_course.exercises import exercises_of
from embedding_course.subject.errors import CourseError

from ..paths import ROOT, SOLUTIONS


class HalfMade(CourseError, LookupError):
    """An exercise that is not finished; the message says what is missing, and where."""


def look_for_half_made(topics: Sequence[str], *, built: bool = True) -> None:
    """Raise HalfMade, with a line for each thing that is missing, unless all exercises of these notebooks are finished.

    Looked at are files alone, and nothing is run: the right answer, the place in the lesson and, with `built`, what
    `grader build` writes.
    """
    lines = [line for topic in topics for line in _missing(topic, built)]
    if lines:
        raise HalfMade("\n".join(lines))


def _missing(topic: str, built: bool) -> Iterator[str]:
    lesson = SOLUTIONS / topic / "lesson.py"
    text = lesson.read_text(encoding="utf-8") if lesson.is_file() else ""
    placed = set(re.findall(r"""^# %%.*\bexercise=["']([\w.]+)["']""", text, re.MULTILINE))
    for exercise in exercises_of(topic):
        start = f"{exercise.id} is half made:"
        answer = SOLUTIONS / topic / "reference" / f"{exercise.stem}.py"
        if not answer.is_file():
            yield f"{start} its right answer is missing; write {answer.relative_to(ROOT)}."
        elif _is_stub(answer.read_text(encoding="utf-8")):
            yield f"{start} {answer.relative_to(ROOT)} still raises NotImplementedError; write the right answer."
        if exercise.id not in placed:
            yield (
                f'{start} no cell of {lesson.relative_to(ROOT)} has exercise="{exercise.id}"; add one, or take the exercise '
                "out of EXERCISES."
            )
        if built and not expected.file_of(exercise).exists():
            yield f"{start} it was never built; run grader build {exercise.number}."


def _is_stub(text: str) -> bool:
    """Return True if a function of the file does nothing but raise NotImplementedError, or the file cannot be parsed."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return False  # reported with its line when it is imported
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return any("NotImplementedError" in ast.dump(node.body[-1]) for node in functions if isinstance(node.body[-1], ast.Raise))
