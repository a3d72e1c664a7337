"""Train a small next-word model on real text, and record the row norms after every step.

A pair is a word of the Python language reference and the word after it. Each batch asks, for the first word of every
pair, which of the batch's second words belongs to it (cross-entropy over the batch). One table serves both words.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

from ...data.language_reference import common_words, ids_of, words

WIDTH, BATCH, STEPS = 16, 64, 300

_OPTIMIZERS: dict[str, Callable[[list[nn.Parameter]], torch.optim.Optimizer]] = {
    "SGD": lambda parameters: torch.optim.SGD(parameters, lr=1.0),
    "momentum": lambda parameters: torch.optim.SGD(parameters, lr=0.3, momentum=0.9),
    "Adam": lambda parameters: torch.optim.Adam(parameters, lr=0.02),
}


class Pairs(NamedTuple):
    """Hold the vocabulary by falling frequency, and the pairs of ids (N, 2) to train on and to test on."""

    names: list[str]
    train: torch.Tensor
    held_out: torch.Tensor


@cache
def pairs(size: int = 1000) -> Pairs:
    """Return all pairs of neighbours among the `size` most frequent words, shuffled; 2,048 are held out."""
    text = tuple(word for word in words() if word.isalpha())
    vocab = common_words(text, size + 1)
    ids = ids_of(text, vocab) - 1  # A rarer word becomes -1.
    neighbours = torch.stack([ids[:-1], ids[1:]], dim=1)
    neighbours = neighbours[(neighbours >= 0).all(dim=1)]
    neighbours = neighbours[torch.randperm(len(neighbours), generator=torch.Generator().manual_seed(0))]
    return Pairs(list(vocab)[1:], neighbours[2048:], neighbours[:2048])


class NextWordLoss(nn.Module):
    """Map vectors of pairs (B, 2, d) to a scalar: the loss of finding each second word in the batch."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.match = nn.Linear(width, width, bias=False)

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return the loss of vectors (B, 2, d)."""
        scores = self.match(vectors[:, 0]) @ vectors[:, 1].T  # (B, B)
        return F.cross_entropy(scores, torch.arange(len(vectors)))


@dataclass(frozen=True)
class Run:
    """Hold all that a training loop needs: `batches` are ids (B, 2), `loss_fn` takes the vectors that were looked up."""

    embedding: nn.Embedding
    optimizer: torch.optim.Optimizer
    batches: list[torch.Tensor]
    loss_fn: NextWordLoss


def new_run(max_norm: float | None = None, optimizer: str = "SGD", scale: float = 1.0, seed: int = 0) -> Run:
    """Return a fresh run. The same seed gives the same start and the same batches, whatever the other settings.

    Parameters
    ----------
    max_norm : float or None, optional
        Norm to which rows are clipped at each lookup; None for no limit.
    optimizer : str, optional
        "SGD", "momentum" or "Adam".
    scale : float, optional
        Standard deviation of the first table.
    seed : int, optional
        Seed of the first table and of the batches.
    """
    text = pairs()
    generator = torch.Generator().manual_seed(seed)
    table = scale * torch.randn(len(text.names), WIDTH, generator=generator)
    embedding = nn.Embedding(*table.shape, max_norm=max_norm, _weight=table)
    loss_fn = NextWordLoss(WIDTH)
    with torch.no_grad():
        loss_fn.match.weight.copy_(torch.randn(WIDTH, WIDTH, generator=generator) / WIDTH**0.5)
    drawn = torch.randint(len(text.train), (STEPS, BATCH), generator=generator)
    parameters = [*embedding.parameters(), *loss_fn.parameters()]
    return Run(embedding, _OPTIMIZERS[optimizer](parameters), list(text.train[drawn]), loss_fn)


class History(NamedTuple):
    """Hold row norms and looked-up rows after every step (both steps, V), and the loss on held-out pairs."""

    norms: torch.Tensor
    looked_up: torch.Tensor
    held_out_loss: float
    table: torch.Tensor


def train(max_norm: float | None = None, optimizer: str = "SGD", scale: float = 1.0, seed: int = 0) -> History:
    """Train a fresh run to its end. The held-out loss is that of batches of 64: guessing gives ln 64 = 4.16.

    The same settings are trained once in a process.

    Parameters
    ----------
    max_norm : float or None, optional
        Norm to which rows are clipped at each lookup; None for no limit.
    optimizer : str, optional
        "SGD", "momentum" or "Adam".
    scale : float, optional
        Standard deviation of the first table.
    seed : int, optional
        Seed of the first table and of the batches.
    """
    return _train(max_norm, optimizer, scale, seed)


@cache
def _train(max_norm: float | None, optimizer: str, scale: float, seed: int) -> History:
    run = new_run(max_norm, optimizer, scale, seed)
    norms: list[torch.Tensor] = []
    weight = run.embedding.weight
    run.optimizer.register_step_post_hook(lambda *_: norms.append(weight.detach().norm(dim=1)))
    looked_up = torch.zeros(len(run.batches), len(weight), dtype=torch.bool)
    for step, batch in enumerate(run.batches):
        looked_up[step, batch.flatten()] = True
        loss = run.loss_fn(run.embedding(batch))
        run.optimizer.zero_grad()
        loss.backward()
        run.optimizer.step()
    table = weight.detach().clone()
    with torch.no_grad():
        losses = [run.loss_fn(run.embedding(batch)) for batch in pairs().held_out.split(BATCH)]
    return History(torch.stack(norms), looked_up, torch.stack(losses).mean().item(), table)
