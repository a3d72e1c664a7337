"""`grader site`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .platform_needed import needs_linux

__all__ = ["site"]


def site(
    topics: Annotated[
        list[str] | None, typer.Argument(help="Lessons to show, by number or topic; all where none is named.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write it; what lies there is replaced.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many lessons run at a time.")] = 2,
) -> None:
    """Write the course as a site to read, without answers, into build/site."""
    needs_linux()
    from embedding_course.lessons import lesson
    from embedding_course.lessons import topics as written

    from ..paths import BUILD
    from ..site.make_site import make_site

    try:
        chosen = sorted({lesson(name).topic for name in topics}) if topics else written()
    except KeyError as error:
        raise typer.BadParameter(f"there is no lesson {error}; use 01 to 10") from None
    first = make_site(out or BUILD / "site", chosen, workers, told=typer.echo)
    typer.echo(f"wrote {len(chosen)} lessons and the pages: open {first}")
