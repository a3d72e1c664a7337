"""The right answer to 09.ndcg_at_k."""

import math
from collections.abc import Sequence

import torch


def ndcg_at_k(gains: Sequence[float] | torch.Tensor, k: int) -> float:
    """Return the fraction of the best possible DCG that a ranking reaches within its first k ranks.

    Rank i = 1, 2, 3, ... counts (2 ** gain - 1) / log2(i + 1). The sum over the first k ranks is divided by
    the same sum for the best order of all given gains, cut at k.

    gains    list or 1-D tensor: the grade of what stands at each rank, in ranked order, 0 for worthless; it may
             be empty
    k        at least 1; it may exceed the number of gains
    returns  a number from 0 to 1, as a float or 0-d tensor; 0 when no gain is above 0

    >>> round(ndcg_at_k([0, 1], k=2), 4), round(ndcg_at_k([1, 3, 2], k=3), 4), ndcg_at_k([0, 0], k=2)
    (0.6309, 0.7364, 0.0)

    Source: Järvelin and Kekäläinen, 2002, with the gain of Burges et al., 2005.
    """

    def discounted(ranked: list[float]) -> float:
        return sum((2**gain - 1) / math.log2(rank + 1) for rank, gain in enumerate(ranked[:k], 1))

    given = [float(gain) for gain in gains]
    best = discounted(sorted(given, reverse=True))
    return discounted(given) / best if best > 0 else 0.0
