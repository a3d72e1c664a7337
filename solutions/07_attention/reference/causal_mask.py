"""The right answer to 07.causal_mask."""


import torch


def causal_mask(length: int) -> torch.Tensor:
    """Return the mask that hides later positions from each position.

    length   how many positions there are
    returns  bool tensor of shape (length, length), True = may attend: row i allows the columns 0 to i

    >>> causal_mask(3).int().tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    position = torch.arange(length)
    return position[None, :] <= position[:, None]
