"""A task that needs attention and nothing else: say a row of words backwards. The layer that learns it is the caller's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ..training import train as loop

__all__ = ["HEADS", "LENGTH", "WIDTH", "WORDS", "Outcome", "Reverser", "looks", "train"]

WORDS, LENGTH, WIDTH, HEADS, STEPS = 10, 8, 32, 4, 250


class Reverser(nn.Module):
    """Words (B, T) -> logits (B, T, WORDS): a table of words, one of places, `layer`, and a linear layer.

    With `blank` the layer is asked by places alone, and the words are its context: `layer(places, context)`.
    """

    def __init__(self, layer: nn.Module, blank: bool = False) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.places = nn.Parameter(torch.randn(LENGTH, WIDTH))
        self.asking = nn.Parameter(torch.randn(LENGTH, WIDTH)) if blank else None
        self.layer = layer
        self.output = nn.Linear(WIDTH, WORDS)

    def parts(self, words: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """What goes into the layer: (x,) or (x, context), all (B, T, d)."""
        read = self.words(words) + self.places
        return (read,) if self.asking is None else (self.asking.expand_as(read), read)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.output(self.layer(*self.parts(words)))


@dataclass(frozen=True)
class Outcome:
    """The trained model, the loss of each step, and the share of right words in 1,000 new rows."""

    model: Reverser
    losses: list[float]
    accuracy: float


def train(
    make_layer: Callable[[int, int], nn.Module],
    title: str | None = None,
    change: Callable[[nn.Module, int], Any] | None = None,
    blank: bool = False,
    seed: int = 0,
    steps: int = STEPS,
) -> Outcome:
    """Make a layer of a width with some heads, `change` it where asked, and train it on rows that come once each."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layer = make_layer(WIDTH, HEADS)
        model = Reverser(layer, blank)
        if change:
            change(layer, HEADS)
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

        def step(words: torch.Tensor) -> float:
            loss = F.cross_entropy(model(words).flatten(0, 1), words.flip(1).flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss.item()

        run = loop(step, list(torch.randint(WORDS, (steps, 64, LENGTH))), title)
        words = torch.randint(WORDS, (1000, LENGTH))
        with torch.no_grad():
            right = model.eval()(words).argmax(dim=-1) == words.flip(1)
        return Outcome(model, run.losses, right.float().mean().item())


@torch.no_grad()
def looks(
    outcome: Outcome, split: Callable[..., torch.Tensor], attend: Callable[..., tuple[torch.Tensor, ...]]
) -> torch.Tensor:
    """Mean attention weights (heads, T, T) over 200 rows. `split` and `attend` are the learner's, as exercises 07 say."""
    attention: Any = outcome.model.layer
    words = torch.randint(WORDS, (200, LENGTH), generator=torch.Generator().manual_seed(1))
    *_, read = parts = outcome.model.parts(words)
    if hasattr(attention, "qkv_proj"):
        asked = F.linear(parts[0], *_third(attention.qkv_proj, 0))
        keys = F.linear(read, *_third(attention.qkv_proj, 1))
    else:
        asked, keys = attention.q_proj(parts[0]), attention.k_proj(read)
    weights: torch.Tensor = attend(*(split(rows, HEADS) for rows in (asked, keys, keys)))[1]
    return weights.mean(dim=0)


def _third(layer: nn.Linear, place: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    return layer.weight.chunk(3)[place], None if layer.bias is None else layer.bias.chunk(3)[place]
