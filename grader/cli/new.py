"""`grader new`."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["new"]


def new(
    exercise: Annotated[str, typer.Argument(help="Notebook and name, for example 07.my_exercise.")],
) -> None:
    """Make the files of a new exercise. `grader audit` fails until answer, mistakes and right forms are written."""
    from ..authoring.scaffold import CannotMake, make
    from ..paths import ROOT

    try:
        made = make(exercise)
    except CannotMake as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    for path in made.files:
        typer.echo(f"wrote    {path.relative_to(ROOT)}")
    typer.echo(f"changed  {made.registered_in.relative_to(ROOT)}: it stands last in EXERCISES; keep the notebook's order")
    typer.echo(f"Add to {made.lesson.relative_to(ROOT)}, where it belongs in the notebook:\n\n{made.cell}")
    number = exercise[:2]
    typer.echo(
        f"Then fill the files (docs/writing_an_exercise.md) and run: grader build {number}, grader audit {exercise}. "
        "The audit, and `make test` with it, fail until five mistakes and three right forms are there and hold."
    )
