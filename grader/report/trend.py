"""One student's way through a term as a small picture: the share of the points by notebook, and the class's median."""

from collections.abc import Mapping, Sequence
from html import escape

from .falling import TermLine
from .number_text import percent

_STEP, _HEIGHT, _MARGIN = 18.0, 32.0, 5.0


def trend(line: TermLine, topics: Sequence[str], medians: Mapping[str, float], who: str) -> str:
    """Return the picture as SVG: dots are the student's points, a cross is missing work, the grey line is the class.

    Parameters
    ----------
    line : TermLine
    topics : sequence of str
        The notebooks, from left to right.
    medians : mapping of str to float
        The class's median share, by notebook.
    who : str
        What the picture calls the student.
    """
    width = _STEP * len(topics)
    x = {topic: _STEP * (position + 0.5) for position, topic in enumerate(topics)}
    klass = " ".join(f"{x[topic]:.1f},{_y(medians[topic]):.1f}" for topic in topics if topic in medians)
    own = " ".join(f"{x[topic]:.1f},{_y(line.shares[topic]):.1f}" for topic in topics if topic in line.shares)
    parts = [f'<polyline class="klass" points="{klass}"/>', f'<polyline class="own" points="{own}"/>']
    for topic in topics:
        if topic in line.shares:
            parts.append(f'<circle class="f-own" cx="{x[topic]:.1f}" cy="{_y(line.shares[topic]):.1f}" r="2.4"/>')
        elif line.states[topic] == "missing":
            parts.append(f'<path class="gone" d="M{x[topic] - 3:.1f} {_y(0) - 3:.1f}l6 6m0 -6l-6 6"/>')
    words = ", ".join(f"{topic[:2]} {_grade_text(line, topic)}" for topic in topics)
    text = escape(f"{who}: {words}")
    return (
        f'<svg class="trend" viewBox="0 0 {width:.0f} {_HEIGHT:.0f}" width="{width:.0f}" height="{_HEIGHT:.0f}" role="img" '
        f'aria-label="{text}"><title>{text}</title>{"".join(parts)}</svg>'
    )


def _grade_text(line: TermLine, topic: str) -> str:
    return percent(line.shares[topic]) if topic in line.shares else line.states[topic]


def _y(share: float) -> float:
    return _HEIGHT - _MARGIN - min(1.0, max(0.0, share)) * (_HEIGHT - 2 * _MARGIN)
