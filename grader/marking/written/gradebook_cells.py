"""The cells of one written question in nbgrader's tables: what they are worth, and what a person entered there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select, update

from ...classroom.gradebook.marking_tables import CHANGES
from ...errors import UserError


@dataclass(frozen=True)
class Entered:
    """What nbgrader's tables hold of an answer.

    Attributes
    ----------
    points, comment
        What a person entered; None and "" if nobody did.
    change
        The number of the last change that was not made at the desk, 0 if there was none.
    at
        When that change was made, "" if there was none or it is older than the journal.
    """

    points: float | None = None
    comment: str = ""
    change: int = 0
    at: str = ""


class Cells:
    """The cells of the answers to one question, in the tables of nbgrader."""

    def __init__(self, topic: str, cell: str) -> None:
        self.topic, self.cell = topic, cell

    def most(self, connection: Connection) -> float:
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
        worth = connection.execute(query).scalar()
        if worth is None:
            raise UserError(f"The gradebook knows no written question {self.cell} of {self.topic}: run grader grade first.")
        return float(worth)

    def entered(self, connection: Connection) -> dict[str, Entered]:
        """Return what was entered for each student, by formgrader or from here."""
        from nbgrader import api

        tables: Any = api
        newest = select(func.max(CHANGES.c.id)).group_by(CHANGES.c.row)
        changes = {row["row"]: row for row in connection.execute(select(CHANGES).where(CHANGES.c.id.in_(newest))).mappings()}
        comments = self._rows(connection, tables.Comment)
        entered = {}
        for student, grade in self._rows(connection, tables.Grade).items():
            note = comments.get(student)
            rows = [changes.get(grade["id"]), changes.get(note["id"]) if note else None]
            outside = [row for row in rows if row is not None and not row["by_desk"]]
            last = max(outside, key=lambda row: row["id"], default=None)
            comment = (note["manual_comment"] if note else None) or ""
            facts = (last["id"], last["at"]) if last is not None else ()
            entered[student] = Entered(grade["manual_score"], comment, *facts)
        return entered

    def enter(self, connection: Connection, values: Mapping[str, tuple[float, str]]) -> None:
        """Enter points and comments, by student, and label the changes in the journal as the desk's own.

        Raises
        ------
        UserError
            If the gradebook knows no answer of one of the students.
        """
        from nbgrader import api

        tables: Any = api
        grades = self._rows(connection, tables.Grade, lock=True)
        comments = self._rows(connection, tables.Comment, lock=True)
        # The rows are locked, so every change of them after this one is ours.
        before = connection.execute(select(func.max(CHANGES.c.id))).scalar() or 0
        changed = []
        for student, (points, comment) in values.items():
            if student not in grades:
                raise UserError(f"This answer to {self.topic} is not in the gradebook: run grader grade first.")
            grade = tables.Grade.__table__
            values_of_grade = {"manual_score": points, "needs_manual_grade": False}
            connection.execute(update(grade).where(grade.c.id == grades[student]["id"]).values(**values_of_grade))
            changed.append(grades[student]["id"])
            if student in comments:
                note = tables.Comment.__table__
                change = update(note).where(note.c.id == comments[student]["id"])
                connection.execute(change.values(manual_comment=comment or None))
                changed.append(comments[student]["id"])
        own = (CHANGES.c.id > before) & CHANGES.c.row.in_(changed)
        connection.execute(update(CHANGES).where(own).values(by_desk=True))

    def changes_of(self, connection: Connection, student: str) -> list[Mapping[str, Any]]:
        """Return the changes of one answer that were not made at the desk, the oldest first."""
        from nbgrader import api

        tables: Any = api
        rows = [self._rows(connection, table).get(student) for table in (tables.Grade, tables.Comment)]
        ids = [row["id"] for row in rows if row is not None]
        query = select(CHANGES).where(CHANGES.c.row.in_(ids), CHANGES.c.by_desk.is_(False)).order_by(CHANGES.c.id)
        return [dict(row) for row in connection.execute(query).mappings()]

    def _rows(self, connection: Connection, table: Any, lock: bool = False) -> dict[str, Mapping[Any, Any]]:
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
        if lock:
            query = query.with_for_update(of=table.__table__)
        return {row["student_id"]: row for row in connection.execute(query).mappings()}
