"""The right answer to 09.recall_at_k."""

import torch


def recall_at_k(similarity: torch.Tensor, relevant: torch.Tensor, k: int) -> float:
    """Return the fraction of rows whose relevant column is among the row's k most similar ones.

    similarity  (N, M) floating tensor: how similar query n and candidate m are; N and M at least 1
    relevant    (N,) int64 tensor: each query's one right candidate
    k           at least 1; it may exceed M
    returns     a number from 0 to 1, as a float or 0-d tensor

    >>> similarity = torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.4]])
    >>> recall_at_k(similarity, torch.tensor([0, 2]), k=1), recall_at_k(similarity, torch.tensor([0, 2]), k=2)
    (0.5, 1.0)
    """
    found = similarity.topk(min(k, similarity.shape[1]), dim=1).indices  # (N, k)
    return (found == relevant[:, None]).any(dim=1).double().mean().item()
