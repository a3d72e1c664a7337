"""`grader --course FOLDER …`: which course the command is about."""

from pathlib import Path
from typing import Annotated

import typer

from embedding_course.subject.course import VARIABLE, course, read_course
from embedding_course.subject.errors import CourseError

#: Commands about things that the course on embeddings alone has: its ledger, its figures, its site, its project.
_OURS_ALONE = ("bench", "claims", "curves", "figures", "project", "site")


def course_option(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Option("--course", help=f"The folder of another course; or say it by the variable {VARIABLE}.", metavar="FOLDER"),
    ] = None,
) -> None:
    # `grader.__main__` has read it already: here it is told of, and held against the course that this process serves.
    if folder is not None and read_course(folder).home != course().home:
        raise CourseError(f"This process serves the course “{course().subject.title}” already: --course comes first.")
    if context.invoked_subcommand in _OURS_ALONE and not course().ours:
        raise CourseError(f"grader {context.invoked_subcommand} serves the course on embeddings alone: leave --course out.")
