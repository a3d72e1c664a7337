"""The right answer to 01.one_hot."""

import torch


def one_hot(ids: torch.Tensor, num_classes: int) -> torch.Tensor:
    """Turn each id into a vector with a single 1.

    ids          int64 tensor of any shape
    num_classes  number of classes
    returns      tensor of shape (*ids.shape, num_classes), of any numeric or bool type

    Raises ValueError when an id lies outside 0 ... num_classes - 1.

    >>> one_hot(torch.tensor([2, 0]), 3).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError(f"ids must lie in 0 ... {num_classes - 1}")
    return torch.eye(num_classes)[ids]
