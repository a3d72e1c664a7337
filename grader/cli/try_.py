"""`grader try`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .options import Seed
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..engine.fork_server import Learners


def try_(
    context: typer.Context,
    exercise: Annotated[str, typer.Argument(help="For example 07.split_heads; or a folder of answers, EXERCISE/*.py.")],
    file: Annotated[
        Path | None, typer.Argument(help="A Python file that defines the exercise's name, or a notebook that was handed in.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON (docs/result_schema.md).")] = False,
    seed: Seed = None,
    seeds: Annotated[int, typer.Option(help="Of a folder: under how many sets of hidden cases each file is tried.")] = 1,
) -> None:
    """Run any file through the hidden check. Exit 0 passed, 1 failed, 2 could not be tried.

    Of a folder every file is tried in one warm start, and with --json a line is printed for each file and seed.
    """
    needs_linux()
    from embedding_course.subject.errors import CourseError

    from ..quality.try_file import CannotTry

    try:
        passed = (
            _try_file(exercise, file, json, seed, context.obj)
            if file
            else _try_folder(Path(exercise), json, seed, seeds, context.obj)
        )
    except (CannotTry, CourseError) as error:
        if json:
            import msgspec

            typer.echo(msgspec.json.encode({"exercise": exercise, "error": str(error)}).decode())
        raise UserError(str(error)) from None
    raise typer.Exit(0 if passed else 1)


def _try_file(exercise: str, file: Path, json: bool, seed: int | None, shared: Learners | None) -> bool:
    import msgspec

    from embedding_course.checking.render import as_text
    from embedding_course.checking.seed import storable

    from ..quality.try_file import try_file

    result = try_file(exercise, file, seed, shared)
    typer.echo(msgspec.json.format(msgspec.json.encode(storable(result))).decode() if json else as_text(result))
    return result.passed


def _try_folder(folder: Path, json: bool, seed: int | None, seeds: int, shared: Learners | None) -> bool:
    import msgspec

    from embedding_course.checking.seed import storable

    from ..marking.hidden_check import fresh_seed
    from ..quality.try_file import CannotTry
    from ..quality.try_folder import try_folder

    if not folder.is_dir():
        raise CannotTry(f"Say which file answers {folder}, or give a folder of answers: there is no folder {folder}.")
    first = fresh_seed() if seed is None else seed
    passed, output = True, sys.stdout  # while a reference runs in a thread, prints of this process lead nowhere
    for line in try_folder(folder, range(first, first + seeds), shared):
        passed &= bool(line.get("passed"))
        typer.echo(msgspec.json.encode(storable(line)).decode() if json else _short(line), file=output)
    return passed


def _short(line: dict) -> str:
    if "error" in line:
        return f"{line['file']}: {line['error']}"
    name = f" ({line['mistake']})" if line["mistake"] else ""
    return f"{line['file']}: {line['status']}{name}, {line['score']:g} of {line['max_score']:g}, seed {line['seed']}"
