"""A class's deadlines and late penalties in nbgrader's gradebook, where formgrader and exports read them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from .course import Course


def set_lateness(book: Any, course: Course, times: Mapping[tuple[str, str], datetime | None] | None = None) -> None:
    """Enter deadlines, extensions and penalties of every submission of the class. Without `times`, those of the gradebook
    are believed. Where the class has no deadlines nothing is touched: they may be kept in nbgrader.

    The penalty is nbgrader's own: points of the notebook, never more than it earned. It is computed from the score as it
    is now, so a grade that a person enters later is followed at the next call.
    """
    if not course.deadlines:
        return
    from nbgrader.api import SubmittedAssignment

    for assignment in book.assignments:
        if assignment.name not in course.topics:
            continue
        due = course.deadlines.get(assignment.name)
        assignment.duedate = due and _plain(due)
        rows = book.db.query(SubmittedAssignment).filter(SubmittedAssignment.assignment_id == assignment.id)
        for row in rows:
            _date(row, assignment.name, course, times or {})
    book.db.commit()


def _date(row: Any, topic: str, course: Course, times: Mapping[tuple[str, str], datetime | None]) -> None:
    row.timestamp = times.get((topic, row.student_id)) or row.timestamp
    due = course.due(topic, row.student_id)
    longer = due - course.deadlines[topic] if due else None
    row.extension = longer or None
    late = course.lateness(topic, row.student_id, row.timestamp)
    for notebook in row.notebooks:
        taken = late.points(notebook.score, notebook.max_score) if late and late.share else None
        notebook.late_submission_penalty = taken


def _plain(moment: datetime) -> datetime:
    """In UTC without a zone, as nbgrader keeps times."""
    return moment.astimezone(UTC).replace(tzinfo=None)
