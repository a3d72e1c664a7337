"""`grader site`."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError
from .options import chosen_lessons
from .platform_needed import needs_linux


def site(
    topics: Annotated[
        list[str] | None, typer.Argument(help="Lessons to show, by number or topic; all where none is named.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write it; what lies there is replaced.")] = None,
    languages: Annotated[str, typer.Option(help="Codes of its languages, with commas.")] = "en,zh",
    workers: Annotated[int, typer.Option(min=1, help="How many lessons run at a time.")] = 2,
) -> None:
    """Write the course as a site to read, without answers, into build/site."""
    needs_linux()
    from ..authoring.site.edition import EDITIONS
    from ..authoring.site.make_site import make_site
    from ..course_source.half_made import look_for_half_made
    from ..paths import BUILD

    chosen = chosen_lessons(topics)
    wanted = [code.strip() for code in languages.split(",")]
    if unknown := [code for code in wanted if code not in EDITIONS]:
        raise UserError(
            f"There is no site in the language {unknown[0]!r}; --languages takes {' and '.join(EDITIONS)}, with a comma."
        )
    look_for_half_made(chosen)
    target = out or BUILD / "site"
    target.parent.mkdir(parents=True, exist_ok=True)  # that it cannot be is known now, and not in eight minutes
    first = make_site(target, chosen, workers, announce=typer.echo, languages=wanted)
    typer.echo(f"wrote {len(chosen)} lessons and the pages in {' and '.join(wanted)}: open {first}")
