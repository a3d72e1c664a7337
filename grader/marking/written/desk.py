"""The desk on which the answers to one question lie: their rubric and their marks.

Every mark has an author, a time, and the text that it was given for. Points land in nbgrader's gradebook in the same
transaction, so formgrader, feedback and export show them.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, event, func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import NullPool

from ...classroom.class_folder import now
from ...classroom.gradebook.address import shown
from ...classroom.gradebook.marking_tables import MARKS, QUESTIONS, RUBRIC, make_tables
from ...classroom.policy.rubrics import RubricLine, wrong_line
from ...errors import UserError
from .gradebook_cells import Cells, Entered
from .mark import Draft, Item, Mark, digest_of_text, mark_of

_SQLITE = "sqlite:///"
#: Whose rubric it is when somebody changed it in the page.
PAGE = "the page"


class RubricError(UserError):
    """The rubric cannot be used; the message says why."""


class Outdated(Exception):
    """Somebody else marked this answer meanwhile: `current` is their mark, `entered` what the gradebook holds."""

    def __init__(self, current: Mark | None, entered: Entered) -> None:
        super().__init__("the answer was marked by somebody else meanwhile")
        self.current, self.entered = current, entered


class Desk:
    """The answers of a class to one question.

    Parameters
    ----------
    db_url : str
        Address of the gradebook.
    topic : str
        Name of the notebook.
    cell : str
        Id of the question's cell in nbgrader, such as "reflection-answer".
    """

    def __init__(self, db_url: str, topic: str, cell: str) -> None:
        self.question = f"{topic}/{cell}"
        self.cells = Cells(topic, cell)
        self._db_url = db_url
        # A new connection each time: one that stays open would go on writing to a file that was moved away.
        pool: Any = {"poolclass": NullPool} if db_url.startswith(_SQLITE) else {"pool_pre_ping": True}
        self._engine = sqlalchemy.create_engine(db_url, **pool)
        if pool.get("poolclass"):
            event.listen(self._engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout=30000"))
        with self.transaction() as connection:
            make_tables(connection)

    def close(self) -> None:
        """Close the connections to the gradebook."""
        self._engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a transaction on the gradebook.

        Raises
        ------
        UserError
            If the gradebook is away or cannot be written. Nothing of the transaction is then kept.
        """
        if self._db_url.startswith(_SQLITE) and not Path(self._db_url.removeprefix(_SQLITE)).is_file():
            raise UserError(f"The gradebook {shown(self._db_url)} is not there any more: put it back, then save again.")
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
        """Return what the question is worth in this class; raise UserError if the gradebook does not know the question."""
        with self.transaction() as connection:
            return self.cells.most(connection)

    # The rubric

    def begin(self, lines: Sequence[RubricLine], source: str) -> bool:
        """Begin with a rubric, or follow it where it was changed and nobody has changed the rubric in the page.

        Parameters
        ----------
        lines : sequence of RubricLine
            The rubric of course.toml or of the lesson, as it is now.
        source : str
            Whose it is.

        Returns
        -------
        bool
            True if the rubric was changed in the page, and the given one was changed after that. It is then left alone.
        """
        given = [[line.text, line.points] for line in lines]
        try:
            return self._begin(lines, source, given)
        except IntegrityError:  # somebody else opened the question at the same moment, and began with the same rubric
            return False

    def _begin(self, lines: Sequence[RubricLine], source: str, given: list[Any]) -> bool:
        with self.transaction() as connection:
            facts = connection.execute(select(QUESTIONS).where(QUESTIONS.c.question == self.question)).mappings().first()
            if facts is None:
                known = connection.execute(select(func.count()).where(RUBRIC.c.question == self.question)).scalar()
                values = {"seed": secrets.token_hex(8), "rubric_from": PAGE if known else source, "rubric_given": given}
                connection.execute(insert(QUESTIONS).values(question=self.question, **values))
                if not known:
                    self._replace(connection, [Item(0, line.text, line.points) for line in lines])
            elif facts["rubric_given"] != given and facts["rubric_from"] != PAGE:
                self._take(connection, lines, source)
            self._settle(connection)  # the class may have changed what the question is worth
            return facts is not None and facts["rubric_given"] != given and facts["rubric_from"] == PAGE

    def take(self, lines: Sequence[RubricLine], source: str) -> None:
        """Replace the rubric by that of course.toml or of the lesson, and compute all marks anew."""
        with self.transaction() as connection:
            self._take(connection, lines, source)

    def rubric_from(self) -> str:
        """Return whose the rubric is: "course.toml", "the lesson", "the page", or "" if there is none yet."""
        with self.transaction() as connection:
            query = select(QUESTIONS.c.rubric_from).where(QUESTIONS.c.question == self.question)
            return connection.execute(query).scalar() or ""

    def seed(self) -> str:
        """Return the seed of the second marker's sample, which is drawn once."""
        with self.transaction() as connection:
            query = select(QUESTIONS.c.seed).where(QUESTIONS.c.question == self.question)
            return connection.execute(query).scalar() or ""

    def rubric(self) -> list[Item]:
        """Return the items of the rubric, in their order."""
        with self.transaction() as connection:
            return self._rubric(connection)

    def set_rubric(self, items: Sequence[Item], seen: Sequence[Item] | None = None) -> list[Item]:
        """Replace the rubric and compute all marks of the question anew. An item that is left out counts nothing any more.

        An answer whose points were changed elsewhere since, as in formgrader, keeps what the gradebook holds.

        Parameters
        ----------
        items : sequence of Item
        seen : sequence of Item, optional
            The rubric that these items are a change of. Without it, whatever rubric holds now is replaced.

        Raises
        ------
        RubricError
            If an item cannot be used, or the rubric is not the one that was seen.
        """
        with self.transaction() as connection:
            # This comes first, since it lets nobody else write until the comparison has been made.
            connection.execute(update(QUESTIONS).where(QUESTIONS.c.question == self.question).values(rubric_from=PAGE))
            if seen is not None and list(seen) != self._rubric(connection):
                raise RubricError(
                    "Somebody else changed the rubric meanwhile, and yours was not kept: look at theirs, then keep again."
                )
            return self._replace(connection, items)

    def _take(self, connection: Connection, lines: Sequence[RubricLine], source: str) -> None:
        old = self._rubric(connection)
        by_text: dict[str, list[int]] = {}
        for item in reversed(old):
            by_text.setdefault(item.text, []).append(item.id)
        ids = [known.pop() if (known := by_text.get(line.text.strip())) else 0 for line in lines]
        if len(old) == len(lines):  # a line that was reworded stays the same item
            ids = [known or (item.id if item.id not in ids else 0) for known, item in zip(ids, old, strict=True)]
        self._replace(connection, [Item(known, line.text, line.points) for known, line in zip(ids, lines, strict=True)])
        given = [[line.text, line.points] for line in lines]
        change = update(QUESTIONS).where(QUESTIONS.c.question == self.question)
        connection.execute(change.values(rubric_from=source, rubric_given=given))

    def _replace(self, connection: Connection, items: Sequence[Item]) -> list[Item]:
        for item in items:
            reason = wrong_line(item.text, item.points)
            if reason:
                raise RubricError(reason)
        ids = [item.id for item in items if item.id]
        if len(set(ids)) < len(ids):
            raise RubricError("An item stands in the rubric twice: remove one, or add it as a new item.")
        known = {item.id for item in self._rubric(connection)}
        unknown = [number for number in ids if number not in known]
        if unknown:
            raise RubricError(f"The rubric has no item {unknown[0]}: it was changed meanwhile, load it again.")
        connection.execute(update(RUBRIC).where(RUBRIC.c.question == self.question).values(retired=True))
        for position, item in enumerate(items):
            values = {"position": position, "text": item.text.strip(), "points": float(item.points), "retired": False}
            if item.id:
                connection.execute(update(RUBRIC).where(RUBRIC.c.id == item.id).values(**values))
            else:
                connection.execute(insert(RUBRIC).values(question=self.question, **values))
        self._settle(connection)
        return self._rubric(connection)

    def _settle(self, connection: Connection) -> None:
        """Enter the points that the marks earn now, except where somebody changed points or comment elsewhere since."""
        entered = self.cells.entered(connection)
        ours = {
            student: (mark.points, mark.draft.comment)
            for student, mark in self._marks(connection, self.cells.most(connection)).items()
            if student in entered and not entered[student].change and mark.points != entered[student].points
        }
        if ours:
            self.cells.enter(connection, ours)

    def _rubric(self, connection: Connection) -> list[Item]:
        query = select(RUBRIC).where(RUBRIC.c.question == self.question, RUBRIC.c.retired.is_(False))
        rows = connection.execute(query.order_by(RUBRIC.c.position)).mappings()
        return [Item(row["id"], row["text"], row["points"]) for row in rows]

    # Marks

    def marks(self) -> dict[str, Mark]:
        """Return the mark of each student whose answer was marked at the desk."""
        with self.transaction() as connection:
            return self._marks(connection, self.cells.most(connection))

    def entered(self) -> dict[str, Entered]:
        """Return what the gradebook holds of each answer, whoever entered it."""
        with self.transaction() as connection:
            return self.cells.entered(connection)

    def save(self, student: str, draft: Draft, author: str, seen: int, text: str, seen_change: int = 0) -> Mark:
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
        seen_change : int, optional
            The number of the last change made elsewhere that the author saw, 0 if there was none.

        Raises
        ------
        Outdated
            If somebody marked the answer since, at the desk or in formgrader; nothing is changed then.
        UserError
            If the points are not between 0 and the maximum, an item is unknown, or the student has no answer there.
        """
        try:
            with self.transaction() as connection:
                most = self.cells.most(connection)
                self.check(connection, draft, most)
                current = self._marks(connection, most).get(student)
                entered = self.cells.entered(connection).get(student, Entered())
                if (current.version if current else 0) != seen or entered.change != seen_change:
                    raise Outdated(current, entered)
                values = self.row(student, draft, author, text)
                connection.execute(insert(MARKS).values(**values, replaces=seen))
                mark = self._marks(connection, most)[student]
                self.cells.enter(connection, {student: (mark.points, mark.draft.comment)})
        except IntegrityError:
            raise Outdated(self.marks().get(student), self.entered().get(student, Entered())) from None
        return mark

    def check(self, connection: Connection, draft: Draft, most: float) -> None:
        """Raise UserError if a draft names an unknown item, or its points on top lead below 0 or above the maximum."""
        points = {item.id: item.points for item in self._rubric(connection)}
        unknown = [item for item in draft.items if item not in points]
        if unknown:
            raise UserError(f"The rubric has no item {unknown[0]}: it was changed meanwhile, load it again.")
        raw = sum(points[item] for item in set(draft.items)) + draft.adjustment
        if not math.isfinite(raw) or (draft.adjustment and not 0 <= raw <= most):
            raise UserError(f"That makes {raw:g} points: they have to be between 0 and {most:g}.")

    def row(self, student: str, draft: Draft, author: str, text: str) -> dict[str, Any]:
        """Return the columns that all tables of marks share."""
        return {
            "question": self.question,
            "student": student,
            "items": sorted(set(draft.items)),
            "adjustment": draft.adjustment,
            "comment": draft.comment.strip(),
            "author": author,
            "at": now(),
            "answer": digest_of_text(text),
        }

    def marks_in(self, connection: Connection, table: Any, *conditions: Any) -> list[Mark]:
        """Return the marks of a table for this question that meet all conditions, the oldest first."""
        most, rubric = self.cells.most(connection), {item.id: item.points for item in self._rubric(connection)}
        query = select(table).where(table.c.question == self.question, *conditions).order_by(table.c.id)
        return [mark_of(row, rubric, most) for row in connection.execute(query).mappings()]

    def history(self, student: str) -> list[Mark]:
        """Return all marks of one answer, the oldest first."""
        with self.transaction() as connection:
            return self.marks_in(connection, MARKS, MARKS.c.student == student)

    def _marks(self, connection: Connection, most: float) -> dict[str, Mark]:
        newest = select(func.max(MARKS.c.id)).where(MARKS.c.question == self.question).group_by(MARKS.c.student)
        rows = connection.execute(select(MARKS).where(MARKS.c.id.in_(newest))).mappings()
        rubric = {item.id: item.points for item in self._rubric(connection)}
        return {row["student"]: mark_of(row, rubric, most) for row in rows}
