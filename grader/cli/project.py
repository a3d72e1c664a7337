"""`grader project`."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core

from ..errors import UserError
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..marking.project.grade import Result

_NAME = "search_engine"
_MAX_LINES = 40
_PRACTICE = (
    "These were the practice queries, which stand in the public repository: an engine can hold their answers. For marks, write "
    'queries of your own and name them in course.toml: [projects] queries = "queries.tsv"; grader project check-queries helps.'
)
_HELP = "Grade the project at the end, the search engines; look over a class's own hidden queries."


class _GradeByDefault(typer.core.TyperGroup):
    """`grader project FOLDER` is `grader project grade FOLDER`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help"):
            args = ["grade", *args]
        return super().parse_args(ctx, args)


project = typer.Typer(cls=_GradeByDefault, help=_HELP, no_args_is_help=True, add_completion=False)


@project.callback()
def group() -> None:
    """Grade the project at the end, the search engines; look over a class's own hidden queries."""


@project.command("check-queries")
def check_queries(
    file: Annotated[Path, typer.Argument(help="In each line: a query, a tab, the names of the documents that answer it.")],
    suggest: Annotated[int, typer.Option(min=0, help="How many further queries to suggest.")] = 10,
) -> None:
    """Look over a class's own hidden queries. Exit 0 nothing to mend, 1 something to mend, 2 the file cannot be used."""
    from ..marking.project.own_queries import MIN_QUERIES, look_over, read_queries, suggestions
    from ..marking.project.task import read_task

    task = read_task()
    count, remarks = look_over(file, task)
    usable = len(read_queries(file, task.names))
    for remark in remarks:
        typer.echo(f"{'✘' if remark.grave else '▲'} line {remark.line}: {remark.message}.")
    few = usable < MIN_QUERIES
    more = f": write at least {MIN_QUERIES}." if few else "."
    typer.echo(f"{count} queries, {usable} of them with an answer on this machine.")
    typer.echo(f"A share measured on {usable} has a standard error of up to {0.5 / usable**0.5:.2f}{more}")
    written = read_queries(file, task.names)
    for number, line in enumerate(itertools.islice(suggestions(task, suggest, written), suggest)):
        typer.echo(("\nQueries to write:\n" if number == 0 else "") + f"  {line}")
    raise typer.Exit(1 if remarks or few else 0)


@project.command("grade")
def grade(
    folders: Annotated[list[Path], typer.Argument(help="Folders with an engine.py, as submitted/*/search_engine.")],
    home: Annotated[Path, typer.Option("--class", help="The folder of the class, with its course.toml.")] = Path(),
    json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each engine.")] = False,
) -> None:
    """Grade search engines on hidden queries, between BM25 (half the points) and the course's own best (all of them).

    They count, and are kept in projects/, where course.toml says so in [projects]. Exit 2 when nothing can be graded.
    """
    needs_linux()
    import msgspec

    from ..classroom.policy.course import load_course
    from ..classroom.projects import save
    from ..marking.project.grade import grade_engines
    from .terminal import Console

    course = load_course(home.resolve())
    worth = course.projects.get(_NAME)
    for folder in folders:
        if not folder.is_dir():
            raise UserError(f"There is no folder {folder}.")
    results, console = [], Console(stderr=json)
    with console.status("asking BM25 and the course's own engine: half a minute"):
        for result in grade_engines(folders, course.queries, course.python):
            results.append(result)
            if json:
                typer.echo(msgspec.json.encode(result).decode())
    if not json:
        _show(results, worth)
    text = (
        f"It counts {worth:g} points in this class."
        if worth
        else f"It does not count: course.toml has no {_NAME} in [projects]."
    )
    typer.echo(text, err=json)
    if course.queries is None:
        typer.echo(_PRACTICE, err=True)
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
    numbers = ("recall@1", "MRR", "public", "seconds", "MiB", points)
    engine = Column("engine", overflow="fold", min_width=12)  # a name that is cut is nobody's
    table = Table(engine, *(Column(name, justify="right") for name in numbers))
    for result in results:
        table.add_row(
            _short(result.engine),
            f"{result.hidden.recall:.3f}",
            f"{result.hidden.mrr:.3f}",
            f"{result.public.recall:.2f}",
            f"{result.seconds:.1f}",
            f"{result.memory / 2**20:.0f}",
            f"{most * result.share:.2f} ± {most * result.share_error:.2f}",
        )
    console.print(table, highlight=False)
    for result in results[2:]:
        console.print(f"\n{result.engine}", highlight=False, markup=False)
        for line in _result_lines(result):
            console.print(Padding.indent(Text(line), 2))


def _short(engine: str) -> str:
    """Return the student of submitted/{student}/search_engine; any other folder as it is."""
    whole = Path(engine)
    return whole.parent.name if whole.name == _NAME and whole.parent.name else engine


def _result_lines(result: Result) -> list[str]:
    from ..submission.plain_file import one_line

    fault_lines = [result.fault] if result.fault else []
    if not result.tried:
        return [
            *fault_lines,
            "There is no tried.md: public queries that were missed are shown where a table says what was tried.",
        ]
    lines = [one_line(line, 160) for line in result.tried.splitlines()[:_MAX_LINES]]
    return [*fault_lines, *lines, *(f"missed: {miss.query} → {miss.first} ({_where(miss.rank)})" for miss in result.missed)]


def _where(rank: int) -> str:
    return f"right one at place {rank}" if rank else "right one not among the ten"
