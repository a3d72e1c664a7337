"""The tables of written marks, which stand beside nbgrader's own in the gradebook of a class.

A mark is never changed: a new row replaces it, and names the row that it replaces. Two people who replace the same row at the
same time meet the unique constraint, so that the second one is told, on SQLite as on PostgreSQL.
"""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Connection, Float, Integer, MetaData, String, Table, Text, UniqueConstraint

__all__ = ["MARKS", "OPENED", "RUBRIC", "make_tables"]

_METADATA = MetaData()
_ID = 128

RUBRIC = Table(
    "course_rubric_item",
    _METADATA,
    Column("id", Integer, primary_key=True),
    Column("question", String(_ID), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("points", Float, nullable=False),
    Column("retired", Boolean, nullable=False, default=False),
)

MARKS = Table(
    "course_written_mark",
    _METADATA,
    Column("id", Integer, primary_key=True),
    Column("question", String(_ID), nullable=False),
    Column("student", String(_ID), nullable=False),
    Column("items", JSON, nullable=False),
    Column("adjustment", Float, nullable=False),
    Column("comment", Text, nullable=False),
    Column("author", String(_ID), nullable=False),
    Column("at", String(40), nullable=False),
    Column("answer", String(64), nullable=False),  # SHA-256 of the text that was marked
    Column("replaces", Integer, nullable=False),  # the id of the mark before, 0 for the first
    UniqueConstraint("question", "student", "replaces"),
)

#: Who has which answer open, renewed while the page shows it.
OPENED = Table(
    "course_opened_answer",
    _METADATA,
    Column("question", String(_ID), primary_key=True),
    Column("student", String(_ID), primary_key=True),
    Column("author", String(_ID), primary_key=True),
    Column("at", Float, nullable=False),
)


def make_tables(connection: Connection) -> None:
    """Make the tables where they are missing."""
    _METADATA.create_all(connection)
