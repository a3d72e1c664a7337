"""A small training run in which row norms grow: words that must tell two kinds of context apart.

The classes can be separated exactly, so the logistic loss is never satisfied and every row that is seen goes on
growing, frequent ones faster (Soudry et al. 2018, "The implicit bias of gradient descent on separable data").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

__all__ = ["GrowingNorms", "new_run"]


@dataclass
class GrowingNorms:
    """An embedding, its optimizer, the batches (ids of words by Zipf's law) and the loss of one batch."""

    embedding: nn.Embedding
    optimizer: torch.optim.Optimizer
    batches: list[torch.Tensor]
    loss_fn: Callable[[torch.Tensor], torch.Tensor]
    counts: torch.Tensor


def new_run(
    max_norm: float | None = None, words: int = 30, width: int = 8, steps: int = 200, seed: int = 3, lr: float = 4.0
) -> GrowingNorms:
    """A fresh run; the same seed gives the same table and batches, with and without max_norm.

    Word r is seen in proportion to 1/(r + 1).
    """
    generator = torch.Generator().manual_seed(seed)
    table = 0.3 * torch.randn(words, width, generator=generator)
    direction = F.normalize(torch.randn(width, generator=generator), dim=0)
    frequency = 1.0 / torch.arange(1, words + 1)
    drawn = torch.multinomial(frequency, steps * 16, replacement=True, generator=generator)
    embedding = nn.Embedding(words, width, max_norm=max_norm, _weight=table)

    def loss_fn(vectors: torch.Tensor) -> torch.Tensor:
        return F.softplus(-vectors @ direction).mean()

    return GrowingNorms(
        embedding,
        torch.optim.SGD(embedding.parameters(), lr=lr),
        list(drawn.view(steps, 16)),
        loss_fn,
        torch.bincount(drawn, minlength=words),
    )
