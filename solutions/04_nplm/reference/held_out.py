"""Right answers: how good a model is on held-out text, alone and mixed with counts."""

import math

import torch


def perplexity(nll_sums: list[float] | torch.Tensor, token_counts: list[int] | torch.Tensor) -> float:
    """exp of the mean loss per token.

    A model that finds k words equally likely, everywhere, has perplexity k. Each token counts the same: how the
    text was cut into batches does not matter.

    nll_sums      for each batch the sum of its tokens' losses (negative log-likelihoods), in nats
    token_counts  for each batch how many tokens that were; some may be 0 (with a loss of 0), but not all
    returns       a float

    Both may be lists or 1-D tensors.

    >>> round(perplexity([2 * math.log(3), 4 * math.log(9)], [2, 4]), 4)  # (3² · 9⁴)^(1/6)
    6.2403
    """
    losses = torch.as_tensor(nll_sums, dtype=torch.float64).sum().item()
    tokens = torch.as_tensor(token_counts).sum().item()
    return math.exp(losses / tokens)


def best_mixture(p_model: torch.Tensor, p_count: torch.Tensor, grid: list[float] | torch.Tensor) -> float:
    """The weight w with which w * p_model + (1 - w) * p_count predicts held-out text best.

    Best is the least loss: the mean over all words of -log(mixture). A word of probability 0 costs infinity.

    p_model  floating tensor (N,): the probability that the model gave to each held-out word; N may be large
    p_count  tensor (N,) of the same type: the probability that the counts gave to it
    grid     the weights to try, from 0 to 1, in any order, a list or 1-D tensor; at least one has a finite loss
    returns  one of the weights of the grid, as a float

    >>> best_mixture(torch.tensor([0.9, 0.0]), torch.tensor([0.1, 0.5]), [0.0, 0.4, 1.0])
    0.4
    """
    weights = [float(w) for w in grid]
    losses = [-(w * p_model + (1 - w) * p_count).log().mean().item() for w in weights]
    return weights[losses.index(min(losses))]
