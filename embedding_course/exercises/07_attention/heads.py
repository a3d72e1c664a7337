"""Sizes and numbers for heads that are cut and joined, and masks."""

import torch

from ...checking.exercise import RandomInputs


def some_sizes(draw: RandomInputs) -> tuple[int, int, int, int]:
    """Return B, T, h and d / h, which are distinct primes."""
    batch, time, heads, width = draw.shuffled((2, 3, 5, 7))
    return batch, time, heads, width


SQUARES = (
    ("as many heads as positions", (2, 3, 3, 5)),
    ("as many heads as columns in each", (2, 5, 3, 3)),
    ("as many positions as columns in each head", (2, 3, 5, 3)),
    ("as many heads as sentences", (3, 2, 3, 5)),
    ("sizes that are all equal", (3, 3, 3, 3)),
)


def counted(batch: int, time: int, width: int) -> torch.Tensor:
    """Return numbers that tell their position: 100 for the sentence, 10 for the position, 1 for the column."""
    indices = torch.meshgrid(torch.arange(batch), torch.arange(time), torch.arange(width), indexing="ij")
    return (100 * indices[0] + 10 * indices[1] + indices[2]).float()


def some_mask(draw: RandomInputs, *shape: int) -> torch.Tensor:
    """Return a bool mask in which every row of the last axis allows at least one position and forbids at least one.

    True allows. No two neighbouring rows are alike, so that a mask which is read along the wrong axis shows.
    """
    rows = torch.zeros(*shape, dtype=torch.bool).reshape(-1, shape[-1])
    for index, row in enumerate(rows):
        while True:
            row[:] = draw.uniform(shape[-1]) < 0.6
            if row.any() and not row.all() and not (index and torch.equal(row, rows[index - 1])):
                break
    return rows.reshape(shape)
