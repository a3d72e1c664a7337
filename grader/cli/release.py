"""`grader release`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["release"]


def release(
    home: Annotated[
        Path | None, typer.Option("--class", help="A class: its notebooks, with its points and deadlines in them.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where to write; release/ in the class, else build/release, unless said.")
    ] = None,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Write the wheel of worked solutions instead, into build/solutions.")
    ] = False,
) -> None:
    """Write the sealed student tree and its wheel: no solutions, no grader, no history."""
    from ..classroom.release import release as run
    from ..paths import BUILD
    from .course import course_of

    if home is not None and not home.is_dir():
        typer.echo(f"There is no folder {home}: grader class new {home} makes a class.", err=True)
        raise typer.Exit(2)
    course = course_of(home.resolve()) if home else None
    try:
        if solutions:
            from ..classroom.solutions_wheel import solutions_wheel

            typer.echo(f"wheel  {solutions_wheel(out or BUILD / 'solutions')}\nIt holds every answer: keep it from a class.")
            return
        tree, wheel = run(out or (home / "release" if home else BUILD / "release"), course=course)
    except subprocess.CalledProcessError:
        typer.echo("The wheel could not be built: pip's own words stand above.", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"tree   {tree}\nwheel  {wheel}")
