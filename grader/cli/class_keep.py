"""`grader class backup` and `grader class restore`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .options import Db, Home, gradebook_at
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom


def backup(
    file: Annotated[Path | None, typer.Argument(help="The zip file to write; one in backups/ by default.")] = None,
    home: Home = Path(),
    db: Db = "",
) -> None:
    """Write one zip file of the class: course.toml, roster, gradebook, results, submissions, feedback.

    Exit 2 when it cannot be done.
    """
    needs_linux()
    from ..classroom.class_folder import Classroom
    from ..classroom.class_zip import is_class

    classroom = Classroom(home.resolve(), gradebook_at(db))
    if not is_class(classroom.home):
        raise UserError(f"There is no class in {classroom.home}.")
    if file is not None and file.exists():
        raise UserError(f"{file} is there already; say another name.")
    with _locked(classroom):
        target, count = _pack(classroom, file)
    typer.echo(f"wrote {target}: {count} files. It holds names and grades: keep it where only you can read it.")
    if not classroom.db_url.startswith("sqlite:///"):
        from ..classroom.gradebook.address import shown

        text = f"The gradebook {shown(classroom.db_url)} is not in it and is left alone"
        typer.echo(f"{text}: pg_dump DATABASE > gradebook.sql keeps it.")


def restore(
    file: Annotated[Path, typer.Argument(help="A zip file that grader class backup wrote.")],
    home: Annotated[Path, typer.Option("--class", help="The folder of the class, or an empty one.")] = Path(),
    db: Db = "",
) -> None:
    """Bring a class back from a zip file.

    What the folder holds of a class is put into another zip file first. Exit 2 when it cannot be done; then nothing was
    changed.
    """
    needs_linux()
    from ..classroom.class_folder import Classroom
    from ..classroom.class_zip import BadBackup, is_class, label_of, restore

    classroom = Classroom(home.resolve(), gradebook_at(db))
    if classroom.home.exists() and not classroom.home.is_dir():
        raise UserError(f"{classroom.home} is no folder.")
    there = is_class(classroom.home)
    if not there and classroom.home.exists() and any(path.resolve() != file.resolve() for path in classroom.home.iterdir()):
        raise UserError(f"{classroom.home} is neither empty nor a class; say another folder with --class.")
    try:
        label = label_of(file)
        with _locked(classroom) if there else contextlib.nullcontext():
            if there:
                typer.echo(f"What is there now is kept in {_kept_before(classroom.home, label.rosters)}.")
            restore(file, classroom.home)
    except BadBackup as error:
        raise UserError(f"{error}; nothing was changed.") from None
    except OSError as error:
        raise UserError(f"The class cannot be written ({error.strerror or error}); what was there is as it was.") from None
    typer.echo(f"{classroom.home} is the class again as it was at {label.made}.")
    if label.book == "elsewhere":
        typer.echo(
            "Its gradebook was in PostgreSQL and is not in the file; it is left alone: psql brings back what pg_dump wrote."
        )
    elif classroom.db:
        typer.echo("The gradebook that --db names is left alone: pg_dump keeps one in PostgreSQL, psql brings it back.")


def _pack(classroom: Classroom, file: Path | None) -> tuple[Path, int]:
    """Write the zip file and return its path and the number of files in it."""
    from ..classroom.gradebook.schema import copy_of
    from ..classroom.policy.course import load_course
    from ..classroom.talk_table import TALK

    course = load_course(classroom.home)
    for path in course.rosters:
        if not path.resolve().is_relative_to(classroom.home):
            typer.echo(f"The roster {path.resolve()} lies outside the class and is not in the file.")
    book = Path(classroom.db_url.removeprefix("sqlite:///")) if classroom.db_url.startswith("sqlite:///") else None
    own = [*course.rosters, *([course.queries] if course.queries else []), classroom.home / TALK]
    rosters = _inside(classroom.home, own)
    return _write(classroom.home, (file or _fresh(classroom.home)).resolve(), rosters, book, copy_of)


def _inside(home: Path, paths: Sequence[Path]) -> list[str]:
    """Return the files that lie in the class, as a backup names them."""
    there = (path.resolve() for path in paths if path.is_file())
    return list(dict.fromkeys(path.relative_to(home).as_posix() for path in there if path.is_relative_to(home)))


def _kept_before(home: Path, rosters: list[str]) -> Path:
    """Write a zip file of what the folder holds, in whatever state it is, and return its path."""
    import shutil
    import sqlite3

    from ..classroom.class_zip import BOOK
    from ..classroom.gradebook.schema import copy_of
    from ..classroom.policy.course import WrongCourse, load_course
    from ..classroom.talk_table import TALK

    def copied(path: Path, target: Path) -> None:
        try:
            copy_of(path, target)
        except sqlite3.DatabaseError:
            shutil.copyfile(path, target)

    try:
        own = load_course(home).rosters
    except WrongCourse:
        own = ()
    rosters = list(dict.fromkeys([*rosters, *_inside(home, [*own, home / TALK])]))
    return _write(home, _fresh(home, "_before_restore"), rosters, home / BOOK, copied)[0]


def _fresh(home: Path, what: str = "") -> Path:
    from ..classroom.class_zip import BACKUPS

    (home / BACKUPS).mkdir(exist_ok=True)
    return home / BACKUPS / f"class_{datetime.now(UTC):%Y-%m-%d_%H%M%S_%f}{what}.zip"


def _write(
    home: Path, target: Path, rosters: list[str], book: Path | None, copy: Callable[[Path, Path], object]
) -> tuple[Path, int]:
    """Pack the class, or end the command if that is not possible."""
    import sqlite3
    import tempfile

    from ..classroom.class_zip import BOOK, Label, pack

    made = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup.") as folder:
            if book is None or not book.exists():
                return target, pack(home, target, Label(made, "elsewhere" if book is None else "none", rosters), None)
            copy(book, Path(folder) / BOOK)
            return target, pack(home, target, Label(made, "here", rosters), Path(folder) / BOOK)
    except (OSError, sqlite3.Error) as error:
        raise UserError(
            f"{target} cannot be written ({getattr(error, 'strerror', None) or error}); nothing was changed."
        ) from None


@contextlib.contextmanager
def _locked(classroom: Classroom) -> Iterator[None]:
    """Hold the lock on the class while nobody grades; raise UserError if somebody does."""
    from ..classroom.only_writer import Busy, only_writer

    try:
        with only_writer(classroom.home):
            yield
    except Busy as error:
        raise UserError(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
