"""`grader project`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..marking.project.grade import Result

__all__ = ["project"]

_NAME = "search_engine"
_MOST_LINES = 40


def project(
    folders: Annotated[list[Path], typer.Argument(help="Folders with an engine.py, as submitted/*/search_engine.")],
    home: Annotated[Path, typer.Option("--class", help="The folder of the class, with its course.toml.")] = Path(),
    json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each engine.")] = False,
) -> None:
    """Grade search engines on hidden queries, between BM25 (half the points) and the course's own best (all of them).

    They count, and are kept in projects/, where course.toml says so in [projects]. Exit 2 when nothing can be graded.
    """
    needs_linux()
    import msgspec

    from ..classroom.projects import save
    from ..engine.fork_server import NoSandbox
    from ..marking.project.grade import grade_engines
    from ..marking.project.points import NoAnchors
    from .course import course_of
    from .terminal import Console

    worth = course_of(home.resolve()).projects.get(_NAME)
    for folder in folders:
        if not folder.is_dir():
            _stop(f"There is no folder {folder}.")
    results, console = [], Console(stderr=json)
    try:
        with console.status("building BM25 and the course's own engine: two minutes of processor time"):
            for result in grade_engines(folders):
                results.append(result)
                if json:
                    typer.echo(msgspec.json.encode(result).decode())
    except (NoAnchors, NoSandbox) as error:
        _stop(f"{str(error)[0].upper()}{str(error)[1:]}.")
    if not json:
        _show(results, worth)
    said = (
        f"It counts {worth:g} points in this class."
        if worth
        else f"It does not count: course.toml has no {_NAME} in [projects]."
    )
    typer.echo(said, err=json)
    if worth:
        for folder, result in zip(folders, results[-len(folders) :], strict=True):
            student = _student(folder, home)
            if student:
                save(home.resolve(), _NAME, student, result)
            else:
                typer.echo(f"{folder} is nobody's: a submission lies in submitted/{{student}}/{_NAME}.", err=True)


def _student(folder: Path, home: Path) -> str:
    from ..classroom.class_folder import unfit

    whole = folder.resolve()
    mine = whole.name == _NAME and whole.parent.parent == (home / "submitted").resolve() and not unfit(whole.parent.name)
    return whole.parent.name if mine else ""


def _show(results: list[Result], worth: float | None) -> None:
    from rich.padding import Padding
    from rich.table import Column, Table
    from rich.text import Text

    from .terminal import Console

    console, most = Console(), worth or 1.0
    points = f"of {worth:g}" if worth else "share"
    numbers = ("recall@1", "MRR", "public", "answered", "seconds", "MiB", points)
    engine = Column("engine", overflow="fold", min_width=12)  # a name that is cut is nobody's
    table = Table(engine, *(Column(name, justify="right") for name in numbers))
    for one in results:
        table.add_row(
            _short(one.engine), f"{one.hidden.recall:.3f}", f"{one.hidden.mrr:.3f}", f"{one.public.recall:.2f}",
            f"{one.answered}/{one.asked}", f"{one.seconds:.1f}", f"{one.memory / 2**20:.0f}", f"{most * one.share:.2f}",
        )  # fmt: skip
    console.print(table, highlight=False)
    for one in results[2:]:
        console.print(f"\n{one.engine}", highlight=False, markup=False)
        for line in _told(one):
            console.print(Padding.indent(Text(line), 2))


def _short(engine: str) -> str:
    """The student of submitted/{student}/search_engine; any other folder as it is."""
    whole = Path(engine)
    return whole.parent.name if whole.name == _NAME and whole.parent.name else engine


def _told(one: Result) -> list[str]:
    from ..submission.one_line import one_line

    said = [one.fault] if one.fault else []
    if not one.tried:
        return [*said, "There is no tried.md: public queries that were missed are shown where a table says what was tried."]
    lines = [one_line(line, 160) for line in one.tried.splitlines()[:_MOST_LINES]]
    return [*said, *lines, *(f"missed: {miss.query} → {miss.first} ({_where(miss.rank)})" for miss in one.missed)]


def _where(rank: int) -> str:
    return f"right one at place {rank}" if rank else "right one not among the ten"


def _stop(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(2)
