"""The right answer to 04.best_mixture."""


import torch


def best_mixture(p_model: torch.Tensor, p_count: torch.Tensor, grid: list[float] | torch.Tensor) -> float:
    """Return the weight w with which w * p_model + (1 - w) * p_count predicts held-out text best.

    Best is the least loss: the mean over all words of -log(mixture). A word of probability 0 costs infinity.

    p_model  floating tensor (N,): the probability that the model gave to each held-out word; N may be large
    p_count  tensor (N,) of the same type: the probability that the counts gave to it
    grid     the weights to try, from 0 to 1, in any order, a list or 1-D tensor; at least one has a finite loss
    returns  one of the weights of the grid, as a float or 0-d tensor

    >>> best_mixture(torch.tensor([0.9, 0.0]), torch.tensor([0.1, 0.5]), [0.0, 0.4, 1.0])
    0.4
    """
    weights = [float(w) for w in grid]
    losses = [-(w * p_model + (1 - w) * p_count).log().mean().item() for w in weights]
    return weights[losses.index(min(losses))]
