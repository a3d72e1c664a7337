"""`check`: the instant answer in the learner's own kernel, from the public cases."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from ..checking import expected
from ..checking.exercise import Exercise
from ..checking.grammar import article
from ..checking.judge import judge, stopped
from ..checking.observation import Observation
from ..checking.observe import observe
from ..checking.render import counted, display, display_table
from ..checking.result import Result, earned, number
from ..checking.source.written import find_written
from ..checking.switches import as_at_the_start
from ..exercises import find_exercise, known
from ..subject.errors import CourseError
from ..subject.tensors import torch
from .failed_cells import misspelt, why_undefined
from .globals_named import globals_named
from .overheard import Overheard
from .own_answers import cell_of, keep
from .progress.record import load, record
from .stale import is_older_than_its_cell
from .still_running import still_running

__all__ = ["Points", "check", "public_result"]

_LOOK_UP = object()


class Points(float):
    """The points a check gave: its text is the number alone, so that stock nbgrader reads it as the score."""

    #: What was earned as extra credit, which the number leaves out.
    gain = 0.0

    def __repr__(self) -> str:
        return number(float(self))

    def _repr_html_(self) -> str:
        return counted(float(self), self.gain)


@as_at_the_start()
def public_result(exercise: Exercise, candidate: Callable[..., Any], heard: Overheard | None = None) -> Result:
    """Judge `candidate` on the public cases, without showing or recording anything. What it prints goes to `heard`."""
    shipped = expected.load(exercise)
    seen: list[Observation] = []
    with _one_thread():
        for case in shipped.cases:
            if heard is not None:
                heard.case = case.name
            seen.append(observe(exercise, candidate, case, heard=heard))
            raised = seen[-1].raised
            if raised and raised.of_a_stub and raised.own_cell:
                seen += [seen[-1]] * (len(shipped.cases) - len(seen))
                break
        return judge(
            exercise, shipped.cases, shipped.expected, seen, lambda: shipped.fingerprints,
            written=lambda: find_written(cell_of(candidate), exercise.name), pairs=lambda: shipped.pairs,
        )  # fmt: skip


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch compute in one thread, as the grader does: cases are small, and on a busy machine several threads wait for one
    another ten times as long as they compute."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@as_at_the_start()
def check(name: str | None = None, candidate: Any = _LOOK_UP) -> Points:
    """Check one exercise, or without arguments all those of the notebook that is open.

    `check("01.one_hot", one_hot)` checks that function; `check("01.one_hot")` looks the name up among those
    that the notebook has defined. The verdict is displayed; what is returned is the points.
    """
    scope = vars(sys.modules["__main__"])
    if name is None:
        return _check_all(scope)
    exercise = find_exercise(name)
    if candidate is _LOOK_UP:
        candidate = scope.get(exercise.name)
    heard = Overheard()
    result = _result(exercise, candidate, scope, heard)
    record(result)
    if result.passed:
        keep(exercise.id, candidate)
    display(result)
    heard.show(result.case)
    points = Points(result.score if exercise.core else 0.0)
    points.gain = 0.0 if exercise.core else result.score
    return points


def _result(exercise: Exercise, candidate: Any, scope: dict[str, Any], heard: Overheard | None = None) -> Result:
    if candidate is None:
        return _missing(exercise, scope)
    if not callable(candidate):
        kind = type(candidate).__name__
        message = f"`{exercise.name}` is {article(kind)}; a function or class was expected. Run its cell again."
        return stopped(exercise, "wrong", "type", message)
    if is_older_than_its_cell(candidate, exercise.name):
        message = (
            f"The cell with `{exercise.name}` stopped with an error when it ran last: what the kernel still holds is an "
            f"older one. {why_undefined(exercise.name)} Mend that, run the cell, and check again."
        )
        return stopped(exercise, "wrong", "raises", message)
    try:
        with still_running(f"`{exercise.name}`"):
            result = public_result(exercise, candidate, heard)
    except KeyboardInterrupt:
        raise CourseError(f"Stopped while `{exercise.name}` was tried; nothing was recorded.") from None
    return result if result.passed else _mention_earlier(exercise, result, scope)


def _missing(exercise: Exercise, scope: dict[str, Any]) -> Result:
    """Say why there is nothing to check, and what to do."""
    reason = why_undefined(exercise.name)
    if reason:
        message = f"{reason} Mend that, run the cell (Shift+Enter), then this one."
        return stopped(exercise, "wrong", "raises", message)
    other = misspelt(exercise.name, [name for name, value in scope.items() if getattr(value, "__module__", "") == "__main__"])
    if other and other not in {entry.name for entry in known().values()}:
        message = (
            f"There is no `{exercise.name}`, but your notebook defines `{other}`: call it `{exercise.name}`, then run its cell."
        )
        return stopped(exercise, "wrong", "name missing", message)
    if load().best.get(exercise.id, 0.0) >= exercise.points:
        again = "run its cell again, or all cells above this one (Run, Run All Above Selected Cell)"
        message = f"Your `{exercise.name}` was right before, and this kernel does not know it: {again}."
    else:
        message = f"There is no `{exercise.name}` yet: run the cell that defines it (Shift+Enter), then this one."
    return stopped(exercise, "not attempted", "name missing", message)


def _mention_earlier(exercise: Exercise, result: Result, scope: dict[str, Any]) -> Result:
    """When an earlier exercise that this one builds on fails too, say that it should be mended first."""
    if result.status == "not attempted":
        return result
    reached = _reached(exercise, scope)
    for name in exercise.uses:  # what they build on themselves stands before them
        earlier = scope.get(name)
        if name in reached and callable(earlier) and not public_result(find_exercise(name), earlier).passed:
            said = f"Your `{name}` is not right yet, and this exercise calls it"
            diagnosis = f"{said}; this may come of it. {result.diagnosis}" if result.diagnosis else ""
            return msgspec.structs.replace(result, blamed=name, diagnosis=diagnosis, next_step=f"{said}: mend that one first.")
    return result


def _reached(exercise: Exercise, scope: dict[str, Any]) -> set[str]:
    """The earlier exercises that an answer calls, itself or by way of another one."""
    found: set[str] = set()
    waiting = [exercise.name]
    while waiting:
        named = globals_named(scope.get(waiting.pop()))
        new = [name for name in exercise.uses if name in named and name not in found]
        found.update(new)
        waiting += new
    return found


def _check_all(scope: dict[str, Any]) -> Points:
    topics: dict[str, list[Exercise]] = {}
    for exercise in known().values():
        if callable(scope.get(exercise.name)):
            topics.setdefault(exercise.lesson.topic, []).append(exercise)
    if not topics:
        raise CourseError("Nothing to check yet: run the cells with the exercises first.")
    topic = max(topics, key=lambda entry: len(topics[entry]))
    results = []
    for exercise in (entry for entry in known().values() if entry.lesson.topic == topic):
        results.append(_result(exercise, scope.get(exercise.name), scope))
        record(results[-1])
        if results[-1].passed:
            keep(exercise.id, scope[exercise.name])
    display_table(results)
    return Points(earned(results))
