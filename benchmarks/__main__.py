"""`python -m benchmarks`, which `make bench` runs: measure everything and write the page."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.platform_needed import needs_linux


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Small classes: a first impression in a few minutes.")] = False,
    notebooks: Annotated[bool, typer.Option("--notebooks", help="Only what the notebooks themselves cost.")] = False,
    write: Annotated[bool, typer.Option(help="Rewrite docs/benchmarks.md with what was measured.")] = True,
) -> None:
    """Measure how fast grading is here, beside plain nbgrader, and write docs/benchmarks.md."""
    needs_linux()
    from embedding_course.subject.lessons import topics
    from grader.cli.terminal import Console
    from grader.paths import ROOT

    from . import benchmarks_page as page
    from . import encoders
    from . import measurements as sides
    from .steadiness import carried_over

    console = Console(stderr=True)
    path = ROOT / "docs" / "benchmarks.md"
    written = topics()
    few = written[:3]
    sizes = (10, 60) if quick else (10, 100, 3000)
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as name, console.status("measuring") as status:
        folder = Path(name)

        speeds: dict[str, float] = {}

        def now(what: str) -> Path:
            status.update(what)
            console.print(what)
            speeds[what] = sides.counting()
            subfolder = folder / what.replace(" ", "-")
            subfolder.mkdir()
            return subfolder

        if notebooks:
            text = page.lessons(sides.lessons(now("notebooks"), written), alone=True)
            typer.echo(text)
            if write:
                _write(page.with_section(path.read_text(encoding="utf-8"), text), path)
            return
        figures = page.Figures(
            stock={topic: sides.stock(now(f"plain nbgrader {topic}"), topic, (1, 4), whole=False) for topic in few},
            stock_whole={topic: sides.stock(now(f"plain nbgrader whole {topic}"), topic, (1, 2), whole=True) for topic in few},
            ours=sides.ours(now("marks"), few, (4, 12) if quick else (40, 120)),
            bound=sides.bound(now("the bound"), few, 4 if quick else 12),
            second_core=sides.second_core(),
            two_workers=sides.two_workers(now("two workers"), few[1], (8, 40) if quick else (8, 120)),
            cluster=sides.on_a_cluster(now("a cluster"), few[1], (8, 40) if quick else (8, 120)),
            growth=sides.growth(now("larger classes"), few[1], sizes),
            lessons=sides.lessons(now("notebooks"), written),
            speeds=speeds,
        )
    text = page.with_section(page.page(figures), encoders.section())
    typer.echo(text)
    if write and not quick:
        _write(carried_over(path.read_text(encoding="utf-8"), text), path)


def _write(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")
    typer.echo("Written to docs/benchmarks.md.")


if __name__ == "__main__":
    typer.run(bench)
