"""`grader demo`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from embedding_course.result import number

from ..demo.run import HOME, Outcome, run

__all__ = ["demo"]


def demo(
    home: Annotated[Path | None, typer.Option("--class", help="Where to make it; build/demo unless said.")] = None,
    feedback: Annotated[bool, typer.Option(help="Also write the feedback pages.")] = True,
) -> None:
    """Make a class of invented students, grade it, and hold every score against the one foretold."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ..build.course import build, topics
    from ..report.page import write_report

    home = (home or HOME).resolve()
    started = time.monotonic()
    console = Console()
    build()
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()) as bar:
        task = bar.add_task("grading", total=None)

        def advance(graded: object, count: int) -> None:
            bar.update(task, advance=1, total=count)

        outcomes = run(home, advance)
        if feedback:
            task = bar.add_task("feedback", total=len(topics()))
            for topic in topics():
                _nbgrader(home, "generate_feedback", topic, "--force")
                bar.update(task, advance=1)
    _nbgrader(home, "export")
    page = write_report(home)
    _print_table(console, outcomes)
    wrong = [one for one in outcomes if one.wrong]
    typer.echo(
        f"{len(outcomes)} submissions, {len(outcomes) - len(wrong)} with the foretold score, "
        f"{len(wrong)} with another; {time.monotonic() - started:.0f} s."
    )
    typer.echo(f"Look next at {_near(page)}, then at {_near(home / 'feedback')} and {_near(home / 'grades.csv')}.")
    raise typer.Exit(1 if wrong else 0)


def _print_table(console: Console, outcomes: list[Outcome]) -> None:
    """One line a student, one column a notebook: foretold and got, and what kind of submission it was."""
    shown = sorted({one.topic for one in outcomes})
    table = Table("student", *(topic[:2] for topic in shown), title="foretold → got (kind of submission)")
    cells = {(one.student, one.topic): one for one in outcomes}
    for student in sorted({one.student for one in outcomes}):
        row = []
        for one in (cells.get((student, topic)) for topic in shown):
            if one is None:
                row.append("")
                continue
            mark = f"✘ {', '.join(one.wrong)}" if one.wrong else "✔"
            row.append(f"{number(one.foretold)} → {number(one.score)} {mark} ({one.persona})")
        table.add_row(student, *row)
    console.print(table)


def _nbgrader(home: Path, *words: str) -> None:
    command = [sys.executable, "-m", "nbgrader", *words]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
    if done.returncode:
        typer.echo(f"nbgrader {' '.join(words)} failed:\n{done.stderr[-2000:]}", err=True)
        raise typer.Exit(1)


def _near(path: Path) -> str:
    """The path as seen from here, where that is shorter."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
