"""The right answer to 07.scaled_dot_product_attention."""

import math

import torch


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return for each query the mean of the values, weighted by how well the keys fit.

    weights = softmax(q kᵀ / sqrt(dk)) over the keys, output = weights v (Vaswani et al. 2017, equation 1).

    q        tensor of shape (..., T, dk): T queries; the leading axes, if any, are the same in q, k and v
    k        tensor of shape (..., S, dk): S keys
    v        tensor of shape (..., S, dv): a value for each key
    mask     bool tensor that broadcasts to (..., T, S), True = may attend; None allows everything
    returns  (output, weights) of shapes (..., T, dv) and (..., T, S)

    A query that may attend to nothing gets zeros in output and weights, and its gradients are finite. Scores up to
    1000 in size give finite weights.

    >>> q, k, v = torch.zeros(1, 4), torch.zeros(2, 4), torch.tensor([[1.0], [3.0]])
    >>> output, weights = scaled_dot_product_attention(q, k, v)
    >>> output.tolist(), weights.tolist()
    ([[2.0]], [[0.5, 0.5]])
    >>> scaled_dot_product_attention(q, k, v, torch.tensor([False, True]))[0].tolist()
    [[3.0]]
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., T, S)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)  # a row without keys is nan until here
    return weights @ v, weights
