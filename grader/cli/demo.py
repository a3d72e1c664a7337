"""`grader demo`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from .platform_needed import needs_linux

__all__ = ["demo"]


def demo(
    home: Annotated[Path | None, typer.Option("--class", help="Where to make it; build/demo unless said.")] = None,
    feedback: Annotated[bool, typer.Option(help="Also write the feedback pages.")] = True,
) -> None:
    """Make a class of invented students, grade it, and hold every score against the one foretold."""
    needs_linux()
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from embedding_course.lessons import topics

    from ..authoring.build import build
    from ..demo.outcomes import by_kind, others, write
    from ..demo.run import HOME, run
    from ..report.class_page import write_report

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
    write(home / "foretold.csv", outcomes)
    console.print(by_kind(outcomes))
    wrong = others(outcomes)
    for sentence in wrong:
        typer.echo(f"✘ {sentence}")
    typer.echo(
        f"{len(outcomes)} submissions, {len(outcomes) - len(wrong)} with the foretold score, {len(wrong)} with another; "
        f"{time.monotonic() - started:.0f} s. Each is in {_near(home / 'foretold.csv')}."
    )
    typer.echo(f"Look next at {_near(page)}, then at {_near(home / 'feedback')} and {_near(home / 'grades.csv')}.")
    raise typer.Exit(1 if wrong else 0)


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
