"""The grade of the term for each student of a class, as a further column of what is exported."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from ..policy.course import Course
from ..policy.term import TermGrade, term_grade
from ..projects import add_projects
from ..roster import Roster
from .grades import Grade, Student, read_grades

#: The name of the column.
TERM = "term"


def term_grades(course: Course, students: Sequence[Student], roster: Roster) -> dict[str, TermGrade]:
    """Return the grade of each student by id; empty if course.toml has no `[term]`.

    Parameters
    ----------
    course : Course
    students : sequence of Student
        Students with the grades of notebooks and projects, as they count.
    roster : Roster
        If it names people, only they have a grade of the term.
    """
    if course.term is None:
        return {}
    graded = {name for student in students for name in student.grades}
    listed = {person.id for person in roster.people}
    grades = {}
    for student in students:
        if listed and student.id not in listed:
            continue
        shares = {name: grade.score / grade.most for name, grade in student.grades.items() if grade.most > 0}
        excused = [topic for person, topic in course.excused if person == student.id]
        open_topics = [name for name in (*course.topics, *course.projects) if not _is_due(course, name, student, graded)]
        grades[student.id] = term_grade(course.term, shares, excused, open_topics, tuple(course.projects))
    return grades


def _is_due(course: Course, name: str, student: Student, graded: Collection[str]) -> bool:
    """Return False if a student may still hand in a notebook or project of which nothing is graded.

    Without a deadline something is due as soon as one student's is graded.
    """
    if name in student.grades:
        return True
    due = course.due(name, student.id)
    return due <= datetime.now(UTC) if due is not None else name in graded


def read_term(home: Path, db_url: str, course: Course, roster: Roster) -> dict[str, TermGrade]:
    """Return the grade of each student by id, read from the gradebook and the projects of a class."""
    students, worth = read_grades(db_url, course)
    add_projects(home, course, students, worth)
    return term_grades(course, students, roster)


def add_term(students: Sequence[Student], worth: dict[str, float], grades: dict[str, TermGrade]) -> None:
    """Add the column of the term to the grades of a class, which are changed in place."""
    for student in students:
        grade = grades.get(student.id)
        if grade is not None and grade.points is not None:
            worth[TERM] = grade.scale
            student.grades[TERM] = Grade(round(grade.points, 2), 0.0, grade.scale, False)
