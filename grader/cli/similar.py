"""`grader similar`."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError
from .options import chosen_of


def similar(
    notebooks: Annotated[list[str] | None, typer.Argument(help="By number or topic; all by default.")] = None,
    home: Annotated[Path, typer.Option("--class", help="The folder that holds submitted/.")] = Path(),
    against: Annotated[
        list[Path] | None,
        typer.Option(help="The folder of another class, say last year's, to compare with; may be given again."),
    ] = None,
    most: Annotated[int, typer.Option("--pairs", min=1, help="How many pairs are shown.")] = 25,
) -> None:
    """Write a page of answers that are more alike than is usual: pairs to look at, never a verdict.

    Answers that equal a reference or right form that the course publishes are listed by themselves.
    """
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..report.similarity.similar_page import write_similar

    course = load_course(home.resolve())
    try:
        page, similar = write_similar(Classroom(home.resolve()), chosen_of(course, notebooks), most, course, against or ())
    except LookupError as error:
        raise UserError(str(error)) from None
    for line in similar.equal:
        counts = f"{len(line.students)} of {line.answered} answers equal"
        typer.echo(f"{line.exercise}: {counts} a form that the course publishes ({line.name}).")
    typer.echo(f"{similar.standing_out} pairs stand out; to look at, not to judge by. wrote {page}")
