"""Small inline pictures for tables: bars with patterns, and a point with its interval. Each says in words what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["OUTCOMES", "PATTERNS", "interval", "meter", "stack", "swatch"]

#: The four outcomes in their order: status, class of the fill, words.
OUTCOMES = (
    ("passed", "f-passed", "right"),
    ("partly", "f-partly", "partly right"),
    ("wrong", "f-wrong", "wrong"),
    ("not attempted", "f-open", "not attempted"),
)

#: Defined once a page. Each outcome has a texture of its own, so that a grey print tells them apart.
PATTERNS = (
    '<svg class="defs" aria-hidden="true" width="0" height="0"><defs>'
    '<pattern id="p-partly" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="ground" width="6" height="6"/><rect class="c-partly" width="3" height="6"/></pattern>'
    '<pattern id="p-wrong" width="6" height="6" patternUnits="userSpaceOnUse">'
    '<rect class="ground" width="6" height="6"/><path class="l-wrong" d="M0 0L6 6M6 0L0 6"/></pattern>'
    '<pattern id="p-open" width="5" height="5" patternUnits="userSpaceOnUse">'
    '<rect class="ground" width="5" height="5"/><circle class="c-open" cx="2.5" cy="2.5" r="1"/></pattern></defs></svg>'
)

_WIDTH, _HEIGHT = 240, 16


def _svg(label: str, body: str, width: int = _WIDTH, height: int = _HEIGHT) -> str:
    said = escape(label)
    return (
        f'<svg class="small" viewBox="0 0 {width} {height}" preserveAspectRatio="xMinYMid" '
        f'role="img" aria-label="{said}"><title>{said}</title>{body}</svg>'
    )


def stack(shares: Sequence[float], label: str) -> str:
    """A bar of four parts, in the order of OUTCOMES."""
    left, parts = 0.5, []
    for (_, style, _), share in zip(OUTCOMES, shares, strict=True):
        width = share * (_WIDTH - 1)
        if share > 0:
            parts.append(f'<rect class="part {style}" x="{left:.1f}" y="1" width="{width:.1f}" height="{_HEIGHT - 2}"/>')
        left += width
    return _svg(label, "".join(parts))


def swatch(style: str, words: str) -> str:
    """A sample of one texture, for the key."""
    return _svg(words, f'<rect class="part {style}" x="1" y="1" width="34" height="{_HEIGHT - 2}"/>', 36)


def meter(share: float, label: str, width: int = 120) -> str:
    """A bar for one share, in a frame that stands for all."""
    return _svg(
        label,
        f'<rect class="frame" x=".5" y="3.5" width="{width - 1}" height="9"/>'
        f'<rect class="f-passed" x=".5" y="3.5" width="{share * (width - 1):.1f}" height="9"/>',
        width,
    )


def interval(value: float, low: float, high: float, label: str) -> str:
    """A point between -1 and 1 with the interval in which it may lie; a stroke marks zero."""
    at = [8 + (one + 1) / 2 * (_WIDTH - 16) for one in (low, value, high)]
    middle = _WIDTH / 2
    return _svg(
        label,
        f'<line class="axis" x1="8" x2="{_WIDTH - 8}" y1="8" y2="8"/>'
        f'<line class="zero" x1="{middle}" x2="{middle}" y1="1" y2="15"/>'
        f'<line class="whisker" x1="{at[0]:.1f}" x2="{at[2]:.1f}" y1="8" y2="8"/>'
        f'<circle class="f-passed" cx="{at[1]:.1f}" cy="8" r="4.5"/>',
    )
