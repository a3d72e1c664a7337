"""`grader figures`."""

from typing import Annotated

import typer

from .options import chosen_lessons


def figures(
    topics: Annotated[list[str] | None, typer.Argument(help="Only these notebooks, for example 04.")] = None,
    language: Annotated[str, typer.Option("--language", help="The edition: en or zh.")] = "en",
) -> None:
    """Run the lessons with the reference answers; record the figures that wait for a learner's function in data/figures."""
    from ..authoring.recorded_figures import record

    for topic in chosen_lessons(topics):
        count, size = record(topic, language)
        typer.echo(f"{topic}: {count} figures, {size / 1000:.0f} kB")
