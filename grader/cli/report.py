"""`grader report`."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from .gradebook_option import Db, gradebook_at


def report(
    notebook: Annotated[
        list[str] | None,
        typer.Option(
            "--notebook", help="About this one, by number or topic; may be given again. The one graded last unless said."
        ),
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since", formats=["%Y-%m-%d"], help="About every notebook of which something was graded since that day."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="About all notebooks that were graded.")] = False,
    home: Annotated[Path, typer.Option("--class", help="The folder of the class.")] = Path(),
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Numbers for names, no code: a page to show around.")] = False,
    db: Db = "",
) -> None:
    """Write the class report, one HTML page: who to talk to, what to teach again, what waits for a person, which marks look
    doubtful. Exit 2 when nothing was graded."""
    from ..report.class_page import write_report
    from ..report.scope import Asked
    from .course import chosen_of, course_of

    course = course_of(home.resolve())
    asked = Asked(chosen_of(course, notebook) if notebook else (), since.date() if since else None, everything)
    try:
        page = write_report(home.resolve(), gradebook_at(db), anonymous, course, asked)
    except (LookupError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    typer.echo(f"wrote {page}")
