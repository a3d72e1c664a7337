"""`grader grade`."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from ..store import Graded

__all__ = ["grade"]

_ODD = {"crashed", "timed out", "out of memory", "flooded", "our fault"}


def grade(
    notebooks: Annotated[list[str] | None, typer.Argument(help="By number or topic; all unless said.")] = None,
    home: Annotated[Path, typer.Option("--class", help="The folder that holds submitted/.")] = Path(),
    student: Annotated[str | None, typer.Option(help="Only this student.")] = None,
    exercise: Annotated[str | None, typer.Option(help="Only this exercise, as 01.one_hot; other marks stay.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Grade again what has not changed.")] = False,
    seed: Annotated[int | None, typer.Option(help="Repeat the hidden cases of an earlier run.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many at a time; as many as cores unless said.")] = None,
    db: Annotated[str, typer.Option(help="The gradebook, as postgresql://...; gradebook.db unless said.")] = "",
    runner: Annotated[str, typer.Option(help="engine; kernel or stock run the cells through nbclient.")] = "engine",
    scheduler: Annotated[str, typer.Option(help="A dask cluster that marks, as tcp://host:8786.")] = "",
    trust_submissions: Annotated[bool, typer.Option("--trust-submissions", help="Grade even without a sandbox.")] = False,
) -> None:
    """Grade submitted/{student}/{notebook}/ into the gradebook: what is new, or changed. Exit 2 when nothing can be done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ..classroom import Classroom
    from ..cluster import NoCluster
    from ..engine.learners import NoSandbox
    from ..grade import Run, grade_class, waiting
    from ..store import Busy

    chosen = _topics(notebooks)
    run = Run(
        seed=seed, force=force, student=student, exercise=_exercise(exercise, chosen), workers=workers,
        trusted=trust_submissions, runner=_runner(runner), scheduler=scheduler,
    )  # fmt: skip
    if exercise:
        chosen = [topic for topic in chosen if topic.startswith(exercise[:2])]
    room = Classroom(home.resolve(), db)
    there = len(list(room.submissions(chosen, student)))
    if not there:
        _stop(
            f"Nothing to grade: {room.submitted} holds no {' or '.join(chosen)}. "
            "Submissions belong in submitted/{student}/{notebook}/{notebook}.ipynb."
        )
    count = len(waiting(room, chosen, run))
    done: list[Graded] = []
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, disable=not count) as bar:
            task = bar.add_task("grading", total=count)
            for graded in grade_class(room, chosen, run):
                done.append(graded)
                bar.advance(task)
                bar.console.print(_line(graded), highlight=False, markup=False)
    except (Busy, NoCluster, NoSandbox) as error:
        _stop(f"{str(error)[0].upper()}{str(error)[1:]}.")
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            raise
        _stop(f"The disk is full or read-only ({error.filename}): make room and run it again; what is graded is kept.")
    _close(done, there - count)


def _topics(notebooks: list[str] | None) -> list[str]:
    from embedding_course.lessons import lesson

    from ..build.course import topics

    chosen = []
    for name in notebooks or topics():
        try:
            chosen.append(lesson(name).topic)
        except KeyError:
            _stop(f"There is no notebook {name!r}; there are {', '.join(topics())}.")
    return chosen


def _exercise(name: str | None, chosen: list[str]) -> str | None:
    from embedding_course.errors import CourseError
    from embedding_course.exercises import exercise as find

    if name is None:
        return None
    try:
        found = find(name)
    except CourseError as error:
        _stop(str(error))
    if found.lesson.topic not in chosen:
        _stop(f"{name} is not in {' or '.join(chosen)}.")
    return found.id


def _runner(name: str) -> str:
    from ..grade import RUNNERS

    if name not in RUNNERS:
        _stop(f"There is no runner {name!r}; there are {', '.join(RUNNERS)}.")
    return name


def _line(graded: Graded) -> str:
    from embedding_course.result import number

    record = graded.record
    where = f"{record.student:<16} {record.topic:<24}"
    if record.status != "graded":
        return f"{where} {record.status}: {record.reason}"
    odd = ", ".join(sorted({result.status for result in record.results} & _ODD))
    extra = f" and {number(record.extra)} extra" if record.extra else ""
    return f"{where} {number(record.score):>5} of {number(record.max_score)}{extra}  {odd}".rstrip()


def _close(done: list[Graded], before: int) -> None:
    """What the run comes to, and what to do next."""
    unreadable = sum(graded.record.status != "graded" for graded in done)
    if before:
        typer.echo(f"{before} already graded: the same file under the same checks (--force grades them again).")
    levels = ", ".join(sorted({graded.record.sandbox for graded in done} - {""}))
    typer.echo(f"{len(done) - unreadable} graded, {unreadable} unreadable." + (f" Sandbox {levels}." if levels else ""))
    ours = sorted({
        result.exercise for graded in done for result in graded.record.results if result.status == "our fault"
    })  # fmt: skip
    if ours:
        typer.secho(
            f"OUR FAULT: the grader or its own answer failed at {', '.join(ours)}. Where its answer failed, everybody has "
            "full marks; a submission said to have failed waits for you. Run `grader audit`, and tell the authors.",
            fg="red", bold=True, err=True,
        )  # fmt: skip
    kept = [graded for graded in done if not graded.record.stored]
    if kept:
        _stop(
            f"{len(kept)} results wait in results/: {kept[0].record.reason}. "
            "Run grader grade again once it can be written; nothing is marked twice."
        )
    typer.echo("Next: grader report, or nbgrader generate_feedback.")


def _stop(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(2)
