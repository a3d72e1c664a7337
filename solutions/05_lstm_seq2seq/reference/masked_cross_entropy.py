"""The right answer to 05.masked_cross_entropy."""

import torch
import torch.nn.functional as F


def masked_cross_entropy(logits: torch.Tensor, targets: torch.Tensor, pad: int) -> torch.Tensor:
    """Return the mean of -log softmax(logits)[target] over all real words.

    logits   (B, T, V), values up to 1e4
    targets  (B, T) int64: words, then pad
    pad      the id that does not count; it may lie outside 0 to V - 1
    returns  a 0-d tensor. It has a graph whenever a word counts; where none does it is 0.0, with a graph or without

    >>> targets = torch.tensor([[1, 2], [1, 0]])
    >>> masked_cross_entropy(torch.zeros(2, 2, 3), targets, pad=0)  # log 3
    tensor(1.0986)
    >>> masked_cross_entropy(torch.zeros(1, 2, 3), torch.tensor([[0, 0]]), pad=0)
    tensor(0.)
    """
    flat = logits.reshape(-1, logits.shape[-1])  # (B * T, V)
    total = F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad, reduction="sum")
    return total / (targets != pad).sum().clamp(min=1)
