"""`grader release`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["release"]


def release(
    out: Annotated[Path | None, typer.Option(help="Where to write; build/release unless said.")] = None,
) -> None:
    """Write the sealed student tree and its wheel: no solutions, no grader, no history."""
    from ..paths import BUILD
    from ..release import release as run

    try:
        tree, wheel = run(out or BUILD / "release")
    except subprocess.CalledProcessError:
        typer.echo("The tree is written, but its wheel could not be built: pip's own words stand above.", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"tree   {tree}\nwheel  {wheel}")
