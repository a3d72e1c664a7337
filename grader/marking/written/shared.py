"""What all who mark a question share besides marks: kept comments, who marks what, and who has which answer open."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, select, update

from ...classroom.class_folder import now
from ...classroom.gradebook.marking_tables import ALLOTTED, COMMENTS, OPENED
from ...errors import UserError
from .desk import Desk

#: An answer counts as open for so many seconds after its page was last heard of.
OPEN_SECONDS = 60.0


def look_at(desk: Desk, student: str, author: str) -> list[str]:
    """Note that a person has an answer open, and return who else has."""
    moment, question = time.time(), desk.question
    with desk.transaction() as connection:
        connection.execute(delete(OPENED).where((OPENED.c.question == question) & (OPENED.c.author == author)))
        connection.execute(delete(OPENED).where(OPENED.c.at < moment - OPEN_SECONDS))
        connection.execute(insert(OPENED).values(question=question, student=student, author=author, at=moment))
        others = (OPENED.c.question == question, OPENED.c.student == student, OPENED.c.author != author)
        return sorted(connection.execute(select(OPENED.c.author).where(*others)).scalars())


def open_answers(desk: Desk) -> dict[str, list[str]]:
    """Return who has which answer open, by student."""
    opened: dict[str, list[str]] = {}
    with desk.transaction() as connection:
        query = select(OPENED).where(OPENED.c.question == desk.question, OPENED.c.at >= time.time() - OPEN_SECONDS)
        for row in connection.execute(query).mappings():
            opened.setdefault(row["student"], []).append(row["author"])
    return opened


def kept_comments(desk: Desk) -> list[dict[str, Any]]:
    """Return the comments that are kept for a question, the oldest first."""
    with desk.transaction() as connection:
        query = select(COMMENTS).where(COMMENTS.c.question == desk.question, COMMENTS.c.retired.is_(False))
        rows = connection.execute(query.order_by(COMMENTS.c.id)).mappings()
        return [{name: row[name] for name in ("id", "text", "author")} for row in rows]


def keep_comment(desk: Desk, text: str, author: str) -> None:
    """Keep a comment for all who mark the question; one that is kept already stays as it is.

    Raises
    ------
    UserError
        If the comment is empty.
    """
    text = text.strip()
    if not text:
        raise UserError("There is no comment to keep: write one first.")
    if any(comment["text"] == text for comment in kept_comments(desk)):
        return
    with desk.transaction() as connection:
        connection.execute(insert(COMMENTS).values(question=desk.question, text=text, author=author, at=now(), retired=False))


def drop_comment(desk: Desk, number: int) -> None:
    """Take a comment off the list. Marks that have it keep it."""
    with desk.transaction() as connection:
        own = (COMMENTS.c.id == number) & (COMMENTS.c.question == desk.question)
        connection.execute(update(COMMENTS).where(own).values(retired=True))


def allotted(desk: Desk) -> dict[str, str]:
    """Return who marks which answer, as the page was told; "" is nobody in particular, whatever course.toml says."""
    with desk.transaction() as connection:
        query = select(ALLOTTED.c.student, ALLOTTED.c.marker).where(ALLOTTED.c.question == desk.question)
        return {row.student: row.marker for row in connection.execute(query)}


def allot(desk: Desk, students: Sequence[str], marker: str) -> None:
    """Give answers to a person, in place of what course.toml says."""
    with desk.transaction() as connection:
        own = (ALLOTTED.c.question == desk.question) & ALLOTTED.c.student.in_(students)
        connection.execute(delete(ALLOTTED).where(own))
        rows = [{"question": desk.question, "student": student, "marker": marker} for student in students]
        if rows:
            connection.execute(insert(ALLOTTED), rows)
