"""`grader release`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["release"]


def release(
    out: Annotated[Path | None, typer.Option(help="Where to write; build/release unless said.")] = None,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Write the wheel of worked solutions instead, into build/solutions.")
    ] = False,
) -> None:
    """Write the sealed student tree and its wheel: no solutions, no grader, no history."""
    from ..paths import BUILD
    from ..release import release as run
    from ..solutions_wheel import solutions_wheel

    try:
        if solutions:
            typer.echo(f"wheel  {solutions_wheel(out or BUILD / 'solutions')}\nIt holds every answer: keep it from a class.")
            return
        tree, wheel = run(out or BUILD / "release")
    except subprocess.CalledProcessError:
        typer.echo("The wheel could not be built: pip's own words stand above.", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"tree   {tree}\nwheel  {wheel}")
