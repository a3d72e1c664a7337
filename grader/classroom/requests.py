"""Regrade requests: a line that a student writes into the notebook and hands in again, and what was answered.

A line that begins with `Regrade request:` or `重新评分：`, in a text cell or as a comment in a code cell, perhaps with an
exercise's id before the colon. The same line may stand in a file `regrade_request.txt` beside the notebook. An id that is no
exercise of the notebook is kept as it is written. A request changes no mark by itself, and nothing in it is ever run. Answers
are kept in `results/request_answers.json`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from embedding_course.exercises.index import entries_of
from embedding_course.files import atomic_write
from embedding_course.messages import Message

from ..errors import UserError
from ..submission.plain_file import one_line, read_plain
from ..submission.read import Unreadable, notebook_of, read_bytes
from .class_folder import Classroom, Submission, now

if TYPE_CHECKING:
    from nbformat.notebooknode import NotebookNode

State = Literal["open", "accepted", "refused"]
ANSWERS = "results/request_answers.json"
#: A request may stand in this file beside the notebook.
REQUEST_FILE = "regrade_request.txt"
_MAX_FILE_BYTES = 20_000
#: Within how many characters at its beginning such a file names the exercise.
_MAX_REQUEST_HEAD = 200
#: How many characters of a request are shown, and how many requests of one notebook.
MAX_REQUEST_CHARACTERS = 400
_MAX_REQUESTS = 10

_OPENING = re.compile(
    r"[\s#>*_\-]*(?:re-?grade\s+request|request\s+for\s+(?:a\s+)?re-?grad(?:e|ing)|(?:请求|申请)?重新评分(?:请求|申请)?)",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"[\w.\- ]{0,60}")
_ID = re.compile(r"\b\d\d\.[^\W\d]\w{0,60}")
_MAX_LINE_CHARACTERS = 2000
#: What a file must hold to be worth parsing; JSON may write Chinese as escapes.
_TRACE = re.compile(rb"re-?grad(?:e|ing)|" + "重新评分".encode() + rb"|\\u91cd\\u65b0\\u8bc4\\u5206", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """A request of a student to regrade an exercise of a notebook, in the student's words.

    The exercise is empty if the request names none, and may be an id that does not exist. `answer` is what the student reads,
    empty while the request is open.
    """

    student: str
    topic: str
    exercise: str
    text: str
    state: State = "open"
    answer: str = ""
    by: str = ""

    @property
    def is_strange(self) -> bool:
        """Return True if the request names an exercise that its notebook does not have."""
        return bool(self.exercise) and all(exercise.id != self.exercise for exercise in entries_of(self.topic))


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What was answered to a request, with author and moment (UTC). The words tell one request from a later one."""

    student: str
    topic: str
    exercise: str
    text: str
    state: State
    answer: str
    by: str
    at: str


def requests_of(classroom: Classroom, topics: list[str]) -> Iterator[Request]:
    """Yield the requests in what was handed in, by student, with what was answered.

    Files that cannot be read hold none; grading says what is wrong with them.
    """
    answers = answers_of(classroom.home)
    for submission in classroom.submissions(topics):
        yield from requests_in_submission(submission, answers)


def requests_in_submission(submission: Submission, answers: Sequence[Answered]) -> Iterator[Request]:
    """Yield the requests in one submission, those in the notebook first."""
    requests = list(dict.fromkeys([*_in_notebook(submission), *_in_file(submission)]))
    known = {(answer.student, answer.topic, answer.exercise, answer.text): answer for answer in answers}
    for exercise, text in requests[:_MAX_REQUESTS]:
        answer = known.get((submission.student, submission.topic, exercise, text))
        state, words, by = (answer.state, answer.answer, answer.by) if answer else ("open", "", "")
        yield Request(submission.student, submission.topic, exercise, text, state, words, by)


def _in_notebook(submission: Submission) -> list[tuple[str, str]]:
    if submission.missing():
        return []
    try:
        content = read_bytes(submission.path)
        return requests_in(notebook_of(content), submission.topic) if _TRACE.search(content) else []
    except Unreadable:
        return []


def _in_file(submission: Submission) -> list[tuple[str, str]]:
    """Return the requests in `regrade_request.txt`; its whole text is one request if no line opens one."""
    try:
        content = read_plain(submission.folder / REQUEST_FILE, _MAX_FILE_BYTES)
    except OSError:
        return []
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        cut = len(content) == _MAX_FILE_BYTES  # perhaps within a letter
        text = content.decode("utf-16" if wide else "utf-8-sig", "ignore" if cut else "strict")
    except UnicodeDecodeError:
        return [("", str(Message("{file} is not UTF-8 text: save it as UTF-8 and hand it in again.", file=REQUEST_FILE)))]
    paragraphs = list(_paragraphs(text.splitlines(), False)) or [(text.casefold()[:_MAX_REQUEST_HEAD], text)]
    return [
        (_named(about, submission.topic), one_line(words, MAX_REQUEST_CHARACTERS))
        for about, words in paragraphs
        if words.strip()
    ]


def answers_of(home: Path) -> list[Answered]:
    """Return all answers to requests of a class.

    Raises
    ------
    UserError
        If the file was damaged: what was answered would be open again.
    """
    path = home / ANSWERS
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Answered])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(
            f"{path} cannot be read ({error}): it holds the answers to regrade requests. Put back a copy of it."
        ) from None


def answer_request(home: Path, request: Request, state: State, answer: str, by: str) -> Answered:
    """Keep an answer to a request in place of an earlier one. The caller holds the lock on the class."""
    answered = Answered(
        student=request.student,
        topic=request.topic,
        exercise=request.exercise,
        text=request.text,
        state=state,
        answer=answer,
        by=by,
        at=now(),
    )
    key = (request.student, request.topic, request.exercise, request.text)
    others = [past for past in answers_of(home) if (past.student, past.topic, past.exercise, past.text) != key]
    _write(home, [*others, answered])
    return answered


def forget_requests(home: Path, student: str) -> bool:
    """Remove the answers to a student's requests, and return True if there were any."""
    known = answers_of(home)
    others = [past for past in known if past.student != student]
    if len(others) < len(known):
        _write(home, others)
    return len(others) < len(known)


def _write(home: Path, answers: Sequence[Answered]) -> None:
    (home / ANSWERS).parent.mkdir(parents=True, exist_ok=True)
    atomic_write(home / ANSWERS, msgspec.json.format(msgspec.json.encode(answers), indent=1) + b"\n", 0o600)


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
            requests[_named(about, topic) or last, one_line(text, MAX_REQUEST_CHARACTERS)] = None
    return list(requests)


def _named(about: str, topic: str) -> str:
    """Return the id of the exercise that a few words name, else an id in them that does not exist, else an empty text."""
    words = re.split(r"[\s.:：]+", about.casefold())
    strange = _ID.search(about)
    exercise = next((candidate.id for candidate in entries_of(topic) if candidate.name.casefold() in words), "")
    if strange and (not exercise or not strange[0].startswith(topic[:2])):
        return strange[0]
    return exercise


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
