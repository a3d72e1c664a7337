"""The right answer to 10.pca."""

import torch


def pca(x: torch.Tensor, k: int) -> torch.Tensor:
    """Project points onto their k directions of largest variance.

    x        tensor of shape (n, d), one point a row, n >= 2
    k        how many directions, at most min(n - 1, d)
    returns  tensor of shape (n, k): the coordinates of the centred points along the directions,
             the direction of largest variance first. The sign of a column means nothing

    >>> pca(torch.tensor([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0]]), 1).abs().round(decimals=3).tolist()
    [[2.0], [0.0], [2.0]]
    """
    centred = x - x.mean(dim=0)  # (n, d)
    _, _, directions = torch.linalg.svd(centred, full_matrices=False)  # (min(n, d), d), largest first
    return centred @ directions[:k].T  # (n, k)
