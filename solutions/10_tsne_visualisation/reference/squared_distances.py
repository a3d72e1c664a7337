"""The right answer to 10.squared_distances."""


import torch


def squared_distances(x: torch.Tensor) -> torch.Tensor:
    """Return the squared Euclidean distance between every two points.

    x        tensor of shape (n, d), one point a row. The points may be close together and far from the
             origin
    returns  tensor of shape (n, n): never negative, with exact zeros in the diagonal

    >>> squared_distances(torch.tensor([[0.0, 0.0], [3.0, 4.0]])).tolist()
    [[0.0, 25.0], [25.0, 0.0]]
    """
    difference = x[:, None, :] - x[None, :, :]  # (n, n, d)
    return difference.square().sum(dim=-1)
