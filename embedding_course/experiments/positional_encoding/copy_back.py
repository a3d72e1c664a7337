"""Train a task that needs nothing but positions: repeat the word three positions back.

A single causal attention layer is trained on sequences of 32 words at positions 0 to 31. It is then tested on sequences of
the same length at later positions, and on longer ones. The caller decides how it gets positions: by a table that is added
to the words, or by a function that rotates queries and keys.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

WORDS, LENGTH, BACK = 10, 32, 3
#: First positions of test sequences (training sequences start at 0), and the length of the longer ones.
STARTS = (0, 8, 16, 24, 32, 48, 64, 100, 150, 200)
LONG = 200
FURTHEST = max(STARTS) + LENGTH

Turn = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class Copier(nn.Module):
    """Map words (B, T) at positions (T,) to logits (B, T, WORDS): one attention layer between two linear ones."""

    def __init__(self, width: int, heads: int, table: torch.Tensor | None, turn: Turn | None) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, width)
        self.mix = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, WORDS)
        self.table, self.turn, self.heads = table, turn, heads

    def forward(self, words: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, WORDS) of words (B, T) at positions (T,)."""
        x = self.words(words)  # (B, T, d)
        if self.table is not None:
            x = x + self.table[positions]
        query, key, value = self.mix(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)  # (B, h, T, d / h) each
        if self.turn is not None:
            query, key = self.turn(query, positions), self.turn(key, positions)
        seen = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.output(seen.transpose(1, 2).flatten(2))


@dataclass(frozen=True)
class Outcome:
    """Hold the final training loss, and the accuracy for each of `STARTS` and at the end of `LONG` words."""

    loss: float
    accuracy: list[float]
    at_the_end: float


def learned_table(width: int = 32) -> nn.Parameter:
    """Return a fresh table of learned positions with a row for every position that will be tested."""
    return nn.Parameter(0.02 * torch.randn(FURTHEST, width, generator=torch.Generator().manual_seed(0)))


def train(
    table: torch.Tensor | None = None,
    turn: Turn | None = None,
    *,
    width: int = 32,
    heads: int = 4,
    steps: int = 400,
    seed: int = 0,
) -> Outcome:
    """Train a fresh model at positions 0 to 31 and test it at all `STARTS`. The same arguments give the same outcome.

    Parameters
    ----------
    table : torch.Tensor or None, optional
        Position table (T, d) that is added to the words; without it nothing is added. An `nn.Parameter` is trained too.
    turn : Turn or None, optional
        Rotates queries or keys (B, h, T, d / h) by positions (T,); without it nothing is rotated.
    width : int, optional
        Number of dimensions d.
    heads : int, optional
        Number of attention heads h.
    steps : int, optional
        Number of steps.
    seed : int, optional
        Seed of the model and of the batches.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if table is not None and not isinstance(table, nn.Parameter):
            table = table.detach()  # A computed table may have a graph, which the first backward pass frees.
        model = Copier(width, heads, table, turn)
        optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
        positions, loss = torch.arange(LENGTH), torch.zeros(())
        for _ in range(steps):
            words = torch.randint(WORDS, (32, LENGTH))
            loss = F.cross_entropy(model(words, positions)[:, BACK:].flatten(0, 1), words[:, :-BACK].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        shifted = [_accuracy(model, positions + start).mean().item() for start in STARTS]
        return Outcome(loss.item(), shifted, _accuracy(model, torch.arange(LONG))[-LENGTH:].mean().item())


@torch.no_grad()
def _accuracy(model: Copier, positions: torch.Tensor) -> torch.Tensor:
    """Return the accuracy at each position from the fourth on, over 100 random sequences."""
    words = torch.randint(WORDS, (100, len(positions)))
    predicted = model(words, positions)[:, BACK:].argmax(dim=-1)
    return (predicted == words[:, :-BACK]).float().mean(dim=0)
