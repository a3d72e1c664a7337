"""One submission's feedback page: what was right, what to look at again and how, then the learner's own cells.

The page is for the learner, complete in itself: it runs nothing, fetches nothing, and repeats none of the lesson.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from markupsafe import Markup

from embedding_course.checking.render import MARKS, STATES, points_text
from embedding_course.checking.result import Result, number
from embedding_course.exercises.index import Entry, entries_of
from embedding_course.learner.page_policy import policy
from embedding_course.messages import Message, language
from embedding_course.subject.lessons import lesson

from ..classroom.attempts import attempts_in_words
from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.marks import CellMark, Marks
from ..classroom.policy.course import Course
from ..classroom.policy.deadlines import in_zone
from ..classroom.policy.lateness import duration
from ..classroom.policy.teams import Team
from ..classroom.requests import Request
from .own_cells import OwnCell, OwnCells
from .templates import environment

#: The page with the grade of the term, in the folder of the student's pages.
TERM_PAGE = "term.html"
_TERM_LINE = re.compile(rb'<p id="term">.*?</p>\n')


@dataclass(frozen=True)
class Handed:
    """A graded submission with all that a page says of it.

    `marks` is None where the gradebook does not know it. `requests` are the learner's regrade requests. `has_term` says whether
    the student has a page with the grade of the term.
    """

    record: GradeRecord
    course: Course
    own: OwnCells
    marks: Marks | None = None
    handed_in: datetime | None = None
    requests: Sequence[Request] = ()
    has_term: bool = False


@dataclass(frozen=True)
class Line:
    """One exercise on the page: the verdict, the points that count, the cell and a person's comment."""

    exercise: Entry
    result: Result
    points: float
    own: OwnCell | None
    mark: CellMark | None
    comment: str = ""

    @property
    def sign(self) -> str:
        """Return the mark that stands for the verdict, such as ✔."""
        return MARKS.get(self.result.status, "✘")

    @property
    def words(self) -> Message:
        """Return the verdict in words, such as "partly right"."""
        return STATES[self.result.status]

    @property
    def fraction(self) -> Message:
        """Return the points in short, such as "1/2"."""
        fraction = Message("{score}/{maximum}") if self.result.core else Message("{score}/{maximum} extra")
        return fraction.fill(score=number(self.points), maximum=number(self.result.max_score))

    @property
    def reached(self) -> Message:
        """Return the points in words, such as "1 of 2 points"."""
        reached = Message("{score} of {points}") if self.result.core else Message("{score} of {points} extra credit")
        return reached.fill(score=number(self.points), points=points_text(self.result.max_score))

    @property
    def possible(self) -> Message:
        """Return the points that can be earned, as a sentence."""
        possible = Message("{points}.") if self.result.core else Message("{points} of extra credit.")
        return possible.fill(points=points_text(self.result.max_score))

    @property
    def right_already(self) -> list[str]:
        """Return the criteria that an answer meets which is not right yet."""
        return [criterion.says for criterion in self.result.criteria if criterion.passed and not self.result.passed]

    @property
    def not_yet(self) -> list[Any]:
        """Return the criteria that are not met, where there are several."""
        return (
            [criterion for criterion in self.result.criteria if not criterion.passed] if len(self.result.criteria) > 1 else []
        )


def render(handed: Handed) -> str:
    """Return the page as HTML. Everything that the learner wrote is escaped or cleaned."""
    record = handed.record
    facts: dict[str, Any] = {
        "record": record,
        "lesson": lesson(record.topic),
        "times": _times(handed),
        "late": _late(handed),
        "page_policy": Markup(policy(pictures=True)),
        "language": language(),
        "attempts": attempts_in_words(record, handed.course),
        "requests": handed.requests,
        "term_page": TERM_PAGE if handed.has_term else "",
        "team": Team(record.team, tuple(record.members)).says if record.team else "",
    }
    if record.status == "graded":
        lines = _lines(handed)
        facts |= {
            "right": [line for line in lines if line.result.passed],
            "again": [line for line in lines if not line.result.passed and line.result.status != "not attempted"],
            "open": [line for line in lines if line.result.status == "not attempted"],
            "lines": lines,
            "total": _total(handed),
            "capped": _capped(handed),
            "written": _written(handed),
            "others": handed.own.others,
        }
    return environment().get_template("page.html.j2").render(**facts)


def without_term_link(page: bytes) -> bytes:
    """Return a page without the line that leads to the grade of the term, for pages that are handed out by themselves."""
    return _TERM_LINE.sub(b"", page)


def _lines(handed: Handed) -> list[Line]:
    results = {result.exercise: result for result in handed.record.results}
    marks, comments = (handed.marks.cells, handed.marks.comments) if handed.marks else ({}, {})
    lines = []
    for exercise in entries_of(handed.record.topic):
        result, mark = results.get(exercise.id), marks.get(f"{exercise.grade_id}-check")
        if result is not None:
            points = result.score if mark is None or not mark.by_hand else mark.points + mark.extra
            own = handed.own.answers.get(exercise.grade_id)
            lines.append(Line(exercise, result, points, own, mark, comments.get(exercise.grade_id, "")))
    return lines


@dataclass(frozen=True)
class Total:
    """The points of the notebook as they stand now.

    Attributes
    ----------
    score
        The points that were earned, of `most`.
    extra
        The extra credit.
    waiting
        The points over which a person has yet to decide.
    penalty
        The points that lateness takes.
    """

    score: float
    most: float
    extra: float = 0.0
    waiting: float = 0.0
    penalty: float = 0.0

    @property
    def counts(self) -> float:
        """Return the points that count after the late penalty."""
        return max(0.0, self.score + self.extra - self.penalty)


def _total(handed: Handed) -> Total:
    record, marks = handed.record, handed.marks
    if marks is None or not marks.cells:
        return Total(record.score, record.max_score, record.extra)
    return Total(marks.score, marks.most, marks.extra, marks.waiting, marks.penalty)


def _capped(handed: Handed) -> Message | None:
    """Return what the class's limit of extra credit takes, or None if it takes nothing."""
    total, limit = _total(handed), handed.course.most_extra
    if limit is None or total.counts <= total.most + limit:
        return None
    message = Message("Extra credit counts up to {points} above the maximum: {counted} of your {earned} points count.")
    return message.fill(points=points_text(limit), counted=number(total.most + limit), earned=number(total.counts))


@dataclass(frozen=True)
class WrittenLine:
    """A written answer as the page shows it; `mark` is None where the gradebook does not know it."""

    question: Markup
    answer: Markup
    given: bool
    mark: CellMark | None
    comment: Markup
    marked: Message | None = None

    @property
    def state(self) -> str:
        """Return the points that a person gave, or what the answer waits for."""
        if not self.given:
            return f"○ {Message('There is no answer.')}"
        if self.mark is None:
            return f"◌ {Message('Waits for a person.')}"
        points = points_text(self.mark.most)
        if self.mark.waits:
            return f"◌ {Message('Waits for a person: {points}.', points=points)}"
        return str(Message("{score} of {points}.", score=number(self.mark.points), points=points))


def _written(handed: Handed) -> list[WrittenLine]:
    from .text import as_html  # nbconvert is imported where something was written

    marks, comments = (handed.marks.cells, handed.marks.comments) if handed.marks else ({}, {})
    lines = []
    for written_answer in handed.own.written:
        mark = marks.get(written_answer.grade_id)
        comment = Markup(as_html(comments.get(written_answer.grade_id, ""), ""))
        given = handed.record.written.get(written_answer.grade_id, True)
        question, answer = Markup(as_html(written_answer.question, "")), Markup(as_html(written_answer.answer, ""))
        lines.append(WrittenLine(question, answer, given, mark, comment, _marked(mark, handed.course.zone)))
    return lines


def _marked(mark: CellMark | None, zone: Any) -> Message | None:
    """Return who marked a written answer and when, or None if that is not known."""
    if mark is None or mark.waits or not mark.author:
        return None
    return Message("Marked by {name}, {time}.", name=mark.author, time=in_zone(datetime.fromisoformat(mark.at), zone))


def _times(handed: Handed) -> list[Message]:
    """Return when the file was handed in and when it was graded, as clocks in the class show it."""
    zone = handed.course.zone
    times = []
    if handed.handed_in is not None:
        times.append(Message("handed in {time}", time=in_zone(handed.handed_in.replace(tzinfo=UTC), zone)))
    times.append(Message("graded {time}", time=in_zone(datetime.fromisoformat(handed.record.graded_at), zone)))
    return times


def _late(handed: Handed) -> Message | None:
    record = handed.record
    if not record.late:
        return None
    late, due = duration(timedelta(seconds=record.late)), handed.course.due(record.topic, record.student)
    if not due:
        return Message("Handed in {duration} after its deadline.", duration=late)
    message = Message("Handed in {duration} after its deadline, which was {time}.", duration=late)
    return message.fill(time=in_zone(due, handed.course.zone))
