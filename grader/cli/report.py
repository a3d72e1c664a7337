"""`grader report`."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError
from .options import Db, Home, Section, gradebook_at


def report(
    notebook: Annotated[
        list[str] | None,
        typer.Option(
            "--notebook", help="About this one, by number or topic; may be given again. By default the one graded last."
        ),
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since", formats=["%Y-%m-%d"], help="About every notebook of which something was graded since that day."
        ),
    ] = None,
    term: Annotated[
        bool, typer.Option("--term", help="A report of the whole term: who falls behind over the weeks, sections, notebooks.")
    ] = False,
    exercises: Annotated[
        bool, typer.Option("--exercises", help="What the class shows of each exercise, without names: for its author.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="About all notebooks that were graded.")] = False,
    section: Section = "",
    home: Home = Path(),
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Numbers for names, no code: a page to show around.")] = False,
    db: Db = "",
) -> None:
    """Write the class report, one HTML page, and reports/talk.csv, the table of whom to talk to.

    It says who to talk to, what to teach again, what waits for a person, and which marks look doubtful. Exit 2 when nothing
    was graded.
    """
    from ..classroom.policy.course import load_course
    from ..report.class_page import write_report
    from ..report.scope import Asked
    from .options import chosen_of

    if term and (notebook or since or everything):
        raise UserError("--term is about all notebooks: leave out --notebook, --since and --all.")
    if exercises and (term or notebook or since or everything or section or anonymous):
        raise UserError("--exercises is about all that was graded, without names: leave out the other options.")
    course = load_course(home.resolve())
    asked = Asked(chosen_of(course, notebook) if notebook else (), since.date() if since else None, everything, section)
    try:
        if exercises:
            from ..report.author_page import write_author_page

            typer.echo(f"wrote {write_author_page(home.resolve(), gradebook_at(db), course)}")
            return
        if term:
            from ..report.term_page import write_term

            typer.echo(f"wrote {write_term(home.resolve(), gradebook_at(db), anonymous, course, section)}")
            return
        page = write_report(home.resolve(), gradebook_at(db), anonymous, course, asked)
    except (LookupError, ValueError) as error:
        raise UserError(str(error)) from None
    typer.echo(f"wrote {page}")
