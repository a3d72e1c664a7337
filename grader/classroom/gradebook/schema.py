"""Gradebooks of other versions: recognise them before they are opened, and upgrade them after a copy is made."""

import contextlib
import io
import os
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from nbformat.notebooknode import NotebookNode
from nbgrader import dbutil
from nbgrader.api import Base, Comment, Grade, Gradebook, GradeCell, SolutionCell
from sqlalchemy import Column, MetaData, String, Table
from sqlalchemy.exc import DBAPIError

from ..policy.course import Course
from .address import is_missing_file


def misfit(db_url: str) -> str:
    """Return why this gradebook cannot be used as it is, as a clause; empty if it can, or if there is none yet.

    nbgrader itself would fail at the first column that is missing.
    """
    if is_missing_file(db_url):
        return ""
    engine = sqlalchemy.create_engine(db_url)
    try:
        with engine.connect() as connection:
            tables = sqlalchemy.inspect(connection).get_table_names()
            if not tables:
                return ""
            if "assignment" not in tables:
                return "is a database, but not a gradebook; move it away, or name another with --db"
            version = ""
            if "alembic_version" in tables:
                version = str(connection.execute(sqlalchemy.text("SELECT version_num FROM alembic_version")).scalar() or "")
    except DBAPIError as error:
        if "locked" in str(error) or "busy" in str(error):
            return ""  # `Book` waits for it
        return f"cannot be read: {str(error.orig).splitlines()[0]}"
    finally:
        engine.dispose()
    steps = _steps()
    if version == steps.get_current_head():
        return ""
    try:
        if not version or steps.get_revision(version):
            return "is from an older version of nbgrader (grader class upgrade brings it up to date and keeps a copy)"
    except CommandError:
        pass
    return "is from a newer version of nbgrader than the one here: pip install --upgrade nbgrader"


def clear_half_made(db_url: str) -> None:
    """Remove the empty tables of a gradebook whose making was interrupted.

    Such tables lack the note of their version, so they look like those of an old gradebook. Nothing is removed if any table
    holds a row.
    """
    if is_missing_file(db_url):
        return
    engine = sqlalchemy.create_engine(db_url)
    try:
        with engine.begin() as connection:
            tables = set(sqlalchemy.inspect(connection).get_table_names())
            ours = [table for table in Base.metadata.sorted_tables if table.name in tables]
            if "alembic_version" in tables or not tables or len(ours) < len(tables):
                return
            if not any(connection.execute(sqlalchemy.select(table).limit(1)).first() for table in ours):
                Base.metadata.drop_all(connection)
    except DBAPIError:
        return  # reported by `misfit`, or waited for
    finally:
        engine.dispose()


def make_tables(db_url: str) -> None:
    """Make the tables of a new gradebook as nbgrader does, which starts a program to learn the version of its tables."""
    engine = sqlalchemy.create_engine(db_url)
    try:
        with engine.begin() as connection:
            if not sqlalchemy.inspect(connection).get_table_names():
                Base.metadata.create_all(connection)
                version = Table("alembic_version", MetaData(), Column("version_num", String(32), nullable=False))
                version.create(connection)
                connection.execute(version.insert().values(version_num=_steps().get_current_head()))
    finally:
        engine.dispose()


def _steps() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", dbutil.ALEMBIC_DIR)
    return ScriptDirectory.from_config(config)


def copy_of(path: Path, target: Path | None = None) -> Path:
    """Copy an SQLite gradebook, complete even while others write, and return the copy, by default beside the gradebook."""
    target = target or path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%S}.{os.getpid()}.backup")
    target.touch(0o600)  # it holds names and grades
    with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
    return target


def upgrade_schema(db_url: str) -> None:
    """Run nbgrader's own migrations up to the newest.

    Raises
    ------
    RuntimeError
        If one of them fails.
    """
    from alembic import command

    with dbutil._temp_alembic_ini(db_url) as ini:
        config = Config(ini, stdout=io.StringIO())
        config.attributes["configure_logger"] = False
        try:
            command.upgrade(config, "head")
        except (DBAPIError, CommandError, KeyError) as error:
            raise RuntimeError(str(error).splitlines()[0]) from None


def refit(db_url: str, topic: str, release: NotebookNode) -> list[str]:
    """Give a notebook that has submissions in the gradebook the cells of its release, and return what was done, by cell.

    New cells are added, to submissions too. A cell that is gone keeps its rows and comments, and counts nothing.

    Parameters
    ----------
    db_url : str
        Address of the gradebook's database.
    topic : str
        Name of the notebook.
    release : NotebookNode
        The notebook as it is released now.
    """
    done: list[str] = []
    with Gradebook(db_url) as book:
        notebook = book.find_notebook(topic, topic)
        known = {cell.name for cell in notebook.source_cells}
        wanted = {cell.metadata.nbgrader.grade_id: cell for cell in release.cells if "nbgrader" in cell.metadata}
        for name in sorted(known - set(wanted)):
            _retire(book, notebook, name)
            done.append(f"{name} counts no longer")
        for name in sorted(set(wanted) - known):
            _add(book, topic, wanted[name])
            done.append(f"{name} added")
        book.db.commit()
    return done


def _retire(book: Any, notebook: Any, name: str) -> None:
    for cell in notebook.grade_cells:
        if cell.name == name:
            cell.max_score = 0.0
            for grade in cell.grades:
                grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 0.0, None, None, False
    for cell in list(notebook.source_cells):
        if cell.name == name:
            book.db.delete(cell)


def _add(book: Any, topic: str, cell: NotebookNode) -> None:
    marks = cell.metadata.nbgrader
    name = marks.grade_id
    kept = {"cell_type": cell.cell_type, "source": cell.source, "checksum": marks.get("checksum"), "locked": marks.locked}
    book.update_or_create_source_cell(name, topic, topic, **kept)
    if marks.grade:
        book.update_or_create_grade_cell(name, topic, topic, max_score=float(marks.points), cell_type=cell.cell_type)
    if marks.solution:
        book.update_or_create_solution_cell(name, topic, topic)
    notebook = book.find_notebook(topic, topic)
    for base in notebook._base_cells:
        if base.name == name:
            for submission in notebook.submissions:
                if isinstance(base, GradeCell):
                    book.db.add(Grade(cell=base, notebook=submission))
                elif isinstance(base, SolutionCell):
                    book.db.add(Comment(cell=base, notebook=submission))


def set_lateness(book: Any, course: Course, times: Mapping[tuple[str, str], datetime | None] | None = None) -> None:
    """Enter deadlines, extensions and penalties of every submission of the class into the gradebook.

    The penalty is nbgrader's own: points of the notebook, at most as many as it earned. It is computed from the present
    score, so the next call takes into account a grade that a person enters later.

    If the class has no deadlines, nothing is changed, since deadlines may be kept in nbgrader.

    Parameters
    ----------
    book : Any
        Gradebook that is open.
    course : Course
    times : mapping of (str, str) to datetime or None, optional
        When each file was handed in, by notebook and student; by default the times in the gradebook count.
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
    """Return the moment in UTC without a zone, as nbgrader keeps times."""
    return moment.astimezone(UTC).replace(tzinfo=None)
