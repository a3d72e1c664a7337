"""A histogram as inline SVG: scales with the page, prints, and reads in light and dark."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["histogram"]

_WIDTH, _HEIGHT, _FLOOR, _TOP = 320, 150, 118, 18


def histogram(bins: Sequence[int], title: str) -> str:
    """Bars for the ten tenths of a notebook's points, each with its count above.

    The text alternative in `title` and the numbers say all that the bars do.
    """
    most = max([*bins, 1])
    step = _WIDTH / len(bins)
    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{title}"><title>{title}</title>']
    for index, count in enumerate(bins):
        height = (_FLOOR - _TOP) * count / most
        left = index * step
        if count:
            parts.append(
                f'<rect class="bar" x="{left + 2:.1f}" y="{_FLOOR - height:.1f}" width="{step - 4:.1f}" '
                f'height="{height:.1f}" rx="2"/>'
                f'<text x="{left + step / 2:.1f}" y="{_FLOOR - height - 4:.1f}" text-anchor="middle">{count}</text>'
            )
    parts.append(f'<line class="axis" x1="0" y1="{_FLOOR}" x2="{_WIDTH}" y2="{_FLOOR}"/>')
    for share, anchor in ((0, "start"), (0.5, "middle"), (1, "end")):
        parts.append(f'<text x="{share * _WIDTH:.0f}" y="{_FLOOR + 16}" text-anchor="{anchor}">{share:.0%}</text>')
    parts.append(f'<text x="{_WIDTH / 2}" y="{_FLOOR + 30}" text-anchor="middle">share of the points</text></svg>')
    return "".join(parts)
