"""Compare computed numbers with printed ones, and print small errors so that the page stays the same on every machine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal

import torch

__all__ = ["agree", "below", "numbers", "rounds_to", "row", "spread"]


def agree(claimed: float, computed: float, rel: float = 1e-9) -> bool:
    """Return whether two numbers are equal, up to a share `rel` of the larger."""
    return math.isclose(claimed, computed, rel_tol=rel)


def rounds_to(computed: float, printed: str) -> bool:
    """Return whether the number, rounded to as many decimals as were printed, gives what was printed.

    >>> rounds_to(0.430054, ".4300"), rounds_to(0.430054, ".4301")
    (False, True)
    """
    wanted = Decimal(printed)
    return Decimal(repr(computed)).quantize(wanted, ROUND_HALF_UP) == wanted


def row(computed: Iterable[float], printed: str) -> bool:
    """Return whether each number of a row rounds to what was printed, with spaces between.

    >>> row([0.281, -0.714], ".28 -.71")
    True
    """
    return all(rounds_to(value, text) for value, text in zip(computed, printed.split(), strict=True))


def numbers(values: torch.Tensor | Sequence[float], digits: int = 4) -> str:
    """Return a row of numbers as text.

    >>> numbers([0.5, -1.25], 2)
    '0.50, -1.25'
    """
    listed = values.flatten().tolist() if isinstance(values, torch.Tensor) else values
    return ", ".join(f"{value:.{digits}f}" for value in listed)


def below(error: float) -> str:
    """Return a rounding error as the next power of ten, which is the same on another processor.

    >>> below(0.0), below(3e-8), below(2e-16)
    ('0', 'less than 1e-6', 'less than 1e-12')
    """
    if error == 0:
        return "0"
    for limit in (1e-12, 1e-6, 1e-4):
        if error < limit:
            return f"less than {limit:.0e}".replace("e-0", "e-")
    return f"{error:.2g}"


def spread(a: torch.Tensor, b: torch.Tensor) -> float:
    """Return the largest difference of two tensors."""
    return (a - b).abs().max().item()
