"""The templates of the instructor's pages. What is put into them is escaped, unless it is Markup."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from embedding_course.checking.render import code
from embedding_course.checking.result import number
from embedding_course.files import atomic_write
from embedding_course.learner.page_policy import policy

from .discrimination import Discrimination
from .exercises import ExerciseLine
from .names import mailto
from .number_text import percent, signed

if TYPE_CHECKING:
    import jinja2

#: How many lines of an answer are shown; the others are folded.
MAX_CODE_LINES = 14


def write_page(path: Path, text: str) -> None:
    """Write a page that speaks of people, in one step, so that only its owner can read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, text.encode("utf-8"), mode=0o600)


def environment(who: Callable[[str], str] = str) -> jinja2.Environment:
    """Return the environment of templates that all pages of this package share.

    Parameters
    ----------
    who : callable, optional
        Returns what a page calls a student; by default the id.
    """
    import jinja2

    jinja_environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    jinja_environment.globals["policy"] = Markup(policy())
    jinja_environment.filters.update(
        number=number,
        percent=percent,
        signed=signed,
        code=lambda text: Markup(code(text)),
        failures=_failures,
        interval=_interval,
        id=_id,
        short=_short,
        who=who,
        slope=lambda value: f"{value:+.0f}".replace("-", "−"),
        mailto=mailto,
    )
    return jinja_environment


def _id(name: str) -> Markup:
    """Return an identifier that may be broken after its underscores."""
    return Markup("_<wbr>").join(name.split("_"))


def _short(text: str) -> tuple[str, str]:
    """Return the lines of an answer that are shown, and those that are folded away. A single line more is shown too."""
    lines = text.split("\n")
    cut = MAX_CODE_LINES if len(lines) > MAX_CODE_LINES + 1 else len(lines)
    return "\n".join(lines[:cut]), "\n".join(lines[cut:])


def _failures(line: ExerciseLine) -> Markup:
    shares = [line.share(status) for status, _, _ in FAILURES]
    text = ", ".join(f"{percent(share)} {words}" for share, (_, _, words) in zip(shares, FAILURES, strict=True) if share)
    return Markup(stack(shares, f"{line.id}: {text or 'all right'}"))


def _interval(line: Discrimination) -> Markup:
    assert line.value is not None
    text = f"{line.exercise}: {signed(line.value)}, between {signed(line.low)} and {signed(line.high)}"
    return Markup(interval(line.value, line.low, line.high, text))


#: What a bar is made of, from its left end: status, class of the fill, words. Three tones and an outline, so that a grey print
#: tells them apart.
FAILURES = (
    ("wrong", "f-wrong", "wrong"),
    ("partly", "f-partly", "partly right"),
    ("cell failed", "f-failed", "cell failed"),
    ("not attempted", "f-open", "not attempted"),
)

_WIDTH, _HEIGHT = 240, 16


def _svg(label: str, body: str, width: int = _WIDTH) -> str:
    text = escape(label)
    return (
        f'<svg class="small" viewBox="0 0 {width} {_HEIGHT}" preserveAspectRatio="xMinYMid" '
        f'role="img" aria-label="{text}"><title>{text}</title>{body}</svg>'
    )


def stack(shares: Sequence[float], label: str) -> str:
    """Return a bar as long as the share of the class that is not right, above a line that stands for the whole class.

    The bar is divided into the parts of FAILURES.
    """
    left, parts = 0.5, [f'<line class="axis" x1=".5" x2="{_WIDTH - 0.5}" y1="15" y2="15"/>']
    for (_, style, _), share in zip(FAILURES, shares, strict=True):
        width = share * (_WIDTH - 1)
        if share > 0:
            parts.append(f'<rect class="part {style}" x="{left:.1f}" y="2" width="{width:.1f}" height="11"/>')
        left += width
    return _svg(label, "".join(parts))


def swatch(style: str, words: str) -> str:
    """Return a sample of one part, for the key."""
    return _svg(words, f'<rect class="part {style}" x="1" y="2" width="20" height="11"/>', 22)


def interval(value: float, low: float, high: float, label: str) -> str:
    """Return a point with its interval as SVG; a stroke marks zero.

    Parameters
    ----------
    value : float
        The point, from -1 to 1.
    low, high : float
        Ends of the interval in which it may lie.
    label : str
        Text for readers who cannot see the picture.
    """
    at = [8 + (point + 1) / 2 * (_WIDTH - 16) for point in (low, value, high)]
    middle = _WIDTH / 2
    return _svg(
        label,
        f'<line class="axis" x1="8" x2="{_WIDTH - 8}" y1="8" y2="8"/>'
        f'<line class="zero" x1="{middle}" x2="{middle}" y1="1" y2="15"/>'
        f'<line class="whisker" x1="{at[0]:.1f}" x2="{at[2]:.1f}" y1="8" y2="8"/>'
        f'<circle class="f-point" cx="{at[1]:.1f}" cy="8" r="4.5"/>',
    )
