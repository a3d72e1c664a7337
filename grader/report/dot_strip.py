"""One strip of dots across the notebooks: each student a dot, as high as the share of the points."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape

from ..classroom.grade_record import GradeRecord
from .number_text import percent

_WIDTH, _TOP, _BOTTOM, _LEFT = 400.0, 8.0, 112.0, 34.0
_WIDEST = 120.0
_RADIUS, _LARGE = 1.9, 2.8
_STEP = 4.2
#: Dots nearer to one another in height than this stand side by side.
_ROW = 3.6


def shares_by_notebook(records: Sequence[GradeRecord]) -> dict[str, dict[str, float]]:
    """Return for each notebook that was graded the share of its points by student."""
    shares: dict[str, dict[str, float]] = {}
    for record in sorted(records, key=lambda record: record.topic):
        if record.status == "graded" and record.max_score:
            shares.setdefault(record.topic, {})[record.student] = record.score / record.max_score
    return shares


def strip(
    shares: Mapping[str, Mapping[str, float]],
    here: Collection[str] = (),
    large: Collection[str] = (),
    who: Callable[[str], str] = str,
) -> str:
    """Return the strip as SVG.

    Parameters
    ----------
    shares : mapping of str to mapping of str to float
        Share of the points from 0 to 1, by notebook and student.
    here : collection of str, optional
        Notebooks whose numbers are in bold.
    large : collection of str, optional
        Students whose dots are larger.
    who : callable, optional
        Returns what the picture calls a student; by default the id.

    Examples
    --------
    >>> strip({"03_max_norm": {"ada": 1.0, "bo": 0.5}}).count("<circle")
    2
    """
    text = escape("; ".join(_range_text(topic, list(theirs.values())) for topic, theirs in shares.items()))
    wide = min(_WIDEST, (_WIDTH - _LEFT) / max(1, len(shares)))
    body = [_scale()]
    for position, (topic, theirs) in enumerate(shares.items()):
        body.append(_column(_LEFT + (position + 0.5) * wide, wide, topic, theirs, topic in here, large, who))
    return (
        f'<svg class="strip" viewBox="0 0 {_WIDTH:.0f} 128" role="img" aria-label="{text}"><title>{text}</title>'
        f"{''.join(body)}</svg>"
    )


def _range_text(topic: str, shares: Sequence[float]) -> str:
    low, middle, high = min(shares), statistics.median(shares), max(shares)
    return f"{topic[:2]}: {len(shares)} students from {percent(low)} to {percent(high)}, median {percent(middle)}"


def _scale() -> str:
    elements = []
    for share, words in ((1.0, "all"), (0.5, "half"), (0.0, "none")):
        y = _height(share)
        elements.append(f'<line class="rule" x1="{_LEFT:.0f}" x2="{_WIDTH:.0f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        elements.append(f'<text x="0" y="{y + 3:.1f}">{words}</text>')
    return "".join(elements)


def _column(
    x: float,
    wide: float,
    topic: str,
    theirs: Mapping[str, float],
    here: bool,
    large: Collection[str],
    who: Callable[[str], str],
) -> str:
    y = _height(statistics.median(theirs.values()))
    half = min(wide * 0.45, 40)
    elements = [f'<line class="median" x1="{x - half:.1f}" x2="{x + half:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>']
    rows: dict[int, list[tuple[float, str]]] = defaultdict(list)
    for student, share in sorted(theirs.items(), key=lambda item: (item[1], item[0])):
        rows[round(_height(share) / _ROW)].append((share, student))
    for row in rows.values():
        step = min(_STEP, (wide - 2 * _RADIUS) / max(1, len(row) - 1))
        for position, (share, student) in enumerate(row):
            at = x + (position - (len(row) - 1) / 2) * step
            style, radius = ("dot large", _LARGE) if student in large else ("dot", _RADIUS)
            elements.append(
                f'<circle class="{style}" cx="{at:.1f}" cy="{_height(share):.1f}" r="{radius}">'
                f"<title>{escape(f'{who(student)}: {percent(share)}')}</title></circle>"
            )
    weight = ' class="here"' if here else ""
    elements.append(f'<text{weight} x="{x:.1f}" y="126" text-anchor="middle">{topic[:2]}</text>')
    return "".join(elements)


def _height(share: float) -> float:
    return _BOTTOM - min(1.0, max(0.0, share)) * (_BOTTOM - _TOP)
