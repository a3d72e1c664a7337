"""Widths and bases for cases."""

from ...checking.exercise import RandomInputs


def even_width(draw: RandomInputs, low: int, high: int) -> int:
    """Return an even width of `low` to `high` pairs of numbers."""
    return 2 * draw.integer(low, high)


def some_base(draw: RandomInputs) -> float:
    """Return a random base of the angles, from 15 to 400."""
    return float(draw.integer(15, 400))
