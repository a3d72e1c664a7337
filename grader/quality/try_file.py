"""Try one file as the answer to one exercise: a Python file, or a notebook that was handed in."""

from __future__ import annotations

import ast
from contextlib import nullcontext
from pathlib import Path

import msgspec

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.intake.statements import bound_names
from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of, find_exercise

from ..course_source.lesson import given_cells
from ..course_source.notebook import released
from ..course_source.prepared import PARSING
from ..engine.fork_server import Learners
from ..engine.learner_proxy import Crashed, Learner, TimedOut
from ..marking.hidden_check import check, check_with_blame, fresh_seed
from ..marking.mark import mark
from ..marking.reference_answers import Lender
from ..submission.read import Unreadable, read_notebook
from ..submission.rebuild import rebuild

__all__ = ["CannotTry", "try_file", "try_with"]


class CannotTry(Exception):
    """The file cannot be tried; the message says why and what to do."""


def _read(path: Path, exercise: Exercise) -> str:
    if not path.exists():
        raise CannotTry(f"There is no file {path}.")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CannotTry(f"{path} cannot be read as text: {error}.") from None
    try:
        with PARSING:
            ast.parse(text)
    except (SyntaxError, ValueError) as error:
        where = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else str(error)
        raise CannotTry(f"{path} is not valid Python ({where}); mend that first.") from None
    with PARSING:
        names = bound_names(text)
    if exercise.name not in names:
        raise CannotTry(f"{path} does not define `{exercise.name}`; {exercise.id} needs that name.")
    return text


def try_file(name: str, path: Path, seed: int | None = None, shared: Learners | None = None) -> Result:
    """Run the file behind the notebook's given cells and judge what it defines on hidden cases.

    Earlier exercises that the file calls and does not define are answered by the course's own; one that it defines wrongly
    costs this exercise nothing.

    Parameters
    ----------
    name : str
        Id or name of the exercise.
    path : Path
        Python file or notebook. A notebook is run as grading runs it.
    seed : int, optional
        Seed of the hidden cases; by default a fresh one.
    shared : Learners, optional
        Learner processes to be reused, which stay open.
    """
    exercise = find_exercise(name)
    if path.suffix == ".ipynb":
        return _try_notebook(exercise, path, fresh_seed() if seed is None else seed, shared)
    _read(path, exercise)  # before anything is started
    with nullcontext(shared) if shared else Learners(topics=[exercise.lesson.topic]) as learners:
        return try_with(learners, exercise, path, fresh_seed() if seed is None else seed)


def _try_notebook(exercise: Exercise, path: Path, seed: int, shared: Learners | None) -> Result:
    """Try the answer that a notebook holds, in the state in which grading tries it."""
    topic = exercise.lesson.topic
    try:
        rebuilt = rebuild(released(topic), read_notebook(path), topic)
    except Unreadable as error:
        raise CannotTry(f"{path}: {error}.") from None
    with nullcontext(shared) if shared else Learners(topics=[topic]) as learners:
        marked = mark(learners, rebuilt, topic, seed, exercise.id)
    (result,) = marked.results
    return msgspec.structs.replace(result, message=" ".join([result.message, *marked.notes]))


def try_with(learners: Learners, exercise: Exercise, path: Path, seed: int) -> Result:
    """Run a file and judge it as `try_file` does.

    Parameters
    ----------
    learners : Learners
        Learner processes that are open already.
    exercise : Exercise
    path : Path
        Python file.
    seed : int
        Seed of the hidden cases.

    Raises
    ------
    CannotTry
        If the file does not finish running, ends its process or raises.
    """
    source = _read(path, exercise)
    cells = [*given_cells(exercise.lesson.topic), source]
    try:
        learner = learners.start(cells)
    except TimedOut:
        raise CannotTry(f"{path} does not finish running; is there a loop outside the function?") from None
    except Crashed:
        raise CannotTry(f"{path} ends its process when it is run; does it call exit?") from None
    with learner:
        if learner.errors[-1] is not None:
            problem = f"{path} raises {learner.errors[-1]} when it is run"
            raise CannotTry(f"{problem}; it must at least define `{exercise.name}`.")
        absent = [name for name in exercise.uses if name not in bound_names(source)]
        if absent:
            learner.lend(absent, Lender(exercise))
        failed = [] if absent else _failed_earlier(learner, exercise, seed)
        return check_with_blame(learner, exercise, seed, failed)


def _failed_earlier(learner: Learner, exercise: Exercise, seed: int) -> list[str]:
    by_name = {topic_exercise.name: topic_exercise for topic_exercise in exercises_of(exercise.lesson.topic)}
    return [name for name in exercise.uses if not check(learner, by_name[name], seed).passed]
