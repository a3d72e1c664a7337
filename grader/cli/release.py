"""`grader release`."""

import subprocess
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError
from .options import check_class


def release(
    notebooks: Annotated[list[str] | None, typer.Argument(help="With --to-exchange: which; all by default.")] = None,
    home: Annotated[
        Path | None, typer.Option("--class", help="A class: its notebooks, with its points and deadlines in them.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where to write; release/ in the class, else build/release, by default.")
    ] = None,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Write the wheel of worked solutions instead, into build/solutions.")
    ] = False,
    to_exchange: Annotated[
        bool, typer.Option("--to-exchange", help="Give the notebooks out through nbgrader's exchange instead.")
    ] = False,
) -> None:
    """Write the sealed student tree and its wheel: no solutions, no grader, no history."""
    from ..classroom.policy.course import load_course
    from ..classroom.release import release as run
    from ..paths import BUILD

    check_class(home)
    if to_exchange:
        _to_exchange((home or Path()).resolve(), notebooks)
        return
    if notebooks:
        raise UserError("A tree holds all notebooks of the class; single ones are released with --to-exchange.")
    course = load_course(home.resolve()) if home else None
    try:
        if solutions:
            from ..classroom.solutions_wheel import solutions_wheel

            typer.echo(f"wheel  {solutions_wheel(out or BUILD / 'solutions')}\nIt holds every answer: keep it from a class.")
            return
        tree, wheel = run(out or (home / "release" if home else BUILD / "release"), course=course)
    except subprocess.CalledProcessError:
        typer.echo("The wheel could not be built: pip's own words stand above.", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"tree   {tree}\nwheel  {wheel}")


def _to_exchange(home: Path, notebooks: list[str] | None) -> None:
    from ..classroom.exchange.outbound import release_notebooks
    from ..classroom.exchange.settings import read_settings
    from ..classroom.policy.course import load_course
    from .options import chosen_of

    course = load_course(home)
    chosen = chosen_of(course, notebooks)
    placed = release_notebooks(read_settings(home), course, chosen)
    for folder in placed:
        typer.echo(f"released  {folder}")
    typer.echo(f"Students get them by nbgrader fetch_assignment {chosen[0]}, or in JupyterLab's assignment list.")
