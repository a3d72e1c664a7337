"""Enter automatic scores and extra credit into nbgrader's gradebook, and keep what a person entered."""

from __future__ import annotations

import warnings
from datetime import datetime
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy.exc import SAWarning

from embedding_course.exercises.index import entries_of

from ..grade_record import GradeRecord

# nbgrader builds its rows in an order that newer SQLAlchemy versions warn about; nothing is lost by it.
warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")


def enter_scores(book: Gradebook, record: GradeRecord, timestamp: datetime | None, earlier: GradeRecord | None) -> None:
    """Enter the automatic scores of one submission. What a person entered (manual scores, comments) stays.

    Parameters
    ----------
    book : Gradebook
        nbgrader's open gradebook, which knows the notebook.
    record : GradeRecord
        Record of the submission.
    timestamp : datetime or None
        When it was handed in, in UTC without a zone; None if not known.
    earlier : GradeRecord or None
        Record that `record` replaces, if there is one.
    """
    book.update_or_create_student(record.student)
    another = earlier is not None and earlier.submission != record.submission  # its time says nothing of this file
    known: Any = {"timestamp": timestamp} if timestamp is not None or another else {}
    book.update_or_create_submission(record.topic, record.student, **known)
    rows = book.find_submission_notebook(record.topic, record.topic, record.student)
    grades = {grade.name: grade for grade in rows.grades}
    comments = {comment.name: comment for comment in rows.comments}
    paid = _paid_before(earlier)
    for result in record.results:
        grade = grades[f"{result.exercise.replace('.', '-')}-check"]
        grade.auto_score = result.score if result.core else 0.0
        grade.needs_manual_grade = grade.manual_score is not None
        _pay_extra(grade, result, paid)
    _leave_out(record, grades, paid)
    for name, given in record.written.items():
        # A written answer waits for a person, unless it was left empty.
        grades[name].auto_score = None if given else 0.0
        grades[name].needs_manual_grade = given and grades[name].manual_score is None
        if name in comments:
            comments[name].auto_comment = None if given else "No response."


def _paid_before(earlier: GradeRecord | None) -> dict[str, float]:
    """Return the extra credit of the last attempt, by exercise."""
    return {} if earlier is None else {result.exercise: result.score for result in earlier.results if not result.core}


def _pay_extra(grade: Any, result: Any, paid: dict[str, float]) -> None:
    """Enter extra credit for exercises that are not core. A value that a person entered stays."""
    before = paid.get(result.exercise)
    if result.core and before and grade.extra_credit == before:
        grade.extra_credit = 0.0  # the class counts it as core now
    if not result.core and grade.extra_credit in (None, 0.0, before):
        grade.extra_credit = result.score


def _leave_out(record: GradeRecord, grades: dict[str, Any], paid: dict[str, float]) -> None:
    """Set the exercises that the class dropped to zero. A value that a person entered stays."""
    counted = {result.exercise for result in record.results}
    for exercise in entries_of(record.topic):
        grade = grades.get(f"{exercise.grade_id}-check")
        if exercise.id not in counted and record.results and grade is not None:
            grade.auto_score = 0.0
            grade.needs_manual_grade = grade.manual_score is not None
            if grade.extra_credit and grade.extra_credit == paid.get(exercise.id):
                grade.extra_credit = 0.0


def save_extra_credit(db_url: str, record: GradeRecord, earlier: GradeRecord | None) -> None:
    """Store extra credit for a submission whose other scores nbgrader itself has stored.

    Parameters
    ----------
    db_url : str
        Address of the gradebook's database.
    record : GradeRecord
        Record of the submission.
    earlier : GradeRecord or None
        Record that `record` replaces, if there is one.
    """
    paid = _paid_before(earlier)
    with Gradebook(db_url) as book:
        for result in record.results:
            name = f"{result.exercise.replace('.', '-')}-check"
            _pay_extra(book.find_grade(name, record.topic, record.topic, record.student), result, paid)
        book.db.commit()
