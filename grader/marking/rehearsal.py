"""Look a notebook over as its grading would: the same rebuilding, the same process behind the same walls, public cases.

As a program (``python -m grader.marking.rehearsal FILE``) it writes what the run came to as JSON, for a learner's
own `doctor()`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.intake.cells import cells_of
from embedding_course.checking.intake.steps import Step
from embedding_course.checking.judge import stopped
from embedding_course.checking.result import Result
from embedding_course.errors import CourseError
from embedding_course.exercises import exercises_of
from embedding_course.learner.doctor.examine import compose
from embedding_course.learner.doctor.report import Finding, Report
from embedding_course.learner.doctor.run import Ran, error_finding, missing
from embedding_course.learner.doctor.saved import Saved, read
from embedding_course.learner.doctor.would_be_graded import Taken, take

from ..course_source.notebook import release, source
from ..engine.fork_server import Learners, Starter
from ..engine.learner import Crashed, OutOfTime, TimedOut
from ..engine.session import Session
from ..submission.read import Unreadable, read_notebook
from ..submission.rebuild import rebuild, runnable
from .hidden_check import ENDED

__all__ = ["examine_as_graded", "run_as_graded"]


def examine_as_graded(learners: Starter, saved: Saved) -> Report:
    """The report on a saved notebook. CourseError when its grading could not even read it."""
    ran, taken = run_as_graded(learners, saved)
    return compose(saved, taken, ran)


def run_as_graded(learners: Starter, saved: Saved) -> tuple[Ran, Taken]:
    """Rebuild the notebook, run its answers and the public checks; what that came to, and what was taken of the file."""
    topic = saved.lesson.topic
    ours = release(source(topic))
    try:
        rebuilt = rebuild(ours, read_notebook(saved.path), topic)
    except Unreadable as error:
        raise CourseError(f"{saved.path}: {error}.") from None
    taken = take(saved, cells_of(ours))
    steps = {step.source: step for step in taken.steps}
    ran = Ran(how=f"the grader's own process ({learners.level}: {learners.how})")
    with Session(learners, runnable(rebuilt)) as session:
        ran.results = [_check(session, exercise) for exercise in exercises_of(topic)]
    for step, said in session.raised.items():
        place = steps.get(step.source, Step(step.source, named="a cell of the lesson"))
        ran.findings.append(error_finding(place, said))
    for name, status in session.lost.items():
        cell = taken.choices[name].cell
        if cell is not None:
            ran.findings.append(Finding("lost", f"Running {cell.named}: {ENDED[status]}", cell.place))
    ran.cpu, ran.memory = session.spent, session.memory
    return ran, taken


def _check(session: Session, exercise: Exercise) -> Result:
    try:
        learner = session.open()
        result = learner.public(exercise)
        if result is None and exercise.name in session.lost:
            status = session.lost[exercise.name]
            return stopped(exercise, status, "raises", f"While its cell ran: {ENDED[status]}")
        return result or missing(exercise)
    except OutOfTime:
        return stopped(exercise, "timed out", "raises", "What came before used up the time that a submission has.")
    except (Crashed, TimedOut):
        status = learner.why()
        session.close()
        return stopped(exercise, status, "raises", f"In a public case: {ENDED[status]}")


def main() -> None:
    """Write the run as JSON. On one's own machine one's own file needs no walls."""
    saved = read(Path(sys.argv[1]))
    with Learners(trusted=True, topics=[saved.lesson.topic]) as learners:
        ran, _ = run_as_graded(learners, saved)
    sys.stdout.buffer.write(msgspec.json.encode(ran))


if __name__ == "__main__":
    main()
