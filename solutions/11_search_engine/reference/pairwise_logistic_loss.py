"""The right answer to 11.pairwise_logistic_loss."""

import torch
import torch.nn.functional as F


def pairwise_logistic_loss(scores: torch.Tensor, gains: torch.Tensor) -> torch.Tensor:
    """Return RankNet's loss: how far the scores are from putting the better document of each pair first.

    For each pair of documents with gain_i > gain_j, the loss is log(1 + exp(-(score_i - score_j))). The loss is the mean over
    all these pairs. Without such a pair it is 0, with a graph that gives the scores a gradient of 0.

    scores   (N,) floating tensor, a score for each document, up to 1000 in size; N may be 0
    gains    (N,) tensor of whole or floating numbers of any sign: how relevant each document is
    returns  a 0-d tensor of the dtype of the scores, with a graph if they have one. At equal scores a pair's gradient is -1/2
             for the better document, and 1/2 for the other one, before the mean is taken

    >>> pairwise_logistic_loss(torch.tensor([2.0, 0.0]), torch.tensor([1, 0]))
    tensor(0.1269)
    >>> pairwise_logistic_loss(torch.zeros(3), torch.ones(3))
    tensor(0.)

    Source: Burges et al., Learning to Rank using Gradient Descent, 2005 (RankNet).
    """
    better = gains[:, None] > gains[None, :]  # (N, N): document i has a larger gain than document j
    if not better.any():
        return scores.sum() * 0
    ahead = (scores[:, None] - scores[None, :])[better]  # (pairs,)
    return F.softplus(-ahead).mean()
