"""The right answer to 04.sgns_loss."""

import torch
import torch.nn.functional as F


def sgns_loss(center: torch.Tensor, context: torch.Tensor, negatives: torch.Tensor) -> torch.Tensor:
    """Return the loss of skip-gram with negative sampling (Mikolov et al., 2013, equation 4).

    For one pair of words with vectors v (center) and u (context), and K negatives n_k, it is
    -log sigmoid(u · v) - sum over k of log sigmoid(-n_k · v). The result is its mean over the N pairs.

    center     tensor (N, d), N at least 1: the vectors of the words in the middle
    context    (N, d): for each of them the vector of a word that stood near it
    negatives  (N, K, d): for each of them the vectors of K drawn words; K may be 0
    returns    0-d tensor, through which gradients reach all three; loss and gradients stay finite for scores
               of 1000

    >>> zero = torch.zeros(1, 2)
    >>> sgns_loss(zero, zero, torch.zeros(1, 3, 2))  # 4 log 2
    tensor(2.7726)
    """
    near = (center * context).sum(dim=1)  # (N,)
    drawn = (negatives * center[:, None, :]).sum(dim=2)  # (N, K)
    return -(F.logsigmoid(near) + F.logsigmoid(-drawn).sum(dim=1)).mean()
