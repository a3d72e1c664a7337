"""Run the relevant cells of a notebook in a fresh process, and start another process if a step ends it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ...checking.exercise import Exercise
from ...checking.intake.statements import definitions_only
from ...checking.intake.steps import Step
from ...checking.judge import stopped
from ...checking.result import Result, Status
from ...checking.submission_limits import CLOCK_SECONDS, OWN_SECONDS, SUBMISSION_SECONDS
from ...exercises import exercises_of
from ...messages import VARIABLE, Message, capitalised, edition
from ...subject.errors import CourseError
from .fresh import Event, Order
from .report import Finding

_HOW = Message("a fresh Python process")
#: A process that does not stop at its own time limit is killed after this many seconds.
_MAX_SECONDS = SUBMISSION_SECONDS + 2 * CLOCK_SECONDS


class RunOutcome(msgspec.Struct):
    """Hold the outcome of a run."""

    how: str = msgspec.field(default_factory=lambda: str(_HOW))
    findings: list[Finding] = []
    results: list[Result] = []
    cpu: float = 0.0
    slowest: float = 0.0
    memory: int = 0


def run(steps: Sequence[Step], topic: str) -> RunOutcome:
    """Run the steps and the public checks in a process of their own, in an empty folder.

    A check is made at its position; a failed check is repeated at the end, and the better result counts. A step that ends the
    process is reduced to its definitions, then left out, and a new process runs the rest.

    Raises
    ------
    CourseError
        If no process can be started at all.
    """
    return _Running(steps, topic).run()


class _Running:
    def __init__(self, steps: Sequence[Step], topic: str) -> None:
        self.steps = list(steps)
        self.exercises = {exercise.name: exercise for exercise in exercises_of(topic)}
        self.sources = [f"{step.source}\n{step.naming}" if step.naming else step.source for step in steps]
        self.attempted = {name for step in steps if step.kind == "answer" for name in step.answers}
        self.results: dict[str, Result] = {}
        self.ended: dict[str, Status] = {}
        self.ran = RunOutcome()
        self.own_seconds = 0.0

    def run(self) -> RunOutcome:
        """Run the steps until no step ends the process, and return the outcome."""
        reduced: set[int] = set()
        while (stopped_at := self._run_once()) is not None:
            kind, index, status = stopped_at
            if index < 0:
                raise CourseError(Message("No fresh Python process could be started here, so the notebook was not run."))
            if kind == "check":
                name = self._name_at(index)
                message = Message("Checking it ended the process ({reason}).", reason=_describe(status))
                self.results[name] = stopped(self.exercises[name], status, "raises", message)
                continue
            step = self.steps[index]
            self.sources[index] = "" if index in reduced else definitions_only(step.source)
            if index not in reduced:
                message = Message("Running {cell} ended the process ({reason}).", cell=step.named, reason=_describe(status))
                self.ran.findings.append(Finding("lost" if step.answers else "mind", str(message), step.number))
                self.ended.update(dict.fromkeys(step.answers, status))
            reduced.add(index)
        if self.own_seconds > OWN_SECONDS:
            message = Message(
                "Your own cells take {seconds:.0f} s of processor time. Grading gives them {limit:g} s together, and uses only "
                "the definitions, imports and constants of those that come later.",
                seconds=self.own_seconds,
                limit=OWN_SECONDS,
            )
            self.ran.findings.append(Finding("mind", str(message)))
        self.ran.results = [self._final(exercise) for exercise in self.exercises.values()]
        return self.ran

    def _run_once(self) -> tuple[str, int, Status] | None:
        """Run everything in one process. Return the step that ended it, or None."""
        checks = [step.answers[0] if step.kind == "check" else "" for step in self.steps]
        wanted = [self._id(name) if name and name not in self.results else "" for name in checks]
        self._again = [name for name in self.exercises if name not in self.results or self._may_improve(name)]
        order = Order(self.sources, wanted, [self._id(name) for name in self._again])
        for index, name in enumerate(checks):
            if name and not wanted[index]:
                order.sources[index] = ""
        events, code = _process(order)
        _measure(self.ran, events)
        self._note_errors(events)
        own = [
            event.seconds
            for event in events
            if event.kind == "cell" and self.steps[event.index].kind in ("own", "demonstration")
        ]
        self.own_seconds = max(self.own_seconds, sum(own))
        for event in events:
            if event.kind == "check":
                self._keep(self._name_at(event.index), event)
        stopped_at = _unfinished(events)
        if stopped_at is None:
            return None
        kind, index, late = stopped_at
        return kind, index, "timed out" if late else "out of memory" if code == -9 else "crashed"

    def _id(self, name: str) -> str:
        return self.exercises[name].id if name in self.exercises else ""

    def _name_at(self, index: int) -> str:
        """Return the exercise that is checked at a step or repeated after the last one."""
        return self.steps[index].answers[0] if index < len(self.steps) else self._again[index - len(self.steps)]

    def _may_improve(self, name: str) -> bool:
        result = self.results[name]
        return not result.passed and result.status not in ("timed out", "crashed", "out of memory")

    def _keep(self, name: str, event: Event) -> None:
        result = self._missing(name) if event.result is None else msgspec.convert(event.result, Result)
        before = self.results.get(name)
        if before is None or result.score > before.score or before.stage == "name missing":
            self.results[name] = result

    def _final(self, exercise: Exercise) -> Result:
        result = self.results.get(exercise.name) or self._missing(exercise.name)
        if exercise.name in self.ended and result.stage == "name missing":
            status = self.ended[exercise.name]
            message = Message("While its cell ran the process ended ({reason}).", reason=_describe(status))
            return msgspec.structs.replace(result, status=status, message=str(message))
        return result

    def _missing(self, name: str) -> Result:
        return missing(self.exercises[name], name in self.attempted)

    def _note_errors(self, events: list[Event]) -> None:
        """Record the errors of cells, once each; if a cell was tried again, its last error counts."""
        last = {event.index: event for event in events if event.kind == "cell"}
        for index, event in last.items():
            if event.error:
                finding = error_finding(self.steps[index], event.error, event.line)
                if finding not in self.ran.findings:
                    self.ran.findings.append(finding)


def too_long(step: Step) -> str:
    """Return the message for an own cell of which only the definitions ran, because the time was used up."""
    message = Message(
        "{cell} came after your own cells had used up their {limit:g} s of processor time: only its definitions, imports and "
        "constants were used."
    )
    return capitalised(message.fill(cell=step.named, limit=OWN_SECONDS))


def error_finding(step: Step, error: str, line: int = 0) -> Finding:
    """Return the finding for a cell that raised, with the line of the cell.

    In the cell of an answer the error may come after the definition and cost no points.
    """
    message = Message("{cell} raises when it runs from nothing: {error}", cell=step.named, error=error)
    if line:
        message = Message("{cell} raises when it runs from nothing: {error} (line {line})", **message.slots, line=line)
    return Finding("mind", capitalised(message), step.number)


def missing(exercise: Exercise, attempted: bool) -> Result:
    """Return the result for an exercise whose name is undefined after all cells have run.

    `attempted` is true if a cell of the notebook answers the exercise.
    """
    message = Message("After all cells that count have run there is no `{name}`: its cell is missing, or failed.")
    message = message.fill(name=exercise.name)
    return stopped(exercise, "cell failed" if attempted else "not attempted", "name missing", message)


def _describe(status: Status) -> Message:
    return {
        "timed out": Message("it did not come back in time"),
        "out of memory": Message("it was ended from outside, mostly for want of memory"),
    }.get(status, Message("does something call exit?"))


def _process(order: Order) -> tuple[list[Event], int]:
    package = str(Path(__file__).resolve().parents[3])
    paths = [package, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    with tempfile.TemporaryDirectory(prefix="doctor-") as folder:
        settings = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
            "MPLBACKEND": "Agg",
            "OMP_NUM_THREADS": "1",
            "EMBEDDING_COURSE_STATE": folder,
            "IPYTHONDIR": folder,
            "PYTHONIOENCODING": "utf-8",
            VARIABLE: edition(),
        }
        settings.pop("JPY_SESSION_NAME", None)  # No notebook is open in the new process.
        command = [sys.executable, "-P", "-m", "embedding_course.learner.doctor.fresh"]
        try:
            done = subprocess.run(
                command, input=msgspec.json.encode(order), capture_output=True, cwd=folder, env=settings, timeout=_MAX_SECONDS
            )
            output, code = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            output, code = late.stdout or b"", 0
        except OSError as error:
            message = Message("No fresh Python process could be started here ({reason}).", reason=error.strerror)
            raise CourseError(message) from None
    events = []
    for line in output.splitlines():
        try:
            events.append(msgspec.json.decode(line, type=Event))
        except msgspec.DecodeError:
            continue  # The last line of a killed process may be incomplete.
    return events, code


def _measure(ran: RunOutcome, events: list[Event]) -> None:
    done = [event for event in events if event.kind in ("cell", "check")]
    ran.cpu += sum(event.seconds for event in done)
    ran.slowest = max([ran.slowest, *(event.seconds for event in done)])
    ran.memory = max([ran.memory, *(event.memory for event in events)])


def _unfinished(events: list[Event]) -> tuple[str, int, bool] | None:
    """Return the step that began and did not finish: its kind, its index, and whether it exceeded its time limit."""
    if not events:
        return "start", -1, False
    last = events[-1]
    if last.kind == "late":
        begun = [event for event in events if event.kind == "begin"][-1]
        return begun.error, begun.index, True
    if last.kind == "begin" and last.index >= 0:
        return last.error, last.index, False
    return None
