"""Run what was taken of a notebook in a fresh process, and start another one where a step ended it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ...checking.exercise import Exercise
from ...checking.intake.statements import left_after
from ...checking.intake.steps import Step
from ...checking.judge import stopped
from ...checking.result import Result, Status
from ...checking.submission_limits import CLOCK_SECONDS, SUBMISSION_SECONDS
from ...errors import CourseError
from ...exercises import exercises_of
from .fresh import Event, Order
from .report import Finding

__all__ = ["Ran", "error_finding", "missing", "run"]

_HOW = "a fresh Python process"
#: Beyond this a process that does not answer to its own watch is ended from outside.
_WHOLE = SUBMISSION_SECONDS + 2 * CLOCK_SECONDS


class Ran(msgspec.Struct):
    """What a run came to."""

    how: str = _HOW
    findings: list[Finding] = []
    results: list[Result] = []
    cpu: float = 0.0
    slowest: float = 0.0
    memory: int = 0


def run(steps: Sequence[Step], topic: str) -> Ran:
    """Run the steps and the public checks in a process of their own, in an empty folder. Whatever ends that process costs
    the step at hand; the rest is run in a new one. CourseError when no process can be started at all."""
    ran = Ran()
    left, pending = list(steps), list(exercises_of(topic))
    told: set[str] = set()
    ended_before: set[tuple[str, ...]] = set()
    ended: dict[str, tuple[Status, str]] = {}
    while True:
        events, code = _process(
            Order([step.source for step in left], [step.undecorated for step in left], [exercise.id for exercise in pending])
        )
        _measure(ran, events)
        for event in _last_of_each(events, left):
            step = left[event.index]
            if event.error and step.named not in told:
                told.add(step.named)
                ran.findings.append(error_finding(step, event.error, event.line))
        checked = [event for event in events if event.kind == "check"]
        ran.results += [_result(pending[event.index], event) for event in checked]
        stopped_at = _unfinished(events)
        if stopped_at is None:
            break
        kind, index, late = stopped_at
        status: Status = "timed out" if late else "out of memory" if code == -9 else "crashed"
        if index < 0:
            raise CourseError("No fresh Python process could be started here, so the notebook was not run.")
        if kind == "cell":
            step = left[index]
            left = left_after(left, index, ended_before)
            ran.findings.append(Finding("lost", f"Running {step.named} ended the process ({_said(status)}).", step.place))
            for name in step.answers:
                ended[name] = (status, f"While its cell ran the process ended ({_said(status)}).")
            pending = pending[len(checked) :]
        else:
            exercise = pending[index]
            ran.results.append(stopped(exercise, status, "raises", f"Checking it ended the process ({_said(status)})."))
            pending = pending[index + 1 :]
        if not pending:
            break
    for place, result in enumerate(ran.results):
        name = result.exercise.split(".")[1]
        if name in ended and result.status == "not attempted":
            ran.results[place] = msgspec.structs.replace(result, status=ended[name][0], message=ended[name][1])
    return ran


def error_finding(step: Step, error: str, line: int = 0) -> Finding:
    """A statement that raised, in this line of it. In an answer's cell it may come after the definition, and cost nothing."""
    where = f" (line {step.line + line - 1})" if line else ""
    said = f"{step.named[0].upper()}{step.named[1:]} raises when it runs from nothing: {error}{where}"
    return Finding("mind", said, step.place)


def missing(exercise: Exercise) -> Result:
    """The verdict where nothing bears the exercise's name after all cells have run."""
    message = f"After all cells that count have run there is no `{exercise.name}`: its cell is missing, or failed."
    return stopped(exercise, "not attempted", "name missing", message)


def _said(status: Status) -> str:
    return {
        "timed out": "it did not come back in time", "out of memory": "it was ended from outside, mostly for want of memory",
    }.get(status, "does something call exit?")  # fmt: skip


def _process(order: Order) -> tuple[list[Event], int]:
    package = str(Path(__file__).resolve().parents[3])
    paths = [package, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    with tempfile.TemporaryDirectory(prefix="doctor-") as folder:
        settings = {
            **os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)), "MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1",
            "EMBEDDING_COURSE_STATE": folder, "IPYTHONDIR": folder, "PYTHONIOENCODING": "utf-8",
        }  # fmt: skip
        settings.pop("JPY_SESSION_NAME", None)  # no notebook is open there
        command = [sys.executable, "-P", "-m", "embedding_course.learner.doctor.fresh"]
        try:
            done = subprocess.run(
                command, input=msgspec.json.encode(order), capture_output=True, cwd=folder, env=settings, timeout=_WHOLE
            )
            said, code = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            said, code = late.stdout or b"", 0
        except OSError as error:
            raise CourseError(f"No fresh Python process could be started here ({error.strerror}).") from None
    events = []
    for line in said.splitlines():
        try:
            events.append(msgspec.json.decode(line, type=Event))
        except msgspec.DecodeError:
            continue  # the last line of a process that was cut off
    return events, code


def _measure(ran: Ran, events: list[Event]) -> None:
    done = [event for event in events if event.kind in ("cell", "check")]
    ran.cpu += sum(event.seconds for event in done)
    ran.slowest = max([ran.slowest, *(event.seconds for event in done)])
    ran.memory = max([ran.memory, *(event.memory for event in events)])


def _last_of_each(events: list[Event], steps: Sequence[Step]) -> list[Event]:
    """A cell that met a name not yet defined was tried again: what came last counts."""
    last = {event.index: event for event in events if event.kind == "cell" and event.index < len(steps)}
    return list(last.values())


def _unfinished(events: list[Event]) -> tuple[str, int, bool] | None:
    """The step that was begun and never came back: its kind, its index, and whether time was the reason."""
    if not events:
        return "start", -1, False
    last = events[-1]
    if last.kind == "late":
        begun = [event for event in events if event.kind == "begin"][-1]
        return begun.error, begun.index, True
    if last.kind == "begin" and last.index >= 0:
        return last.error, last.index, False
    return None


def _result(exercise: Exercise, event: Event) -> Result:
    return missing(exercise) if event.result is None else msgspec.convert(event.result, Result)
