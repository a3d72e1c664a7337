"""The right answer to 09.false_negative_mask."""

import torch


def false_negative_mask(groups: torch.Tensor) -> torch.Tensor:
    """Mark the pairs of a batch that must not count as negatives, because they belong together.

    groups   (N,) int64 tensor: rows with the same number belong together
    returns  (N, N) bool tensor: True (leave out) where two different rows are of one group; False on the diagonal,
             where a row meets its own positive

    >>> false_negative_mask(torch.tensor([5, 2, 5]))
    tensor([[False, False,  True],
            [False, False, False],
            [ True, False, False]])
    """
    mask = groups[:, None] == groups[None, :]  # (N, N)
    return mask.fill_diagonal_(False)
