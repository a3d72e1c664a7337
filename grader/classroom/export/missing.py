"""Who has no points in an export, and which of three things that means: nothing came, it cannot be read, or it earned zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from .. import records
from ..name_list import first_names
from ..policy.course import Course
from ..roster import Roster

if TYPE_CHECKING:  # which brings nbgrader
    from .grades import Student

#: What becomes of the cells of those from whom nothing came.
CHOICES = ("empty", "zero")
_SHOWN = 10


@dataclass(frozen=True)
class Missing:
    """The students without points in one notebook, by what it means.

    `not_due` are those whose time is not over, and `excused` those from whom nothing is expected.
    """

    topic: str
    nothing: list[str] = field(default_factory=list)
    not_due: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    zero: list[str] = field(default_factory=list)
    excused: list[str] = field(default_factory=list)

    def says(self, zeros: bool) -> Iterator[str]:
        """Return a sentence for each kind of missing points that occurs."""
        entered = "entered as 0" if zeros else "left empty; --missing zero enters 0"
        kinds = (
            (self.nothing, f"nothing came ({entered})"),
            (self.not_due, "nothing came yet, and there is time still (left empty)"),
            (self.unreadable, "a file came that cannot be read (left empty; grader report has the reasons)"),
            (self.zero, "handed in and earned 0 points"),
            (self.excused, "nothing came, and nothing has to: excused (left empty)"),
        )
        for names, phrase in kinds:
            if names:
                yield f"{self.topic}: {len(names)} {phrase}: {first_names(names, _SHOWN)}."


def missing_of(
    home: Path, course: Course, students: Sequence[Student], worth: Mapping[str, float], roster: Roster
) -> list[Missing]:
    """Return who has no points in each notebook, and why.

    Parameters
    ----------
    home : Path
        Folder of the class.
    course : Course
    students : sequence of Student
        Students with their grades.
    worth : mapping of str to float
        Points of each notebook to look at.
    roster : Roster
        If it names people, only they count among those from whom nothing came.
    """
    listed = {person.id for person in roster.people}
    missing_points = []
    for topic in (name for name in worth if name in course.topics):
        missing = Missing(topic)
        read = {record.student: record for record in records.load_topic(home, topic)}
        for student in students:
            grade = student.grades.get(topic)
            record = read.get(student.id)
            if grade is not None:
                if grade.score == 0:
                    missing.zero.append(student.id)
            elif record is not None:
                missing.unreadable.append(student.id)
            elif (student.id, topic) in course.excused:
                missing.excused.append(student.id)
            elif not listed or student.id in listed:
                due = course.due(topic, student.id)
                (missing.not_due if due is not None and due > datetime.now(UTC) else missing.nothing).append(student.id)
        missing_points.append(missing)
    return missing_points


def enter_zeros(students: Sequence[Student], worth: Mapping[str, float], missing: Sequence[Missing]) -> None:
    """Give 0 points to those from whom nothing came and whose time is over.

    Parameters
    ----------
    students : sequence of Student
        Students whose grades are changed in place.
    worth : mapping of str to float
        Points of each notebook.
    missing : sequence of Missing
        What `missing_of` returns.
    """
    from .grades import Grade

    for gaps in missing:
        for student in students:
            if student.id in gaps.nothing:
                student.grades[gaps.topic] = Grade(0.0, 0.0, worth[gaps.topic], False, "Nothing was handed in.")


def status_of(missing: Sequence[Missing]) -> dict[tuple[str, str], str]:
    """Return why each student has no points, by notebook and student, for the column of a table."""
    return {
        (gaps.topic, name): status
        for gaps in missing
        for names, status in (
            (gaps.nothing, "nothing came"),
            (gaps.not_due, "not due yet"),
            (gaps.unreadable, "not readable"),
            (gaps.zero, "zero earned"),
            (gaps.excused, "excused"),
        )
        for name in names
    }
