"""The right answer to 04.negative_sampling_distribution."""

import torch


def negative_sampling_distribution(counts: torch.Tensor, power: float = 0.75) -> torch.Tensor:
    """Return the probabilities with which negatives are drawn (Mikolov et al., 2013).

    A word's probability is proportional to its count to the power; with a power below 1 rare words are drawn
    more often than they occur.

    counts   int64 or float32 tensor (V,): how often each word occurs, at least one of them more than 0
    power    larger than 0
    returns  floating tensor (V,) that sums to one, of the counts' dtype where that is floating; a word that
             never occurs has probability 0

    >>> negative_sampling_distribution(torch.tensor([1, 16, 0]))
    tensor([0.1111, 0.8889, 0.0000])
    """
    weights = counts ** float(power)
    return weights / weights.sum()
