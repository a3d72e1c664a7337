"""What the gradebook holds of each submission: points by cell, what a person entered, and what lateness takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .ask import ask


@dataclass(frozen=True)
class CellMark:
    """One graded cell. `waits` for a person; `by_hand` is true where a person entered the points.

    `author` and `at` say who marked a written answer and when, as far as that is known.
    """

    points: float
    most: float
    extra: float = 0.0
    waits: bool = False
    by_hand: bool = False
    author: str = ""
    at: str = ""


@dataclass(frozen=True)
class Marks:
    """What the gradebook holds of one submission.

    Attributes
    ----------
    cells
        The graded cells by their ids.
    comments
        What a person wrote below the answers, by the ids of their cells.
    penalty
        The points that lateness takes.
    """

    cells: Mapping[str, CellMark] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)
    penalty: float = 0.0

    @property
    def score(self) -> float:
        """Return what was earned, before lateness and without extra credit."""
        return sum(mark.points for mark in self.cells.values())

    @property
    def extra(self) -> float:
        """Return the extra credit."""
        return sum(mark.extra for mark in self.cells.values())

    @property
    def most(self) -> float:
        """Return the points that can be earned, without extra credit."""
        return sum(mark.most for mark in self.cells.values())

    @property
    def waiting(self) -> float:
        """Return points over which a person has yet to decide."""
        return sum(mark.most for mark in self.cells.values() if mark.waits)


def marks_of(db_url: str, topic: str) -> dict[str, Marks] | None:
    """Return the marks of a notebook by student; None if there is no gradebook.

    They are read with a few queries for the whole class.
    """
    return ask(db_url, lambda book: _read(book, topic))


def _read(book: Any, topic: str) -> dict[str, Marks]:
    from nbgrader import api

    from .marking_tables import last_marks

    tables: Any = api  # SQLAlchemy makes the columns that the classes have
    Grade, GradeCell, BaseCell, Comment = tables.Grade, tables.GradeCell, tables.BaseCell, tables.Comment
    SubmittedNotebook, SubmittedAssignment = tables.SubmittedNotebook, tables.SubmittedAssignment

    def of_topic(query: Any, row: Any) -> Any:
        selection = query.select_from(row)
        if row is not SubmittedNotebook:
            selection = selection.join(SubmittedNotebook, row.notebook_id == SubmittedNotebook.id)
        return (
            selection.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(tables.Assignment, SubmittedAssignment.assignment_id == tables.Assignment.id)
            .filter(tables.Assignment.name == topic)
        )

    student: Any = SubmittedAssignment.student_id
    comments: dict[str, dict[str, str]] = {}
    comment_rows = of_topic(book.db.query(student, BaseCell.name, Comment.manual_comment), Comment)
    for who, name, text in comment_rows.join(BaseCell, Comment.cell_id == BaseCell.id):
        if text:
            comments.setdefault(who, {})[name] = text
    late = of_topic(book.db.query(student, SubmittedNotebook.late_submission_penalty), SubmittedNotebook)
    penalties = {who: taken or 0.0 for who, taken in late}
    wanted = (GradeCell.name, GradeCell.max_score, Grade.auto_score, Grade.manual_score, Grade.extra_credit)
    rows = of_topic(book.db.query(student, *wanted, Grade.needs_manual_grade), Grade)
    authors = last_marks(book.db.connection(), topic)
    cells: dict[str, dict[str, CellMark]] = {}
    for who, name, most, auto, manual, extra, waits in rows.join(GradeCell, Grade.cell_id == GradeCell.id):
        points = auto if manual is None else manual
        facts = (bool(waits), manual is not None, *authors.get((who, name), ()))
        cells.setdefault(who, {})[name] = CellMark(points or 0.0, most, extra or 0.0, *facts)
    return {who: Marks(student_cells, comments.get(who, {}), penalties.get(who, 0.0)) for who, student_cells in cells.items()}
