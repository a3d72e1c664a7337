"""One submission's feedback page: what was right, what to look at again and how, then the learner's own cells.

The page is for the learner, complete in itself: it runs nothing, fetches nothing, and repeats none of the lesson.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from embedding_course.checking.render import code
from embedding_course.checking.result import Result, number
from embedding_course.exercises.index import Entry, entries_of
from embedding_course.learner.page_policy import policy
from embedding_course.subject.lessons import lesson

from ..classroom.attempts import attempts_in_words
from ..classroom.policy.course import Course
from ..classroom.policy.deadlines import in_zone
from ..classroom.policy.lateness import duration
from ..classroom.policy.teams import Team
from ..classroom.records import GradeRecord
from .gradebook_marks import CellMark, Marks
from .own_cells import OwnCell, OwnCells

if TYPE_CHECKING:
    import jinja2

_HERE = Path(__file__).parent
_MARKS = {"passed": "✔", "partly": "◐", "not attempted": "○", "timed out": "⏱"}
_WORDS = {
    "passed": "right", "partly": "partly right", "wrong": "not right yet", "not attempted": "not attempted",
    "cell failed": "an attempt whose cell failed",
    "timed out": "ran out of time", "crashed": "ended the process", "out of memory": "ran out of memory",
    "flooded": "far too much output", "our fault": "our own answer failed: this costs you nothing",
}  # fmt: skip


@dataclass(frozen=True)
class Handed:
    """A graded submission with all that a page says of it. `marks` is None where the gradebook does not know it."""

    record: GradeRecord
    course: Course
    own: OwnCells
    marks: Marks | None = None
    handed_in: datetime | None = None


@dataclass(frozen=True)
class Line:
    """One exercise on the page: the verdict, the points that count, the cell and a person's comment."""

    entry: Entry
    result: Result
    points: float
    own: OwnCell | None
    mark: CellMark | None
    comment: str = ""

    @property
    def sign(self) -> str:
        """Return the mark that stands for the verdict, such as ✔."""
        return _MARKS.get(self.result.status, "✘")

    @property
    def words(self) -> str:
        """Return the verdict in words, such as "partly right"."""
        return _WORDS.get(self.result.status, self.result.status)

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
        "record": record, "lesson": lesson(record.topic), "times": _times(handed), "late": _late(handed),
        "page_policy": Markup(policy(pictures=True)), "attempts": attempts_in_words(record, handed.course),
        "team": Team(record.team, tuple(record.members)).says if record.team else "",
    }  # fmt: skip
    if record.status == "graded":
        lines = _lines(handed)
        facts |= {
            "right": [line for line in lines if line.result.passed],
            "again": [line for line in lines if not line.result.passed and line.result.status != "not attempted"],
            "open": [line for line in lines if line.result.status == "not attempted"],
            "lines": lines, "total": _total(handed), "written": _written(handed), "others": handed.own.others,
        }  # fmt: skip
    return _template().render(**facts)


def _lines(handed: Handed) -> list[Line]:
    results = {result.exercise: result for result in handed.record.results}
    marks, comments = (handed.marks.cells, handed.marks.comments) if handed.marks else ({}, {})
    found = []
    for exercise in entries_of(handed.record.topic):
        result, mark = results.get(exercise.id), marks.get(f"{exercise.grade_id}-check")
        if result is not None:
            points = result.score if mark is None or not mark.by_hand else mark.points + mark.extra
            own = handed.own.answers.get(exercise.grade_id)
            found.append(Line(exercise, result, points, own, mark, comments.get(exercise.grade_id, "")))
    return found


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
        """Return what is left of everything after lateness."""
        return max(0.0, self.score + self.extra - self.penalty)


def _total(handed: Handed) -> Total:
    record, marks = handed.record, handed.marks
    if marks is None or not marks.cells:
        return Total(record.score, record.max_score, record.extra)
    return Total(marks.score, marks.most, marks.extra, marks.waiting, marks.penalty)


@dataclass(frozen=True)
class WrittenLine:
    """A written answer as the page shows it; `mark` is None where the gradebook does not know it."""

    question: Markup
    answer: Markup
    given: bool
    mark: CellMark | None
    comment: Markup


def _written(handed: Handed) -> list[WrittenLine]:
    from .text import as_html  # nbconvert is imported where something was written

    marks, comments = (handed.marks.cells, handed.marks.comments) if handed.marks else ({}, {})
    found = []
    for one in handed.own.written:
        mark = marks.get(one.grade_id)
        comment = Markup(as_html(comments.get(one.grade_id, ""), ""))
        given = handed.record.written.get(one.grade_id, True)
        question, answer = Markup(as_html(one.question, "")), Markup(as_html(one.answer, ""))
        found.append(WrittenLine(question, answer, given, mark, comment))
    return found


def _times(handed: Handed) -> list[str]:
    """Return when the file was handed in and when it was graded, as clocks in the class show it."""
    zone = handed.course.zone
    said = []
    if handed.handed_in is not None:
        said.append(f"handed in {in_zone(handed.handed_in.replace(tzinfo=UTC), zone)}")
    said.append(f"graded {in_zone(datetime.fromisoformat(handed.record.graded_at), zone)}")
    return said


def _late(handed: Handed) -> str:
    record = handed.record
    if not record.late:
        return ""
    due = handed.course.due(record.topic, record.student)
    when = f", which was {in_zone(due, handed.course.zone)}" if due else ""
    return f"{duration(timedelta(seconds=record.late))} after its deadline{when}"


def highlighted(source: str) -> Markup:
    """Return Python code with its words marked as HTML; everything else in it is escaped."""
    from pygments import highlight

    lexer, formatter = _pygments()
    return Markup(highlight(source, lexer, formatter))


@lru_cache(maxsize=1)
def _pygments() -> tuple[Any, Any]:
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers.python import PythonLexer

    return PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)


def _style() -> Markup:
    """Return the page's style sheet, with the colours of code on light and on dark ground."""
    from pygments.formatters.html import HtmlFormatter

    light, dark = (HtmlFormatter(style=name).get_style_defs("pre.code") for name in ("friendly", "github-dark"))
    only_words = ("\n".join(line for line in rules.splitlines() if line.startswith("pre.code .")) for rules in (light, dark))
    day, night = only_words
    sheet = (_HERE / "page.css").read_text(encoding="utf-8")
    return Markup(f"{sheet}\n{day}\n@media screen and (prefers-color-scheme: dark) {{\n{night}\n}}")


@lru_cache(maxsize=1)
def _template() -> jinja2.Template:
    import jinja2

    found = jinja2.Environment(loader=jinja2.FileSystemLoader(_HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    found.globals["style"] = _style()
    found.filters.update(
        number=number, code=lambda text: Markup(code(text)), highlighted=highlighted, points=_points, names=_names
    )
    return found.get_template("page.html.j2")


def _points(value: float) -> str:
    """Return points with their noun.

    >>> _points(1.0), _points(0.5)
    ('1 point', '0.5 points')
    """
    return f"{number(value)} {'point' if value == 1 else 'points'}"


def _names(lines: Sequence[Line]) -> str:
    return ", ".join(line.entry.name for line in lines)
