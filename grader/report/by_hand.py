"""What still waits for a person: written answers, and marks that were entered by hand and whose cell was graded again."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.ask import ask


@dataclass(frozen=True)
class ByHand:
    """What waits in a notebook: `answers` of `given` written answers, and `other` cells.

    `known` is False if the gradebook could not be read. In that case all written answers count as waiting.
    """

    topic: str
    given: int
    answers: int
    other: int = 0
    known: bool = True

    @property
    def waits(self) -> int:
        """Return the number of written answers and other cells that wait for a grade."""
        return self.answers + self.other


def open_by_hand(db_url: str, graded: Sequence[GradeRecord]) -> list[ByHand]:
    """Return counts by notebook, for notebooks in which something was written or waits."""
    given: Counter[str] = Counter()
    cells: dict[str, set[str]] = {}
    students = {record.student for record in graded}
    for record in graded:
        given[record.topic] += sum(record.written.values())
        cells.setdefault(record.topic, set()).update(record.written)
    waiting = _waiting(db_url)
    lines = []
    for topic in sorted(cells):
        if waiting is None:
            line = ByHand(topic, given[topic], given[topic], known=False)
        else:
            mine = [name for student, where, name in waiting if where == topic and student in students]
            answers = sum(name in cells[topic] for name in mine)
            line = ByHand(topic, given[topic], answers, len(mine) - answers)
        if line.given or line.answers or line.other:
            lines.append(line)
    return lines


def _waiting(db_url: str) -> list[tuple[str, str, str]] | None:
    """Return (student, notebook, cell) of every grade that waits for a person, or None if no gradebook can be read."""

    def question(book: Any) -> list[tuple[str, str, str]]:
        from nbgrader.api import BaseCell, Grade, Notebook, Student, SubmittedAssignment, SubmittedNotebook

        rows = (
            book.db.query(Student.id, Notebook.name, BaseCell.name)
            .select_from(Grade)
            .join(BaseCell, Grade.cell_id == BaseCell.id)
            .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
            .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
            .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Student, SubmittedAssignment.student_id == Student.id)
            .filter(Grade.needs_manual_grade)
        )
        return [(student, topic, cell) for student, topic, cell in rows]

    return ask(db_url, question)
