"""`grader build`."""

from typing import Annotated

import typer

from .options import chosen_lessons
from .platform_needed import needs_linux


def build(
    topics: Annotated[list[str] | None, typer.Argument(help="Notebooks to build, by number or topic.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when anything is out of step.")] = False,
) -> None:
    """Make notebooks, nbgrader sources and shipped expectations from `solutions/`."""
    needs_linux()
    from rich import print as say

    from ..authoring import build as course
    from ..course_source.half_made import look_for_half_made
    from ..course_source.setting import read_setting

    read_setting()
    if check:
        sentences = course.out_of_step()
        for line in sentences:
            say(f"[red]out of step:[/red] {line}; run `grader build` and commit what it writes")
        if sentences:
            raise typer.Exit(1)
        say(f"{len(course.topics())} notebooks and their expectations are in step.")
        return
    chosen = chosen_lessons(topics)
    look_for_half_made(chosen, built=False)
    for path in course.build(chosen if topics else None):
        say(f"built {path.parent.name}")
