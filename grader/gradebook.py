"""nbgrader's gradebook, written through its own API."""

from __future__ import annotations

import os
import sqlite3
import sys
import warnings
from datetime import datetime
from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import SaveCells
from nbgrader.utils import is_grade, is_solution
from sqlalchemy.exc import SAWarning

from .records import Record

# nbgrader builds its rows in an order that newer SQLAlchemy versions warn about; nothing is lost by it.
warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")

__all__ = ["ensure_assignment", "find_alembic", "prepare", "save_extra_credit", "save_submission"]


def find_alembic() -> None:
    """nbgrader calls `alembic` by its bare name; it lies beside the interpreter even where no venv is active."""
    folder = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", "")
    if folder not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([folder, path])


def prepare(db_url: str) -> None:
    """Put an SQLite gradebook into WAL mode, so that formgrader can read while grades are written."""
    find_alembic()
    if db_url.startswith("sqlite:///"):
        path = Path(db_url.removeprefix("sqlite:///"))
        with Gradebook(db_url):
            pass
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.close()


def ensure_assignment(db_url: str, topic: str, release: NotebookNode) -> None:
    """Make the gradebook know a notebook's cells, as `nbgrader generate_assignment` would."""
    with Gradebook(db_url) as book:
        book.update_or_create_assignment(topic)
        try:
            known = {cell.name: cell.checksum for cell in book.find_notebook(topic, topic).source_cells}
        except MissingEntry:
            known = {}
    wanted = {
        cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.checksum
        for cell in release.cells
        if "nbgrader" in cell.metadata
    }
    if known != wanted:
        facts: Any = {"nbgrader": {"notebook": topic, "assignment": topic, "db_url": db_url}}
        SaveCells().preprocess(release, facts)


def save_submission(
    db_url: str, record: Record, notebook: NotebookNode, timestamp: datetime | None, earlier: Record | None
) -> None:
    """Store one submission's automatic scores. What a person entered (manual scores, comments) stays."""
    points = {f"{result.exercise.replace('.', '-')}-check": result for result in record.results}
    with Gradebook(db_url) as book:
        book.update_or_create_student(record.student)
        known: Any = {} if timestamp is None else {"timestamp": timestamp}
        book.update_or_create_submission(record.topic, record.student, **known)
        for cell in notebook.cells:
            if not is_grade(cell):
                continue
            name = cell.metadata.nbgrader.grade_id
            grade = book.find_grade(name, record.topic, record.topic, record.student)
            if name in points:
                result = points[name]
                _set(grade, auto_score=result.score if result.core else 0.0)
                _set(grade, needs_manual_grade=grade.manual_score is not None)
            elif is_solution(cell):
                _written_answer(book, grade, cell, record)
        book.db.commit()
    save_extra_credit(db_url, record, earlier)


def _written_answer(book: Gradebook, grade: Any, cell: NotebookNode, record: Record) -> None:
    """A manually graded answer waits for a person, unless it was left empty."""
    empty = "YOUR ANSWER HERE" in cell.source
    _set(grade, auto_score=0.0 if empty else None, needs_manual_grade=not empty and grade.manual_score is None)
    comment = book.find_comment(cell.metadata.nbgrader.grade_id, record.topic, record.topic, record.student)
    _set(comment, auto_comment="No response." if empty else None)


def _set(row: Any, **values: Any) -> None:
    """Set columns of a row; nbgrader's classes declare them as columns, which a type checker takes literally."""
    for name, value in values.items():
        setattr(row, name, value)


def save_extra_credit(db_url: str, record: Record, earlier: Record | None) -> None:
    """Further exercises pay extra credit. A value that a person entered stays as it is."""
    before: dict[str, float] = {}
    if earlier is not None:
        before = {result.exercise: result.score for result in earlier.results if not result.core}
    with Gradebook(db_url) as book:
        for result in record.results:
            if result.core:
                continue
            name = f"{result.exercise.replace('.', '-')}-check"
            grade = book.find_grade(name, record.topic, record.topic, record.student)
            if grade.extra_credit in (None, 0.0, before.get(result.exercise)):
                _set(grade, extra_credit=result.score)
        book.db.commit()

