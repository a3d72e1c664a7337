"""`grader try`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["try_"]


def try_(
    exercise: Annotated[str, typer.Argument(help="For example 07.split_heads.")],
    file: Annotated[Path, typer.Argument(help="A Python file or notebook that defines the exercise's name.")],
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON (docs/result_schema.md).")] = False,
    seed: Annotated[int | None, typer.Option(help="Repeat the hidden cases of an earlier run.")] = None,
) -> None:
    """Run any file through the hidden check. Exit 0 passed, 1 failed, 2 could not be tried."""
    import msgspec

    from embedding_course.errors import CourseError
    from embedding_course.render import as_text

    from ..candidate import CannotTry, try_file

    try:
        result = try_file(exercise, file, seed)
    except (CannotTry, CourseError) as error:
        if json:
            typer.echo(msgspec.json.encode({"exercise": exercise, "error": str(error)}).decode())
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    typer.echo(msgspec.json.format(msgspec.json.encode(result)).decode() if json else as_text(result))
    raise typer.Exit(0 if result.passed else 1)
