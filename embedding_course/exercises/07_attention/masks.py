"""Masks for cases: True = may attend."""

import torch

from ...checking.exercise import RandomInputs


def some_mask(draw: RandomInputs, *shape: int) -> torch.Tensor:
    """Return a bool mask in which every row of the last axis allows at least one position and forbids at least one.

    No two neighbouring rows are alike, so that a mask which is read along the wrong axis shows.
    """
    rows = torch.zeros(*shape, dtype=torch.bool).reshape(-1, shape[-1])
    for index, row in enumerate(rows):
        while True:
            row[:] = draw.uniform(shape[-1]) < 0.6
            if row.any() and not row.all() and not (index and torch.equal(row, rows[index - 1])):
                break
    return rows.reshape(shape)
