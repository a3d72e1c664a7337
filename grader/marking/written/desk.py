"""The desk on which the answers to one question lie: rubric, marks, and who looks at what.

Every mark has an author, a time, and the text that it was given for. Points land in nbgrader's gradebook in the same
transaction, so formgrader, feedback and export show them.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, delete, event, func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from ...classroom.class_folder import now
from ...classroom.gradebook.address import shown
from ...errors import UserError
from .tables import MARKS, OPENED, RUBRIC, make_tables

#: An answer counts as open for so many seconds after its page was last heard of.
OPEN_SECONDS = 60.0


class RubricError(UserError):
    """The rubric cannot be used; the message says why."""


class Outdated(Exception):
    """Somebody else marked this answer meanwhile; `current` is what they gave."""

    def __init__(self, current: Mark | None) -> None:
        super().__init__("the answer was marked by somebody else meanwhile")
        self.current = current


@dataclass(frozen=True)
class Item:
    """One line of a rubric: what earns or costs points. `id` is 0 for a new one."""

    id: int
    text: str
    points: float


@dataclass(frozen=True)
class Draft:
    """What a person decides on an answer: items of the rubric, points on top of them, and a comment."""

    items: tuple[int, ...] = ()
    adjustment: float = 0.0
    comment: str = ""


@dataclass(frozen=True)
class Mark:
    """A mark as it counts now.

    Attributes
    ----------
    version
        The number of this mark; a later mark must name it as the one that it replaces.
    points
        The points by the present rubric, between 0 and the question's maximum.
    answer
        The SHA-256 of the text that was marked.
    elsewhere
        The points that the gradebook holds, if somebody entered others in formgrader; None if the two agree.
    """

    version: int
    draft: Draft
    points: float
    author: str
    at: str
    answer: str
    elsewhere: float | None = None


def digest_of_text(text: str) -> str:
    """Return the SHA-256 of a written answer, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


class Desk:
    """The answers of a class to one question.

    Parameters
    ----------
    db_url : str
        Address of the gradebook.
    topic : str
        Name of the notebook.
    cell : str
        Id of the question's cell in nbgrader, such as "reflection".
    """

    def __init__(self, db_url: str, topic: str, cell: str) -> None:
        self.topic, self.cell, self.question = topic, cell, f"{topic}/{cell}"
        self._db_url = db_url
        self._engine = sqlalchemy.create_engine(db_url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout=30000"))
        with self._transaction() as connection:
            make_tables(connection)

    def close(self) -> None:
        """Close the connections to the gradebook."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DBAPIError as error:
            reason = str(error.orig).splitlines()[0]
            address = shown(self._db_url)
            raise UserError(f"The gradebook {address} cannot be written ({reason}). Nothing was lost: try again.") from error

    def most(self) -> float:
        """Return what the question is worth in this class.

        Raises
        ------
        UserError
            If the gradebook does not know the question.
        """
        from nbgrader import api

        tables: Any = api
        cells = tables.GradeCell.__table__.join(tables.BaseCell.__table__)
        query = (
            select(tables.GradeCell.max_score)
            .select_from(cells.join(tables.Notebook.__table__, tables.BaseCell.notebook_id == tables.Notebook.id))
            .where(tables.BaseCell.name == self.cell, tables.Notebook.name == self.topic)
        )
        with self._transaction() as connection:
            worth = connection.execute(query).scalar()
        if worth is None:
            raise UserError(f"The gradebook knows no written question {self.cell} of {self.topic}: run grader grade first.")
        return float(worth)

    def rubric(self) -> list[Item]:
        """Return the items of the rubric, in their order."""
        with self._transaction() as connection:
            return _rubric(connection, self.question)

    def set_rubric(self, items: Sequence[Item]) -> list[Item]:
        """Replace the rubric and compute all marks of the question anew. An item that is left out counts nothing any more.

        Raises
        ------
        RubricError
            If an item has no text, or no mark above 0 can come out.
        """
        most = self.most()
        if any(not item.text.strip() for item in items):
            raise RubricError("An item of the rubric has no text: say what it is given for.")
        if (
            items
            and sum(item.points for item in items if item.points > 0) < most
            and not any(item.points < 0 for item in items)
        ):
            total = sum(item.points for item in items)
            raise RubricError(f"All items together give {total:g} of {most:g} points: nobody could earn them all.")
        with self._transaction() as connection:
            known = {item.id for item in _rubric(connection, self.question)}
            unknown = [item.id for item in items if item.id and item.id not in known]
            if unknown:
                raise RubricError(f"The rubric has no item {unknown[0]}: it was changed meanwhile, load it again.")
            connection.execute(update(RUBRIC).where(RUBRIC.c.question == self.question).values(retired=True))
            for position, item in enumerate(items):
                values = {"position": position, "text": item.text.strip(), "points": float(item.points), "retired": False}
                if item.id:
                    connection.execute(update(RUBRIC).where(RUBRIC.c.id == item.id).values(**values))
                else:
                    connection.execute(insert(RUBRIC).values(question=self.question, **values))
            for student, mark in self._marks(connection, most).items():
                self._enter(connection, student, mark.points, mark.draft.comment)
            return _rubric(connection, self.question)

    def marks(self) -> dict[str, Mark]:
        """Return the mark of each student whose answer was marked."""
        most = self.most()
        with self._transaction() as connection:
            marks = self._marks(connection, most)
            entered = self._entered(connection)
        return {
            student: mark if entered.get(student) in (None, mark.points) else _with(mark, elsewhere=entered[student])
            for student, mark in marks.items()
        }

    def save(self, student: str, draft: Draft, author: str, seen: int, text: str) -> Mark:
        """Mark an answer and enter its points into the gradebook.

        Parameters
        ----------
        student : str
        draft : Draft
        author : str
            Who marks.
        seen : int
            The version of the mark that the author saw, 0 if there was none.
        text : str
            The answer as the author saw it.

        Raises
        ------
        Outdated
            If somebody marked the answer since; nothing is changed then.
        UserError
            If the points are not between 0 and the maximum, an item is unknown, or the student has no answer there.
        """
        most = self.most()
        points_by_item = {item.id: item.points for item in self.rubric()}
        unknown = [item for item in draft.items if item not in points_by_item]
        if unknown:
            raise UserError(f"The rubric has no item {unknown[0]}: it was changed meanwhile, load it again.")
        raw = sum(points_by_item[item] for item in set(draft.items)) + draft.adjustment
        if draft.adjustment and not 0 <= raw <= most:
            raise UserError(f"That makes {raw:g} points: they have to be between 0 and {most:g}.")
        values = {
            "question": self.question,
            "student": student,
            "items": sorted(set(draft.items)),
            "adjustment": draft.adjustment,
            "comment": draft.comment.strip(),
            "author": author,
            "at": now(),
            "answer": digest_of_text(text),
            "replaces": seen,
        }
        try:
            with self._transaction() as connection:
                current = self._marks(connection, most).get(student)
                if (current.version if current else 0) != seen:
                    raise Outdated(current)
                connection.execute(insert(MARKS).values(**values))
                mark = self._marks(connection, most)[student]
                self._enter(connection, student, mark.points, mark.draft.comment)
        except IntegrityError:
            raise Outdated(self.marks().get(student)) from None
        return mark

    def history(self, student: str) -> list[Mark]:
        """Return all marks of one answer, the oldest first."""
        most = self.most()
        with self._transaction() as connection:
            query = select(MARKS).where(MARKS.c.question == self.question, MARKS.c.student == student).order_by(MARKS.c.id)
            rubric = {item.id: item.points for item in _rubric(connection, self.question)}
            return [_mark(row, rubric, most) for row in connection.execute(query).mappings()]

    def look_at(self, student: str, author: str) -> list[str]:
        """Note that a person has an answer open, and return who else has."""
        moment = time.time()
        mine = (OPENED.c.question == self.question) & (OPENED.c.author == author)
        with self._transaction() as connection:
            connection.execute(delete(OPENED).where(mine))
            connection.execute(delete(OPENED).where(OPENED.c.at < moment - OPEN_SECONDS))
            connection.execute(insert(OPENED).values(question=self.question, student=student, author=author, at=moment))
            query = select(OPENED.c.author).where(
                OPENED.c.question == self.question, OPENED.c.student == student, OPENED.c.author != author
            )
            return sorted(connection.execute(query).scalars())

    def open_answers(self) -> dict[str, list[str]]:
        """Return who has which answer open, by student."""
        opened: dict[str, list[str]] = {}
        with self._transaction() as connection:
            query = select(OPENED).where(OPENED.c.question == self.question, OPENED.c.at >= time.time() - OPEN_SECONDS)
            for row in connection.execute(query).mappings():
                opened.setdefault(row["student"], []).append(row["author"])
        return opened

    def _marks(self, connection: Connection, most: float) -> dict[str, Mark]:
        newest = select(func.max(MARKS.c.id)).where(MARKS.c.question == self.question).group_by(MARKS.c.student)
        rows = connection.execute(select(MARKS).where(MARKS.c.id.in_(newest))).mappings()
        rubric = {item.id: item.points for item in _rubric(connection, self.question)}
        return {row["student"]: _mark(row, rubric, most) for row in rows}

    def _rows(self, connection: Connection, table: Any) -> Mapping[str, Any]:
        """Return the rows of a table of nbgrader that belong to the question, by student."""
        from nbgrader import api

        tables: Any = api
        joined = (
            table.__table__.join(tables.BaseCell.__table__, table.cell_id == tables.BaseCell.id)
            .join(tables.SubmittedNotebook.__table__, table.notebook_id == tables.SubmittedNotebook.id)
            .join(tables.Notebook.__table__, tables.SubmittedNotebook.notebook_id == tables.Notebook.id)
            .join(tables.SubmittedAssignment.__table__, tables.SubmittedNotebook.assignment_id == tables.SubmittedAssignment.id)
        )
        query = (
            select(tables.SubmittedAssignment.student_id, *table.__table__.columns)
            .select_from(joined)
            .where(tables.BaseCell.name == self.cell, tables.Notebook.name == self.topic)
        )
        return {row["student_id"]: row for row in connection.execute(query).mappings()}

    def _entered(self, connection: Connection) -> dict[str, float | None]:
        from nbgrader.api import Grade

        return {student: row["manual_score"] for student, row in self._rows(connection, Grade).items()}

    def _enter(self, connection: Connection, student: str, points: float, comment: str) -> None:
        """Enter points and comment where nbgrader keeps them."""
        from nbgrader import api

        tables: Any = api
        grade = self._rows(connection, tables.Grade).get(student)
        if grade is None:
            raise UserError(f"{student} has no graded {self.topic} in the gradebook: run grader grade first.")
        change = update(tables.Grade.__table__).where(tables.Grade.__table__.c.id == grade["id"])
        connection.execute(change.values(manual_score=points, needs_manual_grade=False))
        note = self._rows(connection, tables.Comment).get(student)
        if note is not None:
            change = update(tables.Comment.__table__).where(tables.Comment.__table__.c.id == note["id"])
            connection.execute(change.values(manual_comment=comment or None))


def _rubric(connection: Connection, question: str) -> list[Item]:
    query = select(RUBRIC).where(RUBRIC.c.question == question, RUBRIC.c.retired.is_(False)).order_by(RUBRIC.c.position)
    return [Item(row["id"], row["text"], row["points"]) for row in connection.execute(query).mappings()]


def _mark(row: Mapping[Any, Any], rubric: Mapping[int, float], most: float) -> Mark:
    items = tuple(item for item in row["items"] if item in rubric)
    points = sum(rubric[item] for item in items) + row["adjustment"]
    draft = Draft(items, row["adjustment"], row["comment"])
    return Mark(row["id"], draft, round(min(max(points, 0.0), most), 6), row["author"], row["at"], row["answer"])


def _with(mark: Mark, elsewhere: float | None) -> Mark:
    return Mark(mark.version, mark.draft, mark.points, mark.author, mark.at, mark.answer, elsewhere)
