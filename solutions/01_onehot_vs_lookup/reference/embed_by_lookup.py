"""The right answer to 01.embed_by_lookup."""

import torch


def embed_by_lookup(ids: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Look vectors up by index: row i of the table is the vector of id i.

    ids      int64 tensor of any shape, ids of rows of the table
    weight   (V, d) table, one row for each id
    returns  (*ids.shape, d) tensor

    >>> embed_by_lookup(torch.tensor([1, 1]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    return weight[ids]
