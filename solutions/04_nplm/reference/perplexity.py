"""The right answer to 04.perplexity."""

import math

import torch


def perplexity(nll_sums: list[float] | torch.Tensor, token_counts: list[int] | torch.Tensor) -> float:
    """Return the exponential of the mean loss per token.

    A model that always finds k words equally likely has perplexity k. Each token counts the same, however the text
    was cut into batches.

    nll_sums      for each batch the sum of its tokens' losses (negative log-likelihoods), in nats
    token_counts  for each batch how many tokens that were; some may be 0 (with a loss of 0), but not all
    returns       a number, as a float or 0-d tensor

    Both may be lists or 1-D tensors.

    >>> round(perplexity([2 * math.log(3), 4 * math.log(9)], [2, 4]), 4)  # (3² · 9⁴)^(1/6)
    6.2403
    """
    losses = torch.as_tensor(nll_sums, dtype=torch.float64).sum().item()
    tokens = torch.as_tensor(token_counts).sum().item()
    return math.exp(losses / tokens)
