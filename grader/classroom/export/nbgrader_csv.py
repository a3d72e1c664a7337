"""nbgrader's own CSV file, with quotation marks where they are needed and without formulas."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from ..policy.term import TermGrade
from .platform_sheets import write_csv

_COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


class SafeCsv(ExportPlugin):
    """The columns and rows of nbgrader's CsvExportPlugin, also for `nbgrader export`.

    nbgrader's plugin does not quote names: a comma in a name moves every cell behind it, and a name may be a formula.
    """

    def export(self, gradebook: Gradebook) -> None:
        """Write the grades of a gradebook to the file that nbgrader was given."""
        self.write(gradebook)

    def write(
        self,
        gradebook: Gradebook,
        status: Mapping[tuple[str, str], str] | None = None,
        terms: Mapping[str, TermGrade] | None = None,
        most_extra: float | None = None,
    ) -> None:
        """Write the file. With `status`, by notebook and student, a last column says what a row without points means.

        With `terms`, by student, a row "term" at the end holds the grade of the term. With `most_extra` the score, not the raw
        score, is at most so much above the maximum.
        """
        rows: list[list[Any]] = [[*_COLUMNS, *(["status"] if status is not None else [])]]
        for assignment in gradebook.assignments:
            for student in gradebook.students:
                if _asked(assignment.name, self.assignment) and _asked(student.id, self.student):
                    status_cells = [] if status is None else [status.get((str(assignment.name), str(student.id)), "handed in")]
                    rows.append([*_row(gradebook, assignment, student, most_extra), *status_cells])
        for student in gradebook.students:
            term = (terms or {}).get(str(student.id))
            if term is not None and term.points is not None:
                who = [student.id, student.last_name, student.first_name, student.email]
                points = f"{term.points:.2f}"
                row = ["term", "", "", *who, points, "0.0", points, str(term.scale)]
                rows.append([*row, *([""] if status is not None else [])])
        write_csv(Path(self.to or "grades.csv"), rows)


def _asked(name: Any, chosen: list[Any]) -> bool:
    return not chosen or name in map(str, chosen)


def _row(gradebook: Gradebook, assignment: Any, student: Any, most_extra: float | None) -> list[Any]:
    who = [student.id, student.last_name, student.first_name, student.email]
    try:
        submission: Any = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return [assignment.name, assignment.duedate, "", *who, "0.0", "0.0", "0.0", str(assignment.max_score)]
    penalty = submission.late_submission_penalty
    score = max(0.0, submission.score - (penalty or 0.0))
    if most_extra is not None:
        score = min(score, assignment.max_score + most_extra)
    scores = [str(submission.score), str(penalty), str(score), str(assignment.max_score)]
    return [assignment.name, assignment.duedate, submission.timestamp, *who, *scores]
