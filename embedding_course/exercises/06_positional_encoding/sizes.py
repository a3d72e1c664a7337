"""Widths and bases for cases."""

from ...checking.exercise import RandomInputs


def even_width(draw: RandomInputs, low: int, high: int) -> int:
    """A width of `low` to `high` pairs."""
    return 2 * draw.integer(low, high)


def some_base(draw: RandomInputs) -> float:
    return float(draw.integer(15, 400))
