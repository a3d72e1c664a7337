"""Remove one student from a gradebook, from its copies, and from zip files of the class."""

import contextlib
import csv
import io
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import DBAPIError

from embedding_course.files import atomic_write

from ..class_zip import BACKUPS, BOOK, BadBackup, label_of, pack, unpack
from ..student_files import remove, traces, unnamed
from .address import is_missing_file
from .book import Book, BookClosed
from .marking_tables import forget_marks


def knows(db_url: str, student: str) -> int | None:
    """Return how many submissions of this student a gradebook has, or None if it does not know the student."""
    if is_missing_file(db_url):
        return None
    with Gradebook(db_url) as book:
        try:
            return len(book.find_student(student).submissions)
        except MissingEntry:
            return None


def forget_in_book(db_url: str, student: str) -> bool:
    """Remove a student with all submissions, grades and comments, and return True if there was one.

    Raises
    ------
    BookClosed
        If the gradebook cannot be written.
    """
    path = Path(db_url.removeprefix("sqlite:///"))
    if db_url.startswith("sqlite:///") and not path.exists():
        return False
    removed_students: list[str] = []

    def write(book: Any) -> None:
        with contextlib.suppress(MissingEntry):
            book.find_student(student)
            removed_students.append(student)
            forget_marks(book.db.connection(), student)
            book.remove_student(student)

    with Book(db_url) as book:
        book.write(write)
    if db_url.startswith("sqlite:///"):
        _wipe(path)
    return bool(removed_students)


def _wipe(path: Path) -> None:
    """Rewrite the file, because SQLite keeps deleted data until its place is needed."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=30)) as database:
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise BookClosed(f"the gradebook {path} cannot be written anew: {error}") from error


def copies(home: Path) -> Iterator[Path]:
    """Yield copies of the gradebook, tables and zip files of the class, which regrading, Canvas and backups left."""
    yield from sorted((home / BACKUPS).glob("*.db"))
    yield from sorted((home / BACKUPS).glob("*.sql"))
    yield from sorted(home.glob("gradebook.db.*.backup"))
    yield from sorted((home / BACKUPS).glob("*.csv"))
    for path in sorted((home / BACKUPS).glob("*.zip")):
        with contextlib.suppress(BadBackup):
            label_of(path)
            yield path


def forget_in_copy(path: Path, student: str) -> bool:
    """Remove a student from a copy of the gradebook, a table or a zip file; return True if it held something of the student.

    Raises
    ------
    BookClosed, BadBackup, OSError
        If the copy cannot be changed.
    """
    if path.suffix == ".sql":
        if student.encode() in path.read_bytes():
            raise BookClosed("it is a dump from PostgreSQL, which is not changed")
        return False
    if path.suffix == ".csv":
        return _forget_in_table(path, student)
    if path.suffix != ".zip":
        try:
            removed = forget_in_book(f"sqlite:///{path.resolve()}", student)
            with contextlib.closing(sqlite3.connect(path)) as database:
                database.execute("PRAGMA journal_mode=DELETE")
        except (DBAPIError, sqlite3.Error) as error:
            raise BookClosed(f"{path.name} cannot be written: {error}") from error
        return removed
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".forget.") as folder:
        home = Path(folder)
        label = unpack(path, home)
        paths_by_kind = traces(home, student)
        book = home / BOOK
        removed = unnamed(home, student) | (book.exists() and forget_in_copy(book, student))
        packed = sorted((home / "feedback").glob("*.zip"))
        if not paths_by_kind and not removed:
            return False
        for paths in (*paths_by_kind.values(), packed):
            remove(paths)
        pack(home, path, label, book if book.exists() else None)
    return True


def _forget_in_table(path: Path, student: str) -> bool:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    kept = [row for row in rows if student not in row]
    if len(kept) == len(rows):
        return False
    text = io.StringIO(newline="")
    csv.writer(text).writerows(kept)
    atomic_write(path, text.getvalue().encode("utf-8-sig"), 0o600)
    return True
