"""A course that is not ours, seen from a process that serves ours."""

import ast
import sqlite3
from pathlib import Path

import nbformat

from embedding_course.subject.course import CourseInUse


def solved(course: Path, topic: str) -> bytes:
    """What somebody hands in who has every answer: the learner's notebook with the references in its stubs."""
    notebook = nbformat.read(course / "notebooks" / topic / f"{topic}.ipynb", as_version=4)
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and marks.get("solution"):
            name = marks["grade_id"].split("-")[1]
            cell.source = (course / "solutions" / topic / "reference" / f"{name}.py").read_text(encoding="utf-8")
    return nbformat.writes(notebook).encode("utf-8")


def graded(home: Path) -> dict[str, tuple[float, float]]:
    """What the gradebook of a class holds: by student the score, and what there was to earn."""
    asked = (
        "select s.student_id, sum(g.auto_score), sum(c.max_score) from grade g "
        "join submitted_notebook n on n.id = g.notebook_id "
        "join submitted_assignment s on s.id = n.assignment_id join grade_cells c on c.id = g.cell_id "
        "where c.cell_type = 'code' group by s.student_id"
    )
    book = sqlite3.connect(home / "gradebook.db")
    try:
        return {student: (score, most) for student, score, most in book.execute(asked)}
    finally:
        book.close()


def names(own: CourseInUse) -> dict[str, str]:
    """The first exercise of each notebook, by number, as its list names it."""
    exercise_names = {}
    for path in sorted((own.home / "exercises").glob("*/__init__.py")):
        lists = [node.value for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)]
        exercise_names[path.parent.name[:2]] = next(
            ast.unparse(value.elts[0]) for value in lists if isinstance(value, ast.Tuple)
        )
    return exercise_names
