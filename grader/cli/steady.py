"""`grader steady`."""

from typing import Annotated

import typer

from .platform_needed import needs_linux


def steady(
    exercises: Annotated[list[str] | None, typer.Argument(help="Only these: 01.one_hot, or 01 for a notebook.")] = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many sets of fresh hidden cases each right form meets.")] = 200,
    jobs: Annotated[int | None, typer.Option(help="Processes; as many as cores unless said.")] = None,
) -> None:
    """Try every right form on many seeds, half with one thread, half with two: does a right answer ever fail? Exit 1 if so."""
    needs_linux()
    from embedding_course.exercises import named
    from embedding_course.subject.course import course

    from ..paths import ROOT
    from ..quality.bench.benchmarks_page import with_section
    from ..quality.steadiness import kept, section, steadiness

    names = [entry.id for entry in named(exercises or [])]
    page, failed = ROOT / "docs" / "benchmarks.md", False
    for entry in steadiness(names, range(5000, 5000 + seeds), jobs):
        typer.echo(f"{entry.exercise}: {entry.forms} right forms, {entry.checks:,} checks, {len(entry.failed)} failed")
        for sentence in entry.failed[:3]:
            typer.echo(f"  ✘ {sentence}")
        failed = failed or bool(entry.failed)
        if not course().ours:
            continue
        stands = kept(page.with_name("steadiness.json"), [entry], seeds)
        page.write_text(with_section(page.read_text(encoding="utf-8"), section(stands)), encoding="utf-8")
    if course().ours:
        typer.echo("Entered in docs/steadiness.json and docs/benchmarks.md.")
    raise typer.Exit(1 if failed else 0)
