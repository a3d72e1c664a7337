"""The right answer to 11.truncate_dimensions."""

import torch
import torch.nn.functional as F


def truncate_dimensions(x: torch.Tensor, keep: int) -> torch.Tensor:
    """Keep the first dimensions of each vector, and scale the rest to norm 1.

    x        (N, d) floating tensor; N may be 0
    keep     how many columns to keep, at least 1; d or more keeps all of them
    returns  (N, min(keep, d)) tensor of the dtype of x: rows of norm 1; where only zeros are left, a row of zeros.
             Where a graph leads back to x, gradients are finite, at rows of zeros too

    >>> truncate_dimensions(torch.tensor([[3.0, 4.0, 12.0], [0.0, 0.0, 1.0]]), keep=2)
    tensor([[0.6000, 0.8000],
            [0.0000, 0.0000]])

    Source: Kusupati et al., Matryoshka Representation Learning, 2022.
    """
    return F.normalize(x[:, :keep], dim=1)
