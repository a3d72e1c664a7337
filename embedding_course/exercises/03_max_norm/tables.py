"""Embedding tables whose rows are longer or shorter than max_norm by more than rounding could blur."""

from collections.abc import Sequence

import torch

from ...checking.exercise import RandomInputs

#: Why a table with `close` rows behaves as it does.
CLOSE = "A little too long is too long; a little shorter than max_norm is short enough."


def limit(draw: RandomInputs) -> float:
    """Return a max_norm with one decimal, from 0.7 to 3.0 but not 1.0, at which a forgotten factor would not show."""
    return draw.choice([tenths / 10 for tenths in range(7, 31) if tenths != 10])


def small_limit(draw: RandomInputs) -> float:
    """Return a max_norm far below 1: 0.15 to 0.3."""
    return draw.integer(15, 30) / 100


def long_rows(draw: RandomInputs, rows: int) -> list[bool]:
    """Return which rows exceed max_norm: about half of them, at random."""
    return draw.shuffled([True] * (rows - rows // 2) + [False] * (rows // 2))


def one_long_row(draw: RandomInputs, rows: int, width: int, max_norm: float) -> torch.Tensor:
    """Return a (rows, width) table of short rows and one long row, whose mean norm is below max_norm."""
    weight = table(draw, rows, width, max_norm, long=False)
    row = draw.integer(0, rows - 1)
    weight[row] *= 1.5 * max_norm / weight[row].norm()
    return weight


def table(
    draw: RandomInputs,
    rows: int,
    width: int,
    max_norm: float,
    long: bool | Sequence[bool] | None = None,
    norm_type: float = 2.0,
    dtype: torch.dtype = torch.float32,
    close: bool = False,
) -> torch.Tensor:
    """Return a (rows, width) table; `long` says which rows exceed max_norm (all, none or these; by default about half).

    Long rows have 1.4 to 4 times max_norm, short ones 0.2 to 0.7 times; with `close`, both are 0.4 to 0.8 percent away from it.
    The largest number of a long row is negative and positive by turns, so that a norm computed without absolute values shows.
    """
    if long is None:
        long = long_rows(draw, rows)
    mask = torch.tensor([long] * rows if isinstance(long, bool) else list(long), dtype=torch.bool)
    direction = draw.normal(rows, width, dtype=torch.float64)
    largest = direction.gather(1, direction.abs().argmax(dim=1, keepdim=True))
    turn = torch.where(mask.cumsum(0) % 2 == 1, -1.0, 1.0)[:, None]
    direction = direction * largest.sign() * turn
    if norm_type == float("inf"):
        direction[0] = direction[0].sign()  # numbers of one size: a high power in place of the maximum would show
    direction = direction / torch.linalg.vector_norm(direction, ord=norm_type, dim=1, keepdim=True)
    above, below = ((1.004, 1.008), (0.992, 0.996)) if close else ((1.4, 4.0), (0.2, 0.7))
    longer, shorter = (draw.uniform(rows, 1, low=low, high=high, dtype=torch.float64) for low, high in (above, below))
    return (direction * torch.where(mask[:, None], longer, shorter) * max_norm).to(dtype)
