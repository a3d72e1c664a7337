"""A histogram as inline SVG: scales with the page, prints, and reads in light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["histogram"]

_WIDTH, _HEIGHT, _FLOOR, _TOP = 320, 166, 126, 36


def histogram(bins: Sequence[int], title: str, median: float | None = None) -> str:
    """Bars for the ten tenths of a notebook's points, each with its count above; a triangle marks the median.

    The text alternative in `title` and the numbers say all that the bars do.
    """
    most = max([*bins, 1])
    step = _WIDTH / len(bins)
    said = escape(title)
    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{said}"><title>{said}</title>']
    for index, count in enumerate(bins):
        height = (_FLOOR - _TOP) * count / most
        left = index * step
        if count:
            parts.append(
                f'<rect class="f-passed" x="{left + 2:.1f}" y="{_FLOOR - height:.1f}" width="{step - 4:.1f}" '
                f'height="{height:.1f}" rx="2"/>'
                f'<text x="{left + step / 2:.1f}" y="{_FLOOR - height - 4:.1f}" text-anchor="middle">{count}</text>'
            )
    parts.append(f'<line class="axis" x1="0" y1="{_FLOOR}" x2="{_WIDTH}" y2="{_FLOOR}"/>')
    if median is not None:
        at = median * _WIDTH
        anchor = "start" if median < 0.2 else "end" if median > 0.8 else "middle"
        parts.append(
            f'<path class="median" d="M{at - 4:.1f} 13h8l-4 7z"/>'
            f'<text x="{at:.1f}" y="10" text-anchor="{anchor}">median {100 * median:.0f} %</text>'
        )
    for share, anchor in ((0, "start"), (0.5, "middle"), (1, "end")):
        parts.append(f'<text x="{share * _WIDTH:.0f}" y="{_FLOOR + 16}" text-anchor="{anchor}">{100 * share:.0f} %</text>')
    parts.append(f'<text x="{_WIDTH / 2}" y="{_FLOOR + 32}" text-anchor="middle">share of the points</text></svg>')
    return "".join(parts)
