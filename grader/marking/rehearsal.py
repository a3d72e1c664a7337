"""Look a notebook over as its grading would: the same order of cells, the same sandboxed process, public cases.

As a program (``python -m grader.marking.rehearsal FILE``) it writes the outcome of the run as JSON, for a learner's
own `doctor()`.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.intake.cells import cells_of
from embedding_course.checking.judge import stopped
from embedding_course.checking.result import Result, Status
from embedding_course.exercises import exercises_of
from embedding_course.learner.doctor.examine import compose
from embedding_course.learner.doctor.report import Finding, Report
from embedding_course.learner.doctor.run import RunOutcome, error_finding, missing, too_long
from embedding_course.learner.doctor.saved import Saved, read
from embedding_course.learner.doctor.would_be_graded import Taken, take
from embedding_course.messages import Message, edition, in_language
from embedding_course.subject.errors import CourseError

from ..course_source.notebook import released
from ..course_source.setup_cell import language_of
from ..engine.fork_server import Learners
from ..engine.forks import Starter
from ..engine.learner_proxy import Crashed, OutOfTime, TimedOut
from ..engine.session import Session
from ..submission.read import Unreadable, read_notebook
from ..submission.rebuild import rebuild, runnable
from .hidden_check import ENDED


@contextmanager
def in_language_of(saved: Saved) -> Iterator[None]:
    """Show messages in the language in which the notebook's learner reads, within the block."""
    with in_language(language_of(cell.source for cell in saved.code) or edition()):
        yield


def examine_as_graded(learners: Starter, saved: Saved) -> Report:
    """Return the report on a saved notebook.

    Raises
    ------
    CourseError
        If grading could not even read the notebook.
    """
    ran, taken = run_as_graded(learners, saved)
    return compose(saved, taken, ran)


def run_as_graded(learners: Starter, saved: Saved) -> tuple[RunOutcome, Taken]:
    """Rebuild the notebook, run it and make each public check at its cell.

    Returns the result, and what was taken of the saved notebook.
    """
    topic = saved.lesson.topic
    ours = released(topic, edition())
    try:
        rebuilt = rebuild(ours, read_notebook(saved.path), topic)
    except Unreadable as error:
        raise CourseError(f"{saved.path}: {error}.") from None
    taken = take(saved, cells_of(ours))
    how = Message("the grader's own process ({level}: {walls})", level=learners.level, walls=learners.how)
    ran = RunOutcome(how=str(how))
    with Session(learners, runnable(rebuilt)) as session:
        ran.results = _results(session, exercises_of(topic))
    for step, error_text in session.raised.items():
        ran.findings.append(error_finding(step, error_text))
    for step, status in session.ended.items():
        message = Message("Running {cell}: {fault}", cell=step.named, fault=ENDED[status])
        ran.findings.append(Finding("lost" if step.answers else "mind", str(message), step.number))
    ran.findings += [Finding("mind", too_long(step), step.number) for step in session.too_long]
    ran.cpu, ran.memory = session.spent, session.memory
    return ran, taken


def _results(session: Session, exercises: Sequence[Exercise]) -> list[Result]:
    """Return the public check of each exercise at its check cell; what does not pass is tried again at the end."""
    by_name = {exercise.name: exercise for exercise in exercises}
    results: dict[str, Result] = {}
    for position, step in enumerate(session.steps):
        if step.kind == "check" and step.answers[0] in by_name and step.answers[0] not in results:
            results[step.answers[0]] = _check(session, by_name[step.answers[0]], position)
    for name, exercise in by_name.items():
        if name not in results or not (results[name].passed or results[name].status in ENDED):
            again = _check(session, exercise, None)
            results[name] = again if name not in results or again.score > results[name].score else results[name]
    return [results[name] for name in by_name]


def _check(session: Session, exercise: Exercise, position: int | None) -> Result:
    """Make one public check in the state at a position, or in the final state."""
    learner = None
    try:
        learner = session.finish() if position is None else session.reach(position)
        result = learner.public(exercise)
        ended: Status | None = next((status for step, status in session.ended.items() if exercise.name in step.answers), None)
        if result is None and ended:
            return stopped(exercise, ended, "raises", Message("While its cell ran: {fault}", fault=ENDED[ended]))
        attempted = any(step.kind == "answer" and exercise.name in step.answers for step in session.steps)
        return result or missing(exercise, attempted)
    except OutOfTime:
        return stopped(exercise, "timed out", "raises", Message("What came before used up the time that a submission has."))
    except (Crashed, TimedOut):
        ending: Status = learner.why() if learner else "crashed"
        return stopped(exercise, ending, "raises", Message("In a public case: {fault}", fault=ENDED[ending]))


def main() -> None:
    """Write the run as JSON. It runs without a sandbox: the file is the user's own."""
    saved = read(Path(sys.argv[1]))
    with Learners(trusted=True, topics=[saved.lesson.topic]) as learners:
        ran, _ = run_as_graded(learners, saved)
    sys.stdout.buffer.write(msgspec.json.encode(ran))


if __name__ == "__main__":
    main()
