"""Evaluate a language model on held-out text."""

import torch
import torch.nn.functional as F
from torch import nn


@torch.no_grad()
def batch_losses(model: nn.Module, X: torch.Tensor, Y: torch.Tensor, size: int = 1000) -> tuple[list[float], list[int]]:
    """Return the sum of the losses of each batch, in nats, and its number of tokens. The last batch may be smaller.

    Parameters
    ----------
    model : nn.Module
        Maps windows to logits.
    X : torch.Tensor
        Windows of ids, (N, n).
    Y : torch.Tensor
        The next word of each window, (N,).
    size : int, optional
        Number of windows in a batch.
    """
    parts = list(zip(X.split(size), Y.split(size), strict=True))
    return [F.cross_entropy(model(x), y, reduction="sum").item() for x, y in parts], [len(y) for _, y in parts]


def mean_loss(model: nn.Module, X: torch.Tensor, Y: torch.Tensor) -> float:
    """Return the mean loss per token, in nats."""
    sums, counts = batch_losses(model, X, Y)
    return sum(sums) / sum(counts)


@torch.no_grad()
def probabilities(model: nn.Module, X: torch.Tensor, Y: torch.Tensor) -> torch.Tensor:
    """Return the probability that the model gives to each target, (N,)."""
    parts = zip(X.split(1000), Y.split(1000), strict=True)
    return torch.cat([model(x).softmax(dim=1).gather(1, y[:, None]).squeeze(1) for x, y in parts])
