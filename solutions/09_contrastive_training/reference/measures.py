"""Right answers: measures of retrieval and of likeness."""

import math
from collections.abc import Sequence

import torch


def recall_at_k(similarity: torch.Tensor, relevant: torch.Tensor, k: int) -> float:
    """The share of rows whose relevant column is among the row's k most similar ones.

    similarity  (N, M) floating tensor: how similar query n and candidate m are; N and M at least 1
    relevant    (N,) int64 tensor: each query's one right candidate
    k           at least 1; it may exceed M
    returns     a number from 0 to 1

    >>> similarity = torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.4]])
    >>> recall_at_k(similarity, torch.tensor([0, 2]), k=1), recall_at_k(similarity, torch.tensor([0, 2]), k=2)
    (0.5, 1.0)
    """
    found = similarity.topk(min(k, similarity.shape[1]), dim=1).indices  # (N, k)
    return (found == relevant[:, None]).any(dim=1).double().mean().item()


def mean_reciprocal_rank(similarity: torch.Tensor, relevant: torch.Tensor) -> float:
    """The mean over the rows of 1 / rank of the relevant column, where the most similar column has rank 1.

    similarity  (N, M) floating tensor: how similar query n and candidate m are; N and M at least 1
    relevant    (N,) int64 tensor: each query's one right candidate
    returns     a number from 0 to 1

    >>> similarity = torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.4]])
    >>> mean_reciprocal_rank(similarity, torch.tensor([0, 2]))
    0.75
    """
    own = similarity.gather(1, relevant[:, None])  # (N, 1)
    ranks = 1 + (similarity > own).sum(dim=1)  # (N,)
    return (1 / ranks.double()).mean().item()


def ndcg_at_k(gains: Sequence[float] | torch.Tensor, k: int) -> float:
    """How much of the best possible ranking a ranking reaches within its first k places.

    Place i = 1, 2, 3, ... counts (2 ** gain - 1) / log2(i + 1). The sum over the first k places is divided by
    the same sum for the best order of all given gains, cut at k.

    gains    list or 1-D tensor: the grade of what stands at each place, in ranked order, 0 for worthless; it may
             be empty
    k        at least 1; it may exceed the number of gains
    returns  a number from 0 to 1; 0 when no gain is above 0

    >>> round(ndcg_at_k([0, 1], k=2), 4), round(ndcg_at_k([1, 3, 2], k=3), 4), ndcg_at_k([0, 0], k=2)
    (0.6309, 0.7364, 0.0)

    Source: Järvelin and Kekäläinen, 2002, with the gain of Burges et al., 2005.
    """

    def discounted(ranked: list[float]) -> float:
        return sum((2**gain - 1) / math.log2(place + 2) for place, gain in enumerate(ranked[:k]))

    given = [float(gain) for gain in gains]
    best = discounted(sorted(given, reverse=True))
    return discounted(given) / best if best > 0 else 0.0


def spearman(a: torch.Tensor, b: torch.Tensor) -> float:
    """The correlation between the ranks of two lists of values.

    The smallest value has the lowest rank; equal values share the mean of the ranks that they take up. The result is
    the usual (Pearson's) correlation of these ranks.

    a, b     (N,) floating tensors, N >= 2, neither of them constant
    returns  a number from -1 to 1

    >>> round(spearman(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([10.0, 90.0, 20.0])), 6)
    0.5
    >>> round(spearman(torch.tensor([1.0, 2.0, 2.0]), torch.tensor([1.0, 2.0, 3.0])), 4)
    0.866
    """

    def ranks(values: torch.Tensor) -> torch.Tensor:
        smaller = (values[None, :] < values[:, None]).sum(dim=1)
        equal = (values[None, :] == values[:, None]).sum(dim=1)
        return (smaller + equal / 2).double()

    return torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1].item()
