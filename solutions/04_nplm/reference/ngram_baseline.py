"""The right answer to 04.ngram_baseline."""

import torch


def ngram_baseline(X: torch.Tensor, Y: torch.Tensor, vocab_size: int, order: int, alpha: float) -> torch.Tensor:
    """Return a language model of counts: V smoothed relative frequencies for order 1, V² for order 2.

    Order 1 ignores the context: p(w) = (count(w) + alpha) / (N + alpha * V). Order 2 looks at the previous
    word u, which is the last column of X: p(w | u) = (count(u, w) + alpha) / (count(u) + alpha * V).

    X           int64 tensor (N, context): the ids before each target, as `make_ngrams` returns them
    Y           int64 tensor (N,): the targets
    vocab_size  V
    order       1 or 2
    alpha       what is added to every count, larger than 0
    returns     order 1: (V,), sums to 1. Order 2: (V, V), row u is p(. | u) and sums to 1

    >>> ngram_baseline(torch.tensor([[0], [0], [1]]), torch.tensor([1, 1, 0]), 2, order=2, alpha=1.0)
    tensor([[0.2500, 0.7500],
            [0.6667, 0.3333]])
    """
    V = vocab_size
    if order == 1:
        counts = torch.bincount(Y, minlength=V) + alpha
        return counts / counts.sum()
    pairs = X[:, -1] * V + Y  # the index of (previous, next) in a square that is written row after row
    counts = torch.bincount(pairs, minlength=V * V).reshape(V, V) + alpha
    return counts / counts.sum(dim=1, keepdim=True)
