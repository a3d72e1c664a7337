"""`grader demo`."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..quality.demo.roster import CLASS_SIZE, HOME, MOST, roster
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..engine.fork_server import Learners
    from ..marking.submission_task import Graded
    from ..quality.demo.run import Outcome
    from .terminal import Console

#: How many graded submissions are shown line by line; a progress bar stands for the others.
_SHOWN = 5


def demo(
    home: Annotated[Path | None, typer.Option("--class", help="Where to make it; build/demo by default.")] = None,
    students: Annotated[int, typer.Option(min=1, max=MOST, help="How many students the class has.")] = CLASS_SIZE,
) -> None:
    """Make a class of invented students, grade it, and hold every score against the one foretold."""
    needs_linux()
    typer.echo(f"An invented class of {students} hands in all notebooks; every score is compared with a prediction.")
    from .terminal import Console

    console = Console()
    started = time.monotonic()
    home = (home or HOME).resolve()
    home.mkdir(parents=True, exist_ok=True)
    from embedding_course.subject.lessons import topics

    from ..engine.fork_server import Learners

    with Learners(hidden=[home], topics=topics(), wait=False) as learners:  # they start while we import and write
        with console.status("loading"):
            from ..quality.demo.outcomes import by_kind, others, write
        _build_what_is_missing(console)
        outcomes = _run(home, roster(topics(), students), learners)
    with _nbgrader(home, "export"):
        pages, report = _pages(home)
    write(home / "foretold.csv", outcomes)
    console.print(by_kind(outcomes))
    wrong = others(outcomes)
    for sentence in wrong:
        typer.echo(f"✘ {sentence}")
    typer.echo(
        f"{len(outcomes)} submissions, {len(outcomes) - len(wrong)} with the foretold score, {len(wrong)} with another; "
        f"{time.monotonic() - started:.0f} s. Each is in {_near(home / 'foretold.csv')}."
    )
    typer.echo(f"Look next at the report   {_near(report)}")
    typer.echo(f"        at a feedback page {_near(pages[0])}")
    typer.echo(f"  and at the gradebook     {_near(home / 'gradebook.db')}, as a table {_near(home / 'grades.csv')}")
    raise typer.Exit(1 if wrong else 0)


def _run(home: Path, rows: list[tuple[str, str, str]], learners: Learners) -> list[Outcome]:
    """Make, grade and compare the class, with a bar for each of the three."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ..quality.demo.run import Heard, run
    from .grade import line_of
    from .terminal import Console

    columns = (TextColumn("{task.description:<9}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console()) as bar:
        tasks = {name: bar.add_task(name, total=None, start=False) for name in ("making", "grading", "foretelling")}

        def advance(name: str, count: int) -> None:
            bar.start_task(tasks[name])
            bar.update(tasks[name], advance=1, total=count)

        def graded(one: Graded, count: int) -> None:
            advance("grading", count)
            if bar.tasks[1].completed <= _SHOWN:
                bar.console.print(line_of(one), highlight=False, markup=False)

        heard = Heard(lambda count: advance("making", count), graded, lambda count: advance("foretelling", count))
        return run(home, heard, rows, learners)


def _pages(home: Path) -> tuple[list[Path], Path]:
    """Write the feedback pages and the report; return their paths."""
    from embedding_course.subject.lessons import topics

    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..report.class_page import write_report
    from .feedback import write_with_a_bar

    return write_with_a_bar(Classroom(home), load_course(home), topics()), write_report(home)


def _build_what_is_missing(console: Console) -> None:
    """Build notebooks and expectations that are not there. Whoever changed a lesson builds it with `grader build`."""
    from embedding_course.checking.expected import file_of
    from embedding_course.exercises import exercises_of
    from embedding_course.subject.lessons import topics

    from ..authoring.build import build
    from ..paths import NOTEBOOKS

    missing = [
        topic
        for topic in topics()
        if not (NOTEBOOKS / topic / f"{topic}.ipynb").exists()
        or not all(file_of(exercise).exists() for exercise in exercises_of(topic))
    ]
    if missing:
        with console.status(f"building {', '.join(missing)}"):
            build(missing)


@contextlib.contextmanager
def _nbgrader(home: Path, *words: str) -> Iterator[None]:
    """Run one of nbgrader's commands beside the body. End with exit code 1 if it fails."""
    command = [sys.executable, "-m", "nbgrader", *words]
    with subprocess.Popen(command, cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        yield
        _, errors = process.communicate()
    if process.returncode:
        for line in (f"nbgrader {' '.join(words)} failed:", *errors[-2000:].splitlines()):
            typer.echo(line, err=True)
        raise typer.Exit(1)


def _near(path: Path) -> str:
    """Return the path relative to the current folder if it lies in that folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
