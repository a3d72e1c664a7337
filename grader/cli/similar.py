"""`grader similar`."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError
from .options import chosen_of


def similar(
    notebooks: Annotated[list[str] | None, typer.Argument(help="By number or topic; all unless said.")] = None,
    home: Annotated[Path, typer.Option("--class", help="The folder that holds submitted/.")] = Path(),
    most: Annotated[int, typer.Option("--pairs", min=1, help="How many pairs are shown.")] = 25,
) -> None:
    """Write a page of answers that are more alike than is usual: pairs to look at, never a verdict."""
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..report.similarity.likeness import write_similar

    course = load_course(home.resolve())
    try:
        page, count = write_similar(Classroom(home.resolve()), chosen_of(course, notebooks), most, course)
    except LookupError as error:
        raise UserError(str(error)) from None
    typer.echo(f"{count} pairs stand out; to look at, not to judge by. wrote {page}")
