"""Regrade requests: a line that a student writes into the notebook and hands in again.

A line that begins with `Regrade request:` or `重新评分：`, in a text cell or as a comment in a code cell, perhaps with an
exercise's id before the colon. It is only listed: it changes no mark, and nothing in it is ever run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from embedding_course.exercises.index import entries_of

from ..classroom.class_folder import Classroom, Submission
from ..submission.plain_file import one_line
from ..submission.read import Unreadable, notebook_of, read_bytes

if TYPE_CHECKING:
    from nbformat.notebooknode import NotebookNode

#: So many characters of a request are shown, and so many requests of one notebook.
MAX_REQUEST_CHARACTERS = 400
_MAX_REQUESTS = 10

_OPENING = re.compile(
    r"[\s#>*_\-]*(?:re-?grade\s+request|request\s+for\s+(?:a\s+)?re-?grad(?:e|ing)|(?:请求|申请)?重新评分(?:请求|申请)?)",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"[\w.\- ]{0,60}")
_MAX_LINE_CHARACTERS = 2000
#: What a file must hold to be worth parsing; JSON may write Chinese as escapes.
_TRACE = re.compile(rb"re-?grad(?:e|ing)|" + "重新评分".encode() + rb"|\\u91cd\\u65b0\\u8bc4\\u5206", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """A request of a student to regrade an exercise of a notebook, in the student's words.

    The exercise is empty if the request names none.
    """

    student: str
    topic: str
    exercise: str
    text: str


def requests_of(classroom: Classroom, topics: list[str]) -> Iterator[Request]:
    """Yield the requests in what was handed in, by student. Files that cannot be read hold none; grading says what is wrong."""
    for submission in classroom.submissions(topics):
        yield from _of(submission)


def _of(submission: Submission) -> Iterator[Request]:
    if submission.missing():
        return
    try:
        content = read_bytes(submission.path)
        if not _TRACE.search(content):
            return
        notebook = notebook_of(content)
    except Unreadable:
        return
    for exercise, text in requests_in(notebook, submission.topic)[:_MAX_REQUESTS]:
        yield Request(submission.student, submission.topic, exercise, text)


def requests_in(notebook: NotebookNode, topic: str) -> list[tuple[str, str]]:
    """Return (exercise id, text) of each request. One that names no exercise is about the last one that stands before it.

    In a text cell a request goes on to the end of its paragraph, in a code cell to the end of its comment.
    """
    requests: dict[tuple[str, str], None] = {}
    last = ""
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader")
        grade_id = str(marks.get("grade_id", "")) if isinstance(marks, dict) else ""
        is_code = cell.cell_type == "code"
        last = next(
            (exercise.id for exercise in entries_of(topic) if grade_id in (exercise.grade_id, f"{exercise.grade_id}-check")),
            last,
        )
        for about, text in _paragraphs(cell.source.splitlines(), is_code):
            named = next(
                (candidate.id for candidate in entries_of(topic) if candidate.name.casefold() in re.split(r"[\s.]+", about)), ""
            )
            requests[named or last, one_line(text, MAX_REQUEST_CHARACTERS)] = None
    return list(requests)


def _paragraphs(lines: list[str], is_code: bool) -> Iterator[tuple[str, str]]:
    current: tuple[str, list[str]] | None = None
    for line in [*lines, ""]:
        comment = not is_code or line.lstrip().startswith("#")
        match = _request(line[:_MAX_LINE_CHARACTERS]) if comment else None
        if current and (match or not comment or not line.strip(" \t#>")):
            yield current[0], " ".join(current[1])
            current = None
        if match:
            current = match[0].casefold(), [match[1]]
        elif current:
            current[1].append(line[:_MAX_LINE_CHARACTERS].strip(" \t#>"))


def _request(line: str) -> tuple[str, str] | None:
    """Return what a line that opens a request is about, and its words."""
    opening = _OPENING.match(line)
    if not opening:
        return None
    about, colon, text = line[opening.end() :].replace("：", ":", 1).partition(":")
    about = about.strip(" \t*_")
    return (about, text.strip(" \t*_")) if colon and _ABOUT.fullmatch(about) else None
