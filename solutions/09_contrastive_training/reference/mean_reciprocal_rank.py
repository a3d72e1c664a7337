"""The right answer to 09.mean_reciprocal_rank."""

import torch


def mean_reciprocal_rank(similarity: torch.Tensor, relevant: torch.Tensor) -> float:
    """Return the mean over the rows of 1 / rank of the relevant column, where the most similar column has rank 1.

    similarity  (N, M) floating tensor: how similar query n and candidate m are; N and M at least 1
    relevant    (N,) int64 tensor: each query's one right candidate
    returns     a number from 0 to 1, as a float or 0-d tensor

    >>> similarity = torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.4]])
    >>> mean_reciprocal_rank(similarity, torch.tensor([0, 2]))
    0.75
    """
    own = similarity.gather(1, relevant[:, None])  # (N, 1)
    ranks = 1 + (similarity > own).sum(dim=1)  # (N,)
    return (1 / ranks.double()).mean().item()
