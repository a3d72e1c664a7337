"""Try one file as the answer to one exercise."""

from __future__ import annotations

import ast
from pathlib import Path

from embedding_course.exercise import Exercise
from embedding_course.exercises import exercise as find
from embedding_course.exercises import exercises_of
from embedding_course.result import Result

from .build.lesson import given_cells
from .engine.learner import Crashed, Learner, TimedOut
from .engine.learners import Learners
from .hidden import check, check_with_blame, fresh_seed
from .lending import Lender

__all__ = ["CannotTry", "defined_names", "try_file"]


class CannotTry(Exception):
    """The file cannot be tried; the message says why and what to do."""


def defined_names(source: str) -> set[str]:
    """The names that a source text defines at its top level, branches and imports included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
    return names


def _read(path: Path, exercise: Exercise) -> str:
    if not path.exists():
        raise CannotTry(f"There is no file {path}.")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CannotTry(f"{path} cannot be read as text: {error}.") from None
    try:
        names = defined_names(text)
    except (SyntaxError, ValueError) as error:
        where = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else str(error)
        raise CannotTry(f"{path} is not valid Python ({where}); mend that first.") from None
    if exercise.name not in names:
        raise CannotTry(f"{path} does not define `{exercise.name}`; {exercise.id} needs that name.")
    return text


def try_file(name: str, path: Path, seed: int | None = None) -> Result:
    """Run the file behind the notebook's given cells and judge what it defines on hidden cases.

    Earlier exercises that the file calls and does not define are answered by the course's own; one that it defines
    wrongly costs this exercise nothing.
    """
    exercise = find(name)
    source = _read(path, exercise)
    seed = fresh_seed() if seed is None else seed
    with Learners(topics=[exercise.lesson.topic]) as learners:
        return _try(learners, exercise, source, seed, path)


def _try(learners: Learners, exercise: Exercise, source: str, seed: int, path: Path) -> Result:
    cells = [*given_cells(exercise.lesson.topic), source]
    try:
        learner = learners.start(cells)
    except TimedOut:
        raise CannotTry(f"{path} does not finish running; is there a loop outside the function?") from None
    except Crashed:
        raise CannotTry(f"{path} ends its process when it is run; does it call exit?") from None
    with learner:
        if learner.errors[-1] is not None:
            said = f"{path} raises {learner.errors[-1]} when it is run"
            raise CannotTry(f"{said}; it must at least define `{exercise.name}`.")
        absent = [entry for entry in exercise.uses if entry not in defined_names(source)]
        if absent:
            learner.lend(absent, Lender(exercise))
        failed = [] if absent else _failed_earlier(learner, exercise, seed)
        return check_with_blame(learner, exercise, seed, failed)


def _failed_earlier(learner: Learner, exercise: Exercise, seed: int) -> list[str]:
    by_name = {entry.name: entry for entry in exercises_of(exercise.lesson.topic)}
    return [name for name in exercise.uses if not check(learner, by_name[name], seed).passed]
