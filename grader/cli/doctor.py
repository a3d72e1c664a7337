"""`grader doctor`."""

from typing import Annotated

import typer

from ..errors import UserError
from .platform_needed import needs_linux
from .terminal import shown


def doctor(
    notebook: Annotated[str, typer.Argument(help="A notebook by number, as 03 (your copy in work/), or any file.")],
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Look a notebook over before it is handed in, as grading would. Exit 0 ready, 1 points would be lost, 2 not possible."""
    needs_linux()
    import msgspec

    from embedding_course.learner.doctor.report import panel
    from embedding_course.learner.doctor.saved import find
    from embedding_course.subject.errors import CourseError

    from ..engine.fork_server import Learners
    from ..marking.rehearsal import examine_as_graded, in_language_of

    try:
        saved = find(notebook)
        with in_language_of(saved):
            with Learners(trusted=True, topics=[saved.lesson.topic]) as learners:
                report = examine_as_graded(learners, saved)
            report = msgspec.structs.replace(report, file=shown(report.file))
            text = msgspec.json.format(msgspec.json.encode(report)).decode() if json else panel(report).text
    except CourseError as error:
        raise UserError(shown(error)) from None
    typer.echo(text)
    raise typer.Exit(0 if report.ready else 1)
