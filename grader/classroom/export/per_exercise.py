"""Points by exercise or by criterion as one table: a row for each student, a column for each exercise or criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from embedding_course.checking.result import Result, number
from embedding_course.exercises.index import entries_of

from ..grade_record import GradeRecord
from ..gradebook.marks import CellMark, Marks
from ..policy.course import Course
from .grades import Student
from .platform_sheets import Row

_WHO = ("last_name", "first_name", "student_id")
#: Differences of points below this are rounding.
_ROUNDING = 1e-6


@dataclass
class Column:
    """One column: its title and the points by student. A student who is not in `cells` gets an empty cell."""

    title: str
    cells: dict[str, float] = field(default_factory=dict)


def per_sheet(
    students: Sequence[Student],
    worth: Mapping[str, float],
    course: Course,
    marks: Mapping[str, Mapping[str, Marks]],
    records: Mapping[str, Mapping[str, GradeRecord]],
    criteria: bool = False,
) -> list[Row]:
    """Return the table: names, the id, the columns of each notebook, projects, the term, and the e-mail address at the end.

    The title of a column ends with what it is worth, such as `03.norm_trace (2)` or `03.tied_scores (1 extra)`. Each notebook
    ends with `03 late penalty` and `03 counts (24)`: points are taken from a notebook, never from an exercise. A written answer
    that waits for a person is an empty cell. A student whose missing submission is entered as 0 has 0 in every exercise.

    Parameters
    ----------
    students : sequence of Student
        Students with their grades, of which each becomes a row.
    worth : mapping of str to float
        What notebooks, projects and the term are worth, in the order of the columns.
    course : Course
    marks : mapping
        What the gradebook holds, by notebook and student.
    records : mapping
        The records of graded submissions, by notebook and student.
    criteria : bool, optional
        True for a column for each criterion of an exercise that has several. Points of an exercise that no criterion earned,
        such as those that a person gave, then stand in a column “other points”.
    """
    columns: list[Column] = []
    for name, most in worth.items():
        if name in course.topics:
            given = marks.get(name, {})
            parts = _of_notebook(name, course, given, records.get(name, {}), criteria)
            zeros = {student.id: 0.0 for student in students if name in student.grades and student.id not in given}
            for column in parts:
                column.cells |= zeros
            columns += parts
            columns.append(Column(f"{name[:2]} late penalty", _grades(students, name, penalty=True)))
            columns.append(Column(f"{name[:2]} counts ({number(most)})", _grades(students, name)))
        else:
            columns.append(Column(f"{name} ({number(most)})", _grades(students, name)))
    rows: list[Row] = [[*_WHO, *(column.title for column in columns), "email"]]
    for student in students:
        points = [column.cells.get(student.id) for column in columns]
        rows.append([student.last, student.first, student.id, *points, student.email])
    return rows


def _grades(students: Sequence[Student], name: str, penalty: bool = False) -> dict[str, float]:
    grades = {student.id: student.grades[name] for student in students if name in student.grades}
    return {student: grade.penalty if penalty else grade.score for student, grade in grades.items()}


def _of_notebook(
    topic: str, course: Course, marks: Mapping[str, Marks], records: Mapping[str, GradeRecord], criteria: bool
) -> list[Column]:
    terms, columns = course.terms_of(topic), []
    for exercise in entries_of(topic):
        if exercise.id in terms.dropped:
            continue
        worth = terms.points.get(exercise.id, exercise.points)
        extra = "" if terms.core.get(exercise.id, exercise.core) else " extra"
        whole = Column(f"{exercise.id} ({number(worth)}{extra})", _points(marks, f"{exercise.grade_id}-check"))
        verdicts = {student: _verdict(record, exercise.id) for student, record in records.items()}
        columns += _of_criteria(exercise.id, whole, verdicts, extra) if criteria else [whole]
    return columns + _written(topic, marks)


def _points(marks: Mapping[str, Marks], cell: str) -> dict[str, float]:
    given = {student: mark.cells[cell] for student, mark in marks.items() if cell in mark.cells}
    return {student: mark.points + mark.extra for student, mark in given.items() if not _is_open(mark)}


def _is_open(mark: CellMark) -> bool:
    return mark.waits and not mark.by_hand


def _verdict(record: GradeRecord, exercise: str) -> Result | None:
    return next((result for result in record.results if result.exercise == exercise), None)


def _of_criteria(exercise: str, whole: Column, verdicts: Mapping[str, Result | None], extra: str) -> list[Column]:
    """Return a column for each criterion, and one for other points if there are any; `whole` if there is one criterion."""
    worth = {criterion.name: criterion.points for verdict in verdicts.values() if verdict for criterion in verdict.criteria}
    if len(worth) < 2:
        return [whole]
    columns = {name: Column(f"{exercise}: {name} ({number(points)}{extra})") for name, points in worth.items()}
    other = Column(f"{exercise}: other points")
    for student, points in whole.cells.items():
        verdict = verdicts.get(student)
        earned = {criterion.name: criterion.earned for criterion in verdict.criteria} if verdict else {}
        for name, column in columns.items():
            column.cells[student] = earned.get(name, 0.0)
        other.cells[student] = _rounded(points - sum(earned.values()))
    return [*columns.values(), *([other] if any(other.cells.values()) else [])]


def _rounded(difference: float) -> float:
    return round(difference, 6) if abs(difference) > _ROUNDING else 0.0


def _written(topic: str, marks: Mapping[str, Marks]) -> list[Column]:
    worth = {name: mark.most for of_one in marks.values() for name, mark in of_one.cells.items() if not name.endswith("-check")}
    titles = {name: f"{topic[:2]}.written" if len(worth) == 1 else f"{topic[:2]}.{name}" for name in worth}
    return [Column(f"{titles[name]} ({number(most)})", _points(marks, name)) for name, most in worth.items()]
