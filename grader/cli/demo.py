"""`grader demo`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..demo.roster import CLASS_SIZE, MOST, roster
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..marking.submission_task import Graded
    from .terminal import Console

#: So many graded submissions are shown line by line; the bar tells of the others.
_SHOWN = 5


def demo(
    home: Annotated[Path | None, typer.Option("--class", help="Where to make it; build/demo unless said.")] = None,
    students: Annotated[int, typer.Option(min=1, max=MOST, help="How many students the class has.")] = CLASS_SIZE,
) -> None:
    """Make a class of invented students, grade it, and hold every score against the one foretold."""
    needs_linux()
    typer.echo(f"An invented class of {students} hands in all notebooks; every score is held against one foretold.")
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from .terminal import Console

    console = Console()
    started = time.monotonic()
    with console.status("loading"):
        from embedding_course.subject.lessons import topics

        from ..classroom.class_folder import Classroom
        from ..classroom.policy.course import load_course
        from ..demo.outcomes import by_kind, others, write
        from ..demo.run import HOME, Heard, run
        from ..report.class_page import write_report
        from .feedback import write_with_a_bar
        from .grade import line_of
    home = (home or HOME).resolve()
    _build_what_is_missing(console)
    with Progress(TextColumn("{task.description:<9}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()) as bar:
        tasks = {name: bar.add_task(name, total=None, start=False) for name in ("making", "grading", "foretelling")}

        def advance(name: str, count: int) -> None:
            bar.start_task(tasks[name])
            bar.update(tasks[name], advance=1, total=count)

        def graded(one: Graded, count: int) -> None:
            advance("grading", count)
            if bar.tasks[1].completed <= _SHOWN:
                bar.console.print(line_of(one), highlight=False, markup=False)

        rows = roster(topics(), students)
        outcomes = run(home, Heard(lambda n: advance("making", n), graded, lambda n: advance("foretelling", n)), rows)
    pages = write_with_a_bar(Classroom(home), load_course(home), topics())
    with console.status("report and table of grades"):
        _nbgrader(home, "export")
        report = write_report(home)
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


def _nbgrader(home: Path, *words: str) -> None:
    command = [sys.executable, "-m", "nbgrader", *words]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
    if done.returncode:
        for line in (f"nbgrader {' '.join(words)} failed:", *done.stderr[-2000:].splitlines()):
            typer.echo(line, err=True)
        raise typer.Exit(1)


def _near(path: Path) -> str:
    """Return the path relative to the current folder if it lies in that folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
