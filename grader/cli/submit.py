"""`grader submit`."""

from typing import Annotated

import typer

from ..errors import UserError
from .platform_needed import needs_linux


def submit(
    notebook: Annotated[str, typer.Argument(help="A notebook by number, as 03 (your copy in work/), or any file.")],
) -> None:
    """Look a notebook over and write it with a receipt into submissions/. Nothing is sent. Exit 0 written, 2 not possible."""
    needs_linux()
    from embedding_course.learner.doctor.report import panel
    from embedding_course.learner.doctor.saved import find
    from embedding_course.learner.submit import submission_panel, write
    from embedding_course.subject.errors import CourseError

    from ..engine.fork_server import Learners
    from ..marking.rehearsal import examine_as_graded, in_language_of

    try:
        saved = find(notebook)
        with in_language_of(saved):
            with Learners(trusted=True, topics=[saved.lesson.topic]) as learners:
                report = examine_as_graded(learners, saved)
            submission = write(saved, report)
            texts = panel(report, written=report.ready).text, submission_panel(submission, report).text
    except CourseError as error:
        raise UserError(str(error)) from None
    typer.echo("\n".join(texts))
