"""`grader build`."""

from __future__ import annotations

from typing import Annotated

import typer

from .platform_needed import needs_linux

__all__ = ["build"]


def build(
    topics: Annotated[list[str] | None, typer.Argument(help="Notebooks to build, by number or topic.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when anything is out of step.")] = False,
) -> None:
    """Make notebooks, nbgrader sources and shipped expectations from `solutions/`."""
    needs_linux()
    from rich import print as say

    from embedding_course.lessons import lesson

    from ..authoring import build as course
    from ..course_source.setting import WrongSetting, read_setting

    try:
        read_setting()
    except WrongSetting as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    if check:
        said = course.out_of_step()
        for line in said:
            say(f"[red]out of step:[/red] {line}; run `grader build` and commit what it writes")
        if said:
            raise typer.Exit(1)
        say(f"{len(course.topics())} notebooks and their expectations are in step.")
        return
    for path in course.build([lesson(name).topic for name in topics or []] or None):
        say(f"built {path.parent.name}")
