"""What the measures of retrieval share: tables in which the right columns stand at chosen ranks."""

from collections.abc import Sequence

import torch

from ...checking.exercise import RandomInputs

#: Measures lie between -1 and 1.
CLOSE = 1e-5


def scores(draw: RandomInputs, rows: int, columns: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return similarities from -1 to 1 in random order; those of one row are clearly apart."""
    steps = torch.linspace(-1, 1, columns, dtype=dtype)
    shift = draw.uniform(rows, 1, low=-0.05, high=0.05, dtype=dtype)
    return torch.stack([steps[draw.distinct(columns, columns)] for _ in range(rows)]) + shift


def ranks(draw: RandomInputs, rows: int, columns: int, *among: int) -> list[int]:
    """Return a rank for each row in random order: the ranks in `among`, and random ones."""
    return draw.shuffled([*among, *(draw.integer(1, columns) for _ in range(rows - len(among)))])


def at_ranks(similarity: torch.Tensor, ranks: Sequence[int]) -> torch.Tensor:
    """Return the column at this rank in each row, where rank 1 is the most similar."""
    order = similarity.argsort(dim=1, descending=True)
    return order[torch.arange(len(similarity)), torch.tensor(ranks) - 1]


def close(draw: RandomInputs, rows: int, columns: int) -> torch.Tensor:
    """Return float64 similarities that differ in the tenth digit, so that they are equal in float32."""
    return 0.5 + 1e-10 * scores(draw, rows, columns, torch.float64)


def close_and_best(draw: RandomInputs, rows: int, columns: int) -> torch.Tensor:
    """Return float64 similarities that are equal in float32; the best column is a different one in each row."""
    table = close(draw, rows, columns)
    for row, column in zip(table, draw.distinct(rows, columns).tolist(), strict=True):
        row[column] += 1e-9
    return table
