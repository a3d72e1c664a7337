"""The templates of the instructor's pages. What is put into them is escaped, unless it is Markup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from embedding_course.checking.render import code
from embedding_course.checking.result import number
from embedding_course.learner.page_policy import policy

from . import bars
from .discrimination import Discrimination
from .exercises import ExerciseLine
from .words import percent, signed

if TYPE_CHECKING:
    import jinja2

#: So many lines of an answer are shown; the others are folded away.
LONGEST_CODE = 14


def environment() -> jinja2.Environment:
    """Whoever renders a page asks for its template here."""
    import jinja2

    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    found.globals["policy"] = Markup(policy())
    found.filters.update(
        number=number, percent=percent, signed=signed, code=lambda text: Markup(code(text)), failures=_failures,
        interval=_interval, id=_id, short=_short,
    )  # fmt: skip
    return found


def _id(name: str) -> Markup:
    """An identifier that may be broken after its underscores."""
    return Markup("_<wbr>").join(name.split("_"))


def _short(text: str) -> tuple[str, str]:
    """The lines of an answer that are shown, and those that are folded away. A single line more is shown too."""
    lines = text.split("\n")
    cut = LONGEST_CODE if len(lines) > LONGEST_CODE + 1 else len(lines)
    return "\n".join(lines[:cut]), "\n".join(lines[cut:])


def _failures(line: ExerciseLine) -> Markup:
    shares = [line.share(status) for status, _, _ in bars.FAILURES]
    said = ", ".join(f"{percent(share)} {words}" for share, (_, _, words) in zip(shares, bars.FAILURES, strict=True) if share)
    return Markup(bars.stack(shares, f"{line.id}: {said or 'all right'}"))


def _interval(line: Discrimination) -> Markup:
    assert line.value is not None
    said = f"{line.exercise}: {signed(line.value)}, between {signed(line.low)} and {signed(line.high)}"
    return Markup(bars.interval(line.value, line.low, line.high, said))
