"""The grades of a class as they count: after penalties, with what people entered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from embedding_course.checking.result import number

from .. import records
from ..attempts import attempts_in_words
from ..policy.course import Course


@dataclass(frozen=True)
class Grade:
    """The grade of one student in one notebook.

    `raw` is the score before the `penalty` for lateness. `counted` is the score after an export capped or scaled it.
    """

    raw: float
    penalty: float
    most: float
    waits: bool
    comment: str = ""
    counted: float | None = None

    @property
    def score(self) -> float:
        """Return the points that count: `counted` if it is set, else `raw` less the penalty and at least 0."""
        return self.counted if self.counted is not None else max(0.0, self.raw - self.penalty)


@dataclass
class Student:
    """A student and the grades of the notebooks that were handed in, by topic."""

    id: str
    first: str = ""
    last: str = ""
    email: str = ""
    number: str = ""
    grades: dict[str, Grade] = field(default_factory=dict)

    @property
    def words(self) -> Iterator[str]:
        """Yield what this student may be called elsewhere, the best first."""
        yield from (word for word in (self.id, self.email, self.number) if word)
        if self.first and self.last:
            yield f"{self.first} {self.last}"


def read_grades(db_url: str, course: Course) -> tuple[list[Student], dict[str, float]]:
    """Return the students of a gradebook, and what each notebook is worth there."""
    with Gradebook(db_url) as book:
        assignments: list[Any] = [assignment for assignment in book.assignments if assignment.name in course.topics]
        people: list[Any] = book.students
        known = {str(database_row.name): float(database_row.max_score) for database_row in assignments}
        students = {
            str(row.id): Student(row.id, row.first_name or "", row.last_name or "", row.email or "", row.lms_user_id or "")
            for row in people
        }
        for topic in known:
            for database_row in book.assignment_submissions(topic):
                students[str(database_row.student_id)].grades[topic] = _grade(database_row, course.most_extra)
    return sorted(students.values(), key=lambda student: student.id), dict(sorted(known.items()))


def name_attempts(home: Path, course: Course, students: Sequence[Student]) -> dict[tuple[str, str], str]:
    """Write into the comments which of several files counts, and return these sentences by notebook and student.

    Parameters
    ----------
    home : Path
        Folder of the class.
    course : Course
    students : sequence of Student
        Students whose comments are changed in place.
    """
    sentences = {}
    for record in records.load_all(home):
        if record.others:
            sentences[record.topic, record.student] = attempts_in_words(record, course)[0]
    for student in students:
        for topic, grade in student.grades.items():
            if words := sentences.get((topic, student.id)):
                student.grades[topic] = replace(grade, comment=f"{grade.comment} {words}".strip())
    return sentences


def _grade(submission: Any, most_extra: float | None) -> Grade:
    penalty = float(submission.late_submission_penalty or 0.0)
    comments = [row.manual_comment for notebook in submission.notebooks for row in notebook.comments if row.manual_comment]
    if penalty:
        comments.append(f"Late: {number(penalty)} points taken off {number(submission.score)}.")
    raw, most, counted = float(submission.score), float(submission.max_score), None
    if most_extra is not None and raw - penalty > most + most_extra:
        counted = most + most_extra
        comments.append(f"Extra credit counts up to {number(most_extra)} points: {number(counted)} of {number(raw - penalty)}.")
    return Grade(raw, penalty, most, bool(submission.needs_manual_grade), " ".join(comments), counted)
