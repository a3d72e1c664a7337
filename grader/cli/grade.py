"""`grader grade`."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .grade_summary import Tally, close, name_absent, warn_of_newer
from .options import Db, Seed, gradebook_at
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from embedding_course.checking.exercise import Exercise

    from ..classroom.class_folder import Classroom
    from ..classroom.grade_record import GradeRecord
    from ..engine.fork_server import Learners
    from ..marking.run import Run
    from ..marking.submission_task import Graded

_ODD = {"crashed", "timed out", "out of memory", "flooded", "our fault"}


def grade(
    context: typer.Context,
    notebooks: Annotated[list[str] | None, typer.Argument(help="By number or topic; all by default.")] = None,
    home: Annotated[Path, typer.Option("--class", help="The folder that holds submitted/.")] = Path(),
    student: Annotated[str | None, typer.Option(help="Only this student.")] = None,
    exercise: Annotated[str | None, typer.Option(help="Only this exercise, as 01.one_hot; other marks stay.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Grade again what has not changed.")] = False,
    seed: Seed = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many at a time; as many as cores by default.")] = None,
    db: Db = "",
    runner: Annotated[str, typer.Option(help="engine; kernel runs the cells through nbclient.")] = "engine",
    scheduler: Annotated[str, typer.Option(help="A dask cluster that marks, as tcp://host:8786.")] = "",
    trust_submissions: Annotated[bool, typer.Option("--trust-submissions", help="Grade even without a sandbox.")] = False,
    log: Annotated[Path | None, typer.Option(help="Append a line for each submission to this file, for machines.")] = None,
    feedback: Annotated[bool, typer.Option("--feedback", help="Then write the feedback pages of what was graded.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Grade what arrives, one at a time, until Ctrl-C.")] = False,
    every: Annotated[float, typer.Option(min=0.1, help="With --watch: seconds between two looks.")] = 10.0,
    exchange: Annotated[bool, typer.Option("--exchange", help="With --watch: collect from nbgrader's exchange too.")] = False,
) -> None:
    """Grade submitted/{student}/{notebook}/ into the gradebook: what is new, or changed. Exit 2 when nothing can be done."""
    needs_linux()
    _look_for_writer(home.resolve())
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ..classroom.attempts import Attempts
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..classroom.records import open_log
    from ..course_source.half_made import look_for_half_made
    from ..marking.grade_class import grade_class
    from ..marking.run import Run
    from .options import chosen_of

    course = load_course(home.resolve())
    chosen = chosen_of(course, notebooks)
    look_for_half_made(chosen)
    only = _exercise(exercise, chosen)
    run = Run(
        seed=seed,
        force=force,
        student=student,
        exercise=only.id if only else None,
        workers=workers,
        trusted=trust_submissions,
        runner=_runner(runner),
        scheduler=scheduler,
    )
    if only:
        chosen = [only.lesson.topic]
        if only.id in course.terms_of(only.lesson.topic).dropped:
            raise UserError(f"{only.id} is not counted in this class: its course.toml drops it.")
    classroom = Classroom(home.resolve(), gradebook_at(db))
    if exchange and not watch:
        raise UserError("--exchange goes with --watch; without it, grader collect --exchange comes first.")
    if watch:
        if force or only or scheduler or run.runner != "engine":
            raise UserError(
                "--watch goes without --force, --exercise, --scheduler and --runner: it grades what is new or changed, here."
            )
        _watch(context.obj, Watched(classroom, chosen, run, every, exchange, log, feedback))
        return
    there = {(submission.student, submission.topic) for submission in Attempts(classroom, course).everybody(chosen, student)}
    if not there and not list(classroom.misnamed(chosen, student)):
        raise UserError(
            f"Nothing to grade: {classroom.submitted} holds no {' or '.join(chosen)}. "
            "Submissions belong in submitted/{student}/{notebook}/{notebook}.ipynb."
        )
    tally = Tally()
    bar = Progress(TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    task = bar.add_task("grading")
    with _said_in_a_sentence(log), contextlib.ExitStack() as shown, open_log(log) as write_line:

        def begin(count: int) -> None:
            bar.update(task, total=count)
            if count:
                shown.enter_context(bar)

        for graded in grade_class(classroom, chosen, run, context.obj, course, begin):
            tally.add(graded)
            bar.advance(task)
            write_line(graded.record)
            bar.console.print(line_of(graded), highlight=False, markup=False)
    close(tally, len(there - tally.seen), force)
    if not scheduler:  # which Python its workers have, this machine cannot tell
        warn_of_newer(tally, course.python)
    if not student:
        name_absent(course, chosen, there)
    if feedback:
        from .feedback import write_with_a_bar

        pages = write_with_a_bar(classroom, course, chosen, (student,) if student else ())
        typer.echo(f"{len(pages)} feedback pages in {classroom.home / 'feedback'}.")
    typer.echo("Next: grader report." if feedback else "Next: grader feedback, then grader report.")


@contextlib.contextmanager
def _said_in_a_sentence(log: Path | None, go_on: str = "the same command goes on where this one stopped") -> Iterator[None]:
    """Print one sentence and set the exit code when an interrupt or a full disk ends a run."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"Ended half way. What is graded is kept, and {go_on}.", err=True)
        raise typer.Exit(130) from None
    except OSError as error:
        if log is not None and error.filename == str(log):
            raise UserError(f"The log {log} cannot be written ({error.strerror}).") from None
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            raise
        raise UserError(
            f"The disk is full or read-only ({error.filename}): make room and run it again; what is graded is kept."
        ) from None


@dataclass(frozen=True)
class Watched:
    """The options of `--watch`."""

    classroom: Classroom
    chosen: list[str]
    run: Run
    every: float
    exchange: bool
    log: Path | None
    feedback: bool


def _watch(shared: Learners | None, asked: Watched) -> None:
    """Grade what arrives until Ctrl-C, which says how to go on."""
    from ..classroom.exchange.settings import read_settings
    from ..classroom.records import open_log
    from .watch import Watching

    def pages(graded: Graded) -> None:
        from ..classroom.policy.course import load_course
        from ..feedback.write_pages import write_pages

        if asked.feedback:
            record = graded.record
            list(write_pages(asked.classroom, load_course(asked.classroom.home), [record.topic], (record.student,), 1))

    settings = read_settings(asked.classroom.home) if asked.exchange else None
    words = f"grader grade --watch{' --exchange' if asked.exchange else ''} --class {asked.classroom.home}"
    with _said_in_a_sentence(asked.log, f"{words} goes on"), open_log(asked.log) as write_line:
        watching = Watching(asked.classroom, asked.chosen, asked.run, asked.every, settings, line_of, write_line, pages)
        watching.start(shared)


def _look_for_writer(home: Path) -> None:
    """Look whether somebody writes to the class, before anything that takes seconds to load."""
    from ..classroom.only_writer import look_for_writer

    look_for_writer(home)


def _exercise(name: str | None, chosen: list[str]) -> Exercise | None:
    from embedding_course.exercises import find_exercise
    from embedding_course.subject.errors import CourseError

    if name is None:
        return None
    try:
        exercise = find_exercise(name)
    except CourseError as error:
        raise UserError(str(error)) from None
    if exercise.lesson.topic not in chosen:
        raise UserError(f"{name} is not in {' or '.join(chosen)}.")
    return exercise


def _runner(name: str) -> str:
    from ..marking.run import RUNNERS

    if name not in RUNNERS:
        raise UserError(f"There is no runner {name!r}; there are {', '.join(RUNNERS)}.")
    return name


def line_of(graded: Graded) -> str:
    """Return one submission as one line: whose, which, what it earned, and what was odd."""
    from embedding_course.checking.result import number

    record = graded.record
    where = f"{record.student:<16} {record.topic:<24}"
    if record.status != "graded":
        return f"{where} {record.status}: {record.reason}" + (f"  {graded.note}" if graded.note else "")
    odd = ", ".join(sorted({result.status for result in record.results} & _ODD))
    extra = f" and {number(record.extra)} extra" if record.extra else ""
    late = f"  {_late(record)}" if record.late else ""
    text = f"  {graded.note}" if graded.note else ""
    text = "  weighed anew, nothing was run" if graded.reweighed else text
    return f"{where} {number(record.score):>5} of {number(record.max_score)}{extra}{late}  {odd}".rstrip() + text


def _late(record: GradeRecord) -> str:
    from embedding_course.checking.result import number

    from ..classroom.policy.lateness import duration

    taken = f", −{number(100 * record.penalty)} %" if record.penalty else ""
    return f"{duration(timedelta(seconds=record.late))} late{taken}"
