"""Mark one rebuilt notebook: run its answers, check each exercise, write the verdicts into it."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence

import msgspec
import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.judge import stopped
from embedding_course.checking.render import as_html, as_text, counted
from embedding_course.checking.result import Result, number
from embedding_course.exercises import exercises_of, find_exercise

from ..course_source.prepared import prepared
from ..engine.fork_server import Starter
from ..engine.patience import OutOfTime
from ..engine.session import Session
from ..submission.rebuild import notes_of, runnable
from .cell_errors import with_cell_errors
from .computed_key import with_computed_keys
from .hidden_check import ENDED, USED_UP, check_lent, check_with_blame

__all__ = ["mark", "write_verdicts"]


def mark(
    learners: Starter, notebook: NotebookNode, topic: str, seed: int, only: str | None = None, told: Sequence[Result] = ()
) -> list[Result]:
    """The hidden check of every exercise of a rebuilt notebook (or of `only` one), in its order. Nothing that the
    learner's code does ends it: a process that crashed or hung is replaced for the exercises that follow.

    For one alone, the earlier answers that it builds on are tried too, since what is wrong in them costs nothing there; but
    not those that ended a process in the last grading, whose verdicts are `told`: that may take as long as the whole.
    """
    results: list[Result] = []
    ended = {result.exercise: result for result in told if result.status in ENDED or result.blamed}
    with Session(learners, runnable(notebook)) as session:
        for exercise in exercises_of(topic) if only is None else _built_on(topic, only):
            if only not in (None, exercise.id) and exercise.id in ended:
                results.append(ended[exercise.id])
                continue
            failed = [one.exercise.split(".")[1] for one in results if not one.passed]
            results.append(_check(session, exercise, seed, failed))
            if results[-1].status in ENDED:
                session.close()
        wanted = [result for result in results if only in (None, result.exercise)]
        return with_computed_keys(session, wanted)  # when all else is done: it must cost no answer its time


def _built_on(topic: str, only: str) -> list[Exercise]:
    """One exercise and those that it builds on, in the notebook's order."""
    every = {exercise.name: exercise for exercise in exercises_of(topic)}
    wanted, found = [find_exercise(only).name], set[str]()
    while wanted:
        name = wanted.pop()
        if name in every and name not in found:
            found.add(name)
            wanted += every[name].uses
    return [exercise for name, exercise in every.items() if name in found]


def _check(session: Session, exercise: Exercise, seed: int, failed: Sequence[str]) -> Result:
    try:
        ready = prepared(exercise.id, seed)
        ready.expected  # noqa: B018 - computed here, so that a fault of ours is told from the learner's
    except Exception as error:
        said = f"Our own reference failed ({type(error).__name__}); this costs no mark. Please tell the authors."
        verdict = stopped(exercise, "our fault", "our fault", said, hidden=True, seed=seed)
        return msgspec.structs.replace(verdict, score=exercise.points)
    try:
        learner = session.open()
    except OutOfTime:
        return stopped(exercise, "timed out", "raises", USED_UP, hidden=True, seed=seed)
    result = check_with_blame(learner, exercise, seed, failed, ready)
    if result.stage == "name missing" and exercise.name in session.lost:
        status = session.lost[exercise.name]
        message = f"While its cell ran: {ENDED[status]}"
        return stopped(exercise, status, "raises", message, hidden=True, seed=seed)
    if result.status in ENDED and set(exercise.uses) & set(failed):
        session.close()  # a wrong `merge_pair` makes a right loop around it run for ever
        with contextlib.suppress(OutOfTime):
            result = check_lent(session.open(), exercise, seed, failed, result, ready)
    return with_cell_errors(result, exercise.name, session.raised)


def write_verdicts(notebook: NotebookNode, results: Sequence[Result], dropped: Collection[str] = ()) -> None:
    """Put each verdict and its points into the output of its check cell, where nbgrader looks for them. An exercise
    that the class `dropped` says so."""
    by_cell = {f"{result.exercise.replace('.', '-')}-check": result for result in results}
    uncounted = {f"{name.replace('.', '-')}-check" for name in dropped}
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id", "") in uncounted:
            cell.outputs = [
                _output("display_data", {"text/plain": "This exercise is not counted in your class."}),
                _output("execute_result", {"text/plain": "0"}, execution_count=1),
            ]
            cell.execution_count = 1
        result = by_cell.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
        if result is None:
            continue
        shown = {"text/plain": as_text(result), "text/html": as_html(result)}
        points = result.score if result.core else 0.0
        read = {"text/plain": number(points), "text/html": counted(points, 0.0 if result.core else result.score)}
        cell.outputs = [_output("display_data", shown), _output("execute_result", read, execution_count=1)]
        cell.execution_count = 1
    notes = notes_of(notebook)
    if notes:
        text = "**About this submission**\n\n" + "\n".join(f"- {note}" for note in notes)
        notebook.cells.insert(0, nbformat.v4.new_markdown_cell(text, id="about-this-submission"))


def _output(kind: str, data: dict[str, str], **more: int) -> NotebookNode:
    """As nbformat.v4.new_output, without its validation of what is known to be valid."""
    return NotebookNode({"output_type": kind, "data": NotebookNode(data), "metadata": NotebookNode(), **more})
