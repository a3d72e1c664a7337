"""Right answers: neighbours in the table, and how to learn one without a softmax."""

import torch
import torch.nn.functional as F


def nearest(embedding: torch.Tensor, index: int, k: int) -> list[int]:
    """The k words whose vectors point most nearly the same way as a given word's.

    embedding  floating tensor (V, d), a row for each word
    index      the word that is asked about, 0 to V - 1; its row is not zero
    k          how many neighbours are wanted, 0 or more
    returns    a list of ids by falling cosine, without index itself and without rows of zeros; fewer than k
               when there are no more

    >>> nearest(torch.tensor([[1.0, 0.0], [0.0, 0.0], [5.0, 5.0], [1.0, 0.1]]), index=0, k=3)
    [3, 2]
    """
    unit = F.normalize(embedding, dim=1)  # rows of zeros stay zero
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    neighbours = [row for row in order if row != index and bool(embedding[row].any())]
    return neighbours[:k]


def negative_sampling_distribution(counts: torch.Tensor, power: float = 0.75) -> torch.Tensor:
    """The probabilities by which negatives are drawn (Mikolov et al., 2013).

    A word's probability is proportional to its count to the power: with a power below 1 rare words are drawn
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


def sgns_loss(center: torch.Tensor, context: torch.Tensor, negatives: torch.Tensor) -> torch.Tensor:
    """The loss of skip-gram with negative sampling (Mikolov et al., 2013, equation 4).

    For one pair of words with vectors v (center) and u (context), and K negatives n_k, it is
    -log sigmoid(u · v) - sum over k of log sigmoid(-n_k · v). The result is its mean over the N pairs.

    center     floating tensor (N, d), N at least 1: the vectors of the words in the middle
    context    (N, d): for each of them the vector of a word that stood near it
    negatives  (N, K, d): for each of them the vectors of K drawn words; K may be 0
    returns    0-d tensor of the same dtype, through which gradients reach all three; loss and gradients stay
               finite for scores of 1000

    >>> zero = torch.zeros(1, 2)
    >>> sgns_loss(zero, zero, torch.zeros(1, 3, 2))  # 4 log 2
    tensor(2.7726)
    """
    near = (center * context).sum(dim=1)  # (N,)
    drawn = (negatives * center[:, None, :]).sum(dim=2)  # (N, K)
    return -(F.logsigmoid(near) + F.logsigmoid(-drawn).sum(dim=1)).mean()
