"""Render the class report."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from embedding_course.checking.render import code
from embedding_course.checking.result import number
from embedding_course.learner.page_policy import policy

from ..classroom import records
from ..classroom.class_folder import Classroom
from ..classroom.policy.course import Course, load_course
from . import bars
from .anonymous import Key, anonymous_records, anonymous_requests
from .by_hand import open_by_hand
from .discrimination import FEW, Discrimination
from .help import HELP_BELOW
from .histogram import histogram
from .late import LateLine, anonymous_late, handed_in_late
from .requests import requests_of
from .summary import ExerciseLine, Summary, summarise

if TYPE_CHECKING:
    import jinja2

__all__ = ["environment", "percent", "render", "signed", "today", "write_report"]


def percent(share: float) -> str:
    """A share as people read it, in one piece. Not quite all is not called all.

    >>> percent(0.5) == "50\\N{NO-BREAK SPACE}%", percent(0.999)[:2], percent(0.001)[:1]
    (True, '99', '1')
    """
    rounded = round(100 * share)
    return f"{100 if share >= 1 else 0 if share <= 0 else min(99, max(1, rounded))}\N{NO-BREAK SPACE}%"


def signed(value: float) -> str:
    """A number with two digits and a sign that reads as one.

    >>> signed(0.5), signed(-0.25)
    ('0.50', '−0.25')
    """
    return f"{value:.2f}".replace("-", "−")


def today() -> str:
    """The present moment, as a page says it."""
    moment = datetime.now(UTC)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def environment() -> jinja2.Environment:
    """The templates of the instructor's pages. Everything put into them is escaped, unless it is Markup."""
    import jinja2

    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    found.globals["policy"] = Markup(policy())
    found.filters.update(
        number=number, percent=percent, signed=signed, code=lambda text: Markup(code(text)), meter=_meter,
        outcome_bar=_outcome_bar, outcome_words=_outcome_words, interval=_interval, id=_id,
    )  # fmt: skip
    return found


def _id(name: str) -> Markup:
    """An identifier that may be broken after its underscores."""
    return Markup("_<wbr>").join(name.split("_"))


def _outcome_words(line: ExerciseLine) -> str:
    shares = [(line.share(status), words) for status, _, words in bars.OUTCOMES]
    return " · ".join(f"{percent(share)} {words}" for share, words in shares if share)


def _outcome_bar(line: ExerciseLine) -> Markup:
    shares = [line.share(status) for status, _, _ in bars.OUTCOMES]
    return Markup(bars.stack(shares, f"{line.id}: {_outcome_words(line)}"))


def _meter(share: float, name: str) -> Markup:
    return Markup(bars.meter(share, f"{name}: {percent(share)}"))


def _interval(line: Discrimination) -> Markup:
    assert line.value is not None
    said = f"{line.exercise}: {signed(line.value)}, between {signed(line.low)} and {signed(line.high)}"
    return Markup(bars.interval(line.value, line.low, line.high, said))


def _legend() -> list[tuple[Markup, str]]:
    """A sample of each texture, and what it means."""
    return [(Markup(bars.swatch(style, words)), words) for _, style, words in bars.OUTCOMES]


def render(summary: Summary, made_at: str, anonymous: bool = False, late: list[LateLine] | None = None) -> str:
    """The page as HTML, complete in itself. Everything that students wrote is escaped. `late` is None where nobody can be."""
    charts = {
        line.topic: Markup(
            histogram(line.bins, f"{line.topic}: {_said(line.bins)}; median {percent(line.median)}", line.median)
        )
        for line in summary.notebooks
    }
    facts: dict[str, Any] = {
        "summary": summary, "charts": charts, "made_at": made_at, "anonymous": anonymous, "few": FEW,
        "late": late, "help_below": HELP_BELOW, "patterns": Markup(bars.PATTERNS), "legend": _legend(),
    }  # fmt: skip
    return environment().get_template("class_page.html.j2").render(**facts).lstrip()


def _said(bins: list[int]) -> str:
    """A histogram in words: the text alternative."""
    return (
        ", ".join(f"{count} from {place * 10} to {place * 10 + 10} %" for place, count in enumerate(bins) if count)
        or "no submission"
    )


def write_report(home: Path, db: str = "", anonymous: bool = False, course: Course | None = None) -> Path:
    """Write `reports/class_report.html` of the class in `home`, or `class_report_anonymous.html`. LookupError when nothing
    was graded, ValueError when the key of the pseudonyms cannot be read. `course` is course.toml where the caller
    has read it."""
    room = Classroom(home, db)
    course = course or load_course(home)
    found = [record for record in records.load_all(home) if record.topic in course.topics]
    topics = sorted({record.topic for record in found})
    requests = list(requests_of(room, topics))
    by_hand = open_by_hand(room.db_url, [record for record in found if record.status == "graded"])
    late = handed_in_late(room.db_url, course)
    if anonymous and found:
        key = Key(home)
        key.learn([record.student for record in found] + [request.student for request in requests])
        found, requests = anonymous_records(found, key), anonymous_requests(requests, key)
        late = late and anonymous_late(late, key)
    page = home / "reports" / ("class_report_anonymous.html" if anonymous else "class_report.html")
    text = render(summarise(found, requests, by_hand), "" if anonymous else today(), anonymous, late)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
    return page
