"""The right answer to 01.embed_by_matmul."""

import torch


def embed_by_matmul(ids: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Look vectors up by a matrix product: one-hot rows times the table.

    ids      int64 tensor of any shape, ids of rows of the table
    weight   (V, d) table, one row for each id
    returns  (*ids.shape, d) tensor

    >>> embed_by_matmul(torch.tensor([1, 1]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    rows = one_hot(ids, weight.shape[0]).to(weight.dtype)  # (*ids.shape, V)
    return rows @ weight  # (*ids.shape, d)
