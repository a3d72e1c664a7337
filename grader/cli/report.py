"""`grader report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .gradebook_option import Db, gradebook_at

__all__ = ["report"]


def report(
    home: Annotated[Path, typer.Option("--class", help="The folder of the class.")] = Path(),
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Numbers for names: a page to show around.")] = False,
    db: Db = "",
) -> None:
    """Write the class report, one HTML page: scores, mistakes, who needs help. Exit 2 when nothing was graded."""
    from ..report.class_page import write_report
    from .course import course_of

    course = course_of(home.resolve())
    try:
        page = write_report(home.resolve(), gradebook_at(db), anonymous, course)
    except (LookupError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    typer.echo(f"wrote {page}")
