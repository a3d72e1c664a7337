"""Right answers to notebook 01: one-hot vectors and lookup."""

import torch


def one_hot(ids: torch.Tensor, num_classes: int) -> torch.Tensor:
    """Turn each id into a vector with a single 1.

    ids          int64 tensor of any shape
    num_classes  how many classes there are
    returns      tensor of shape (*ids.shape, num_classes), of any numeric or bool type

    Raises ValueError when an id lies outside 0 ... num_classes - 1.

    >>> one_hot(torch.tensor([2, 0]), 3).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError(f"ids must lie in 0 ... {num_classes - 1}")
    return torch.eye(num_classes)[ids]


def embed_by_matmul(ids: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Look vectors up the long way: one-hot rows times the table.

    ids      int64 tensor of any shape, ids of rows of the table
    weight   (V, d) table, one row for each word
    returns  (*ids.shape, d) tensor of the table's floating type

    >>> embed_by_matmul(torch.tensor([1, 1]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    rows = one_hot(ids, weight.shape[0]).to(weight.dtype)  # (*ids.shape, V)
    return rows @ weight  # (*ids.shape, d)


def embed_by_lookup(ids: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Look vectors up directly: row i of the table is the vector of id i.

    ids      int64 tensor of any shape, ids of rows of the table
    weight   (V, d) table, one row for each word
    returns  (*ids.shape, d) tensor of the table's floating type

    >>> embed_by_lookup(torch.tensor([1, 1]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    return weight[ids]
