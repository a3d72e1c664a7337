"""Measure how the initialisation of a table affects the first logits, the first loss and the training after it."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


def standard_deviations(num_embeddings: int, width: int) -> dict[str, float]:
    """Return the standard deviation of each recipe for a table (V, d), counted as `torch.nn.init` does: fan-in d, fan-out V.

    Examples
    --------
    >>> round(standard_deviations(100_256, 1_536)["Xavier"], 5)
    0.00443
    """
    return {
        "N(0, 1)": 1.0,
        "Kaiming": math.sqrt(2 / width),
        "Xavier": math.sqrt(2 / (num_embeddings + width)),
        "N(0, 0.02²)": 0.02,
    }


@dataclass(frozen=True)
class Run:
    """Hold the standard deviation of the logits before the first step, and the loss of every batch."""

    logit_std: float
    losses: list[float]


class _NextWord(nn.Module):
    """Look a word up, mix its vector, and score every next word; if tied, with the same table."""

    def __init__(self, num_embeddings: int, width: int, std: float, tied: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(num_embeddings, width)
        self.mix = nn.Linear(width, width, bias=False)
        self.output = nn.Linear(width, num_embeddings)
        nn.init.normal_(self.mix.weight, std=1 / math.sqrt(width))
        nn.init.normal_(self.table.weight, std=std)
        nn.init.zeros_(self.output.bias)
        if tied:
            self.output.weight = self.table.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.output(self.mix(self.table(ids)))


def train(ids: torch.Tensor, num_embeddings: int, std: float, *, tied: bool, width: int = 64, steps: int = 60) -> Run:
    """Train on a text with Adam, on 128 pairs of neighbours at each step, with a fixed seed.

    Parameters
    ----------
    ids : torch.Tensor
        Ids of the text, (N,).
    num_embeddings : int
        Number of rows of the table.
    std : float
        Standard deviation of the first table.
    tied : bool
        True if the output layer uses the same table.
    width : int, optional
        Number of dimensions of a row.
    steps : int, optional
        Number of steps.
    """
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = _NextWord(num_embeddings, width, std, tied)
    generator = torch.Generator().manual_seed(0)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    with torch.no_grad():
        logit_std = model(ids[:1024]).std().item()
    losses = []
    for _ in range(steps):
        at = torch.randint(len(ids) - 1, (128,), generator=generator)
        loss = F.cross_entropy(model(ids[at]), ids[at + 1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return Run(logit_std, losses)


@torch.no_grad()
def first_loss(ids: torch.Tensor, num_embeddings: int, std: float, *, scale: float = 1.0, width: int = 64) -> float:
    """Return the loss on a text before the first step, in nats, with a tied output layer.

    Parameters
    ----------
    ids : torch.Tensor
        Ids of the text, (N,), with more than 1,024 of them.
    num_embeddings : int
        Number of rows of the table.
    std : float
        Standard deviation of the table.
    scale : float, optional
        Factor of the logits.
    width : int, optional
        Number of dimensions of a row.
    """
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = _NextWord(num_embeddings, width, std, tied=True)
    return F.cross_entropy(scale * model(ids[:1024]), ids[1:1025]).item()
