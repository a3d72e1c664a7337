"""`grader report-problem`."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError
from .platform_needed import needs_linux


def report_problem(
    context: typer.Context,
    exercise: Annotated[str, typer.Argument(help="Notebook and name, for example 03.renorm_rows.")],
    file: Annotated[Path, typer.Argument(help="The Python file that was refused, or whose verdict did not help.")],
) -> None:
    """Try a file on hidden cases and write the text for a report of a problem, ready to paste. Exit 2 when it cannot be tried.

    The text holds the verdict and the versions. It holds no hidden input, no expected value and nothing of the file itself.
    """
    needs_linux()
    from embedding_course.subject.errors import CourseError

    from ..quality.problem_text import problem_text
    from ..quality.try_file import CannotTry, try_file

    try:
        result = try_file(exercise, file, shared=context.obj)
    except (CannotTry, CourseError) as error:
        raise UserError(str(error)) from None
    typer.echo(problem_text(result))
