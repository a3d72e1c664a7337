"""`grader class forget`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ..errors import UserError
from .options import Db, Home, gradebook_at
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom


def forget(
    student: Annotated[str, typer.Argument(help="The name of the student's folder.")],
    home: Home = Path(),
    db: Db = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove one student from everything that the class keeps, copies included.

    Exit 1 when a copy could not be changed, 2 when nothing was changed.
    """
    needs_linux()
    from sqlalchemy.exc import DBAPIError

    from ..classroom.class_folder import Classroom
    from ..classroom.gradebook.address import shown
    from ..classroom.gradebook.ask import find_alembic
    from ..classroom.gradebook.book import BookClosed
    from ..classroom.gradebook.forget import copies, knows
    from ..classroom.gradebook.schema import misfit
    from ..classroom.only_writer import Busy, only_writer
    from ..classroom.student_files import traces

    find_alembic()
    classroom = Classroom(home.resolve(), gradebook_at(db))
    if not classroom.home.is_dir() or student in ("", ".", "..") or "/" in student or "\0" in student:
        raise UserError(f"There is no student {student!r} in {classroom.home}.")
    reason = misfit(classroom.db_url)
    if reason:
        raise UserError(f"The gradebook {shown(classroom.db_url)} {reason}; nothing was removed.")
    paths_by_kind = traces(classroom.home, student)
    try:
        known = knows(classroom.db_url, student)
    except DBAPIError as error:
        raise UserError(f"The gradebook cannot be read ({str(error.orig).splitlines()[0]}); nothing was removed.") from None
    old = list(copies(classroom.home))
    if not paths_by_kind and known is None and not old:
        raise UserError(f"There is nothing of {student!r} in {classroom.home}.")
    if not yes:
        where = [*paths_by_kind, *(["gradebook"] if known is not None else []), *(["backups"] if old else [])]
        typer.confirm(f"Remove {student} from {', '.join(where)}, for good?", abort=True)
    try:
        with only_writer(classroom.home):
            failed = _forget(classroom, student, known, old)
    except (Busy, BookClosed, OSError) as error:
        raise UserError(f"{student} could not be removed whole ({error}): run it again.") from None
    _tell_rest(classroom, student, bool(failed))


def _forget(classroom: Classroom, student: str, known: int | None, old: list[Path]) -> list[str]:
    """Remove the student, print what was removed, and return the copies that could not be changed."""
    from ..classroom.class_zip import BadBackup
    from ..classroom.gradebook.book import BookClosed
    from ..classroom.gradebook.forget import forget_in_book, forget_in_copy
    from ..classroom.student_files import leave_teams, pages_of_all, remove, traces, unnamed

    if forget_in_book(classroom.db_url, student):
        typer.echo(f"gradebook: {student} and {known or 0} submissions removed")
    changed, failed = 0, []
    for path in old:
        try:
            changed += forget_in_copy(path, student)
        except (BookClosed, BadBackup, OSError) as error:
            failed.append(path.name)
            typer.echo(f"! {path.relative_to(classroom.home)} was left as it is: {error}", err=True)
    if changed:
        typer.echo(f"backups: removed from {changed} of {len(old)} copies")
    paths_by_kind = traces(classroom.home, student)
    for kind, paths in paths_by_kind.items():
        typer.echo(f"{kind}: {remove(paths)} files removed")
    teams = leave_teams(classroom.home, student)
    if teams:
        typer.echo(f"teams: taken out of {teams} files of others")
    if unnamed(classroom.home, student):
        typer.echo("pseudonyms: 1 name removed")
    if paths_by_kind or known is not None:
        for kind, paths in pages_of_all(classroom.home).items():
            typer.echo(f"{kind}: {remove(paths)} files removed, since they speak of everybody")
    elif not changed and not failed:
        raise UserError(f"There is nothing of {student!r} in {classroom.home}.")
    return failed


def _tell_rest(classroom: Classroom, student: str, failed: bool) -> NoReturn:
    from ..classroom.student_files import still_named

    names = still_named(classroom.home, student)
    if names:
        typer.echo(f"Files of your own that still hold the name: {', '.join(names)}.")
    typer.echo("Next: grader report, and grader feedback --zip where you hand out archives, make the pages anew.")
    if failed:
        typer.echo("Delete the copies that were left as they are; they still hold the student.", err=True)
    raise typer.Exit(1 if failed else 0)
