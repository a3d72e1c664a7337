"""Small inline pictures for tables: a bar of what went wrong, and a point with its interval. Each says what it shows."""

from collections.abc import Sequence
from html import escape

#: What a bar is made of, from its left end: status, class of the fill, words. Three tones and an outline, so that a grey print
#: tells them apart.
FAILURES = (
    ("wrong", "f-wrong", "wrong"), ("partly", "f-partly", "partly right"), ("cell failed", "f-failed", "cell failed"),
    ("not attempted", "f-open", "not attempted"),
)  # fmt: skip

_WIDTH, _HEIGHT = 240, 16


def _svg(label: str, body: str, width: int = _WIDTH) -> str:
    said = escape(label)
    return (
        f'<svg class="small" viewBox="0 0 {width} {_HEIGHT}" preserveAspectRatio="xMinYMid" '
        f'role="img" aria-label="{said}"><title>{said}</title>{body}</svg>'
    )


def stack(shares: Sequence[float], label: str) -> str:
    """A bar as long as the share of the class that is not right, in the parts of FAILURES, above a line that is all of it."""
    left, parts = 0.5, [f'<line class="axis" x1=".5" x2="{_WIDTH - 0.5}" y1="15" y2="15"/>']
    for (_, style, _), share in zip(FAILURES, shares, strict=True):
        width = share * (_WIDTH - 1)
        if share > 0:
            parts.append(f'<rect class="part {style}" x="{left:.1f}" y="2" width="{width:.1f}" height="11"/>')
        left += width
    return _svg(label, "".join(parts))


def swatch(style: str, words: str) -> str:
    """A sample of one part, for the key."""
    return _svg(words, f'<rect class="part {style}" x="1" y="2" width="20" height="11"/>', 22)


def interval(value: float, low: float, high: float, label: str) -> str:
    """A point between -1 and 1 with the interval in which it may lie; a stroke marks zero."""
    at = [8 + (one + 1) / 2 * (_WIDTH - 16) for one in (low, value, high)]
    middle = _WIDTH / 2
    return _svg(
        label,
        f'<line class="axis" x1="8" x2="{_WIDTH - 8}" y1="8" y2="8"/>'
        f'<line class="zero" x1="{middle}" x2="{middle}" y1="1" y2="15"/>'
        f'<line class="whisker" x1="{at[0]:.1f}" x2="{at[2]:.1f}" y1="8" y2="8"/>'
        f'<circle class="f-point" cx="{at[1]:.1f}" cy="8" r="4.5"/>',
    )
