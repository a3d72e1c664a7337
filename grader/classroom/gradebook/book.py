"""nbgrader's gradebook, written through its own API by one writer."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, InvalidEntry, MissingEntry, Student
from nbgrader.preprocessors import SaveCells
from sqlalchemy import event
from sqlalchemy.exc import DataError, DBAPIError

from ...errors import PhraseError
from ..grade_record import GradeRecord
from ..policy.course import Course
from ..roster import Person, Roster
from .address import shown
from .schema import clear_half_made, make_tables, misfit, set_lateness
from .scores import enter_scores

#: How many seconds a write waits for a gradebook that is locked.
TIMEOUT_SECONDS = 30.0


class BookClosed(PhraseError):
    """The gradebook cannot be written now; the message says why. What was to be written is not lost."""


class Refused(PhraseError):
    """The gradebook can be written, but cannot store this record; the message says why."""


class Book:
    """The open gradebook of a class: one connection for a whole run. Use as a context manager.

    An SQLite file is put into WAL mode, so that formgrader can read while grades are written. If somebody else is writing,
    every method tries again for `timeout` seconds.

    Raises
    ------
    BookClosed
        If the gradebook cannot be written within that time.
    Refused
        If the gradebook cannot store a record.
    """

    def __init__(self, db_url: str, timeout: float = TIMEOUT_SECONDS) -> None:
        self.db_url, self.timeout = db_url, timeout
        self._book: Any = None

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: object) -> None:
        if self._book is not None:
            self._book.close()
        self._book = None

    def make(self) -> None:
        """Make the gradebook if there is none, and close the connection.

        Processes that are forked later must not share a connection.
        """
        with contextlib.suppress(BookClosed):  # raised again when there is something to write
            self._patiently(lambda _: None)
        self._forget()

    def assignment(self, topic: str, release: NotebookNode) -> None:
        """Make the gradebook know a notebook's cells and their points, as `nbgrader generate_assignment` would."""
        self._patiently(lambda book: self._assignment(book, topic, release))

    def settle_lateness(self, course: Course, times: Mapping[tuple[str, str], datetime | None]) -> None:
        """Enter the deadlines, extensions and late penalties of a class; `times` of submission go by topic and student."""
        self._patiently(lambda book: set_lateness(book, course, times))

    def enter_people(self, roster: Roster) -> None:
        """Enter the students of the class, with their names and addresses of the roster."""
        if roster.people:
            self._patiently(lambda book: _enter_people(book, roster))

    def save(self, record: GradeRecord, timestamp: datetime | None, earlier: GradeRecord | None) -> None:
        """Store the automatic scores of one submission. What a person entered (manual scores, comments) stays.

        Parameters
        ----------
        record : GradeRecord
            Record of the submission.
        timestamp : datetime or None
            When it was handed in, in UTC without a zone; None if not known.
        earlier : GradeRecord or None
            Record that `record` replaces, if there is one.

        Raises
        ------
        Refused
            If the gradebook has no room for the student's name.
        """
        max_length = Student.__table__.c.id.type.length
        if len(record.student) > max_length and not self.db_url.startswith("sqlite:"):  # SQLite takes any length
            raise Refused(f"the gradebook has no room for it: a student's name has {max_length} characters there at most")
        self._patiently(lambda book: _save(book, record, timestamp, earlier))

    def write(self, change: Callable[[Any], None]) -> None:
        """Let `change` write to nbgrader's own gradebook, with the same timeout."""
        self._patiently(change)

    def _patiently(self, write: Callable[[Any], None]) -> None:
        waited, pause = 0.0, 0.1
        while True:
            try:
                write(self._open())
                return
            except InvalidEntry as error:  # nbgrader's wrapping of what the database said
                problem = error.__context__ or error
            except (DBAPIError, sqlite3.Error, OSError, UnicodeError) as error:
                problem = error
            self._forget()
            reason = _first_line(problem)
            if isinstance(problem, (DataError, UnicodeError)):
                raise Refused(f"the gradebook {shown(self.db_url)} has no room for it: {reason}") from problem
            if waited >= self.timeout or ("locked" not in reason and "busy" not in reason):
                raise BookClosed(f"the gradebook {shown(self.db_url)} cannot be written: {reason}") from problem
            time.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, 2.0)

    def _open(self) -> Any:
        if self._book is None:
            clear_half_made(self.db_url)
            reason = misfit(self.db_url)
            if reason:
                raise BookClosed(f"the gradebook {shown(self.db_url)} {reason}")
            make_tables(self.db_url)
            _use_wal(self.db_url)
            self._book = Gradebook(self.db_url)
            _relax(self._book.engine)
            self._book.db().expire_on_commit = False  # nobody else writes what we have read
        return self._book

    def _forget(self) -> None:
        """Close a connection that is in an unknown state; the next write opens another."""
        if self._book is not None:
            try:
                self._book.db.rollback()
                self._book.close()
            except (DBAPIError, sqlite3.Error):
                pass
        self._book = None

    def _assignment(self, book: Any, topic: str, release: NotebookNode) -> None:
        book.update_or_create_assignment(topic)
        try:
            known = {cell.name: cell.checksum for cell in book.find_notebook(topic, topic).source_cells}
        except MissingEntry:
            known = {}
        wanted = {
            cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.checksum
            for cell in release.cells
            if "nbgrader" in cell.metadata
        }
        if known != wanted:
            facts: Any = {"nbgrader": {"notebook": topic, "assignment": topic, "db_url": self.db_url}}
            if known and set(known) != set(wanted) and book.find_notebook(topic, topic).submissions:
                raise BookClosed(
                    f"the gradebook {shown(self.db_url)} is from an older version of the course: {topic} has other exercises "
                    "now (grader class upgrade brings it up to date and keeps a copy)"
                )
            self._forget()
            SaveCells().preprocess(release, facts)


def _enter_people(book: Any, roster: Roster) -> None:
    """Enter every student of the roster into the gradebook, also those who handed in nothing.

    Fields that the roster leaves empty are not changed. A student whose id is too long for the database is left out;
    the record of their submission, if there is one, says so.
    """
    known: dict[str, Any] = {row.id: row for row in book.students}
    columns: Any = Student.__table__.c
    bounded = book.engine.dialect.name != "sqlite"  # SQLite takes any length
    for person in roster.people:
        fields = _known_fields(person)
        if bounded:
            if len(person.id) > columns.id.type.length:
                continue
            fields = {name: value[: columns[name].type.length] for name, value in fields.items()}
        row = known.get(person.id)
        if row is None:
            book.db.add(Student(id=person.id, **fields))
        for name, value in fields.items():
            if row is not None and getattr(row, name) != value:
                setattr(row, name, value)
    book.db.commit()


def _known_fields(person: Person) -> dict[str, str]:
    fields = {"first_name": person.first, "last_name": person.last, "email": person.email}
    return {name: value for name, value in fields.items() if value}


def _first_line(error: BaseException) -> str:
    text = str(getattr(error, "orig", None) or error)
    return text.splitlines()[0][:200] if text.strip() else type(error).__name__


def _use_wal(db_url: str) -> None:
    if db_url.startswith("sqlite:///"):
        with contextlib.closing(sqlite3.connect(Path(db_url.removeprefix("sqlite:///")))) as connection:
            connection.execute("PRAGMA journal_mode=WAL")


def _relax(engine: Any) -> None:
    """Make commits to an SQLite file in WAL mode return before the disk has written them.

    Waiting for the disk is most of the cost of a commit, and the file stays consistent without it.
    """
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=NORMAL"))
        engine.dispose()


@contextlib.contextmanager
def _one_commit(book: Any) -> Iterator[None]:
    """Store all steps of one submission together or not at all, although nbgrader commits after every small step."""
    book.db.commit = book.db.flush
    try:
        yield
    finally:
        del book.db.commit
    book.db.commit()


def _save(book: Any, record: GradeRecord, timestamp: datetime | None, earlier: GradeRecord | None) -> None:
    with _one_commit(book):
        enter_scores(book, record, timestamp, earlier)
    book.db.expunge_all()  # a large class must not stay in memory
