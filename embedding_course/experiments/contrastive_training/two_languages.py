"""Search across languages: the mean of a Chinese sentence's word vectors looks for the mean of the English one's.

Two tables and nothing else, trained on pairs of the micro-language by the learner's own loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import torch
import torch.nn.functional as F

from ...data.micro import Pair, micro_language
from ..training import Batches, Run
from ..training import train as run_training

__all__ = ["BATCH", "Towers", "held_out", "overlap", "train"]

BATCH, WIDTH = 128, 64

Loss = Callable[..., torch.Tensor]


def _bags(language: str, sentences: Sequence[str]) -> torch.Tensor:
    """(N, V): how often each word occurs, divided by the number of words."""
    vocabulary = micro_language().vocabulary[language]
    bags = torch.zeros(len(sentences), len(vocabulary))
    for row, sentence in enumerate(sentences):
        ids = torch.tensor(vocabulary.encode(sentence))
        bags[row].index_add_(0, ids, torch.full((len(ids),), 1 / len(ids)))
    return bags


@dataclass
class Towers:
    """A table of word vectors for each language: (V, WIDTH)."""

    chinese: torch.Tensor
    english: torch.Tensor

    def vectors(self, language: str, sentences: Sequence[str]) -> torch.Tensor:
        """Unit vectors (N, WIDTH) of sentences whose words are parted by spaces."""
        table = getattr(self, language).detach()
        return F.normalize(_bags(language, sentences) @ table, dim=1)


@cache
def held_out(n: int = 500) -> tuple[Pair, ...]:
    """`n` sentence pairs that no training sees, each with another meaning."""
    first: dict[int, Pair] = {}
    for pair in micro_language().pairs("test"):
        first.setdefault(pair.meaning, pair)
    return tuple(first.values())[:n]


@cache
def _pairs(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    chosen = micro_language().pairs("train", n)
    return _bags("chinese", [pair.chinese for pair in chosen]), _bags("english", [pair.english for pair in chosen])


def train(loss: Loss, scale: float, steps: int = 400, title: str | None = None, seed: int = 0) -> tuple[Towers, Run]:
    """Fresh towers after so many batches of `loss(chinese (N, d), english (N, d), scale)`."""
    generator = torch.Generator().manual_seed(seed)
    sizes = [len(micro_language().vocabulary[language]) for language in ("chinese", "english")]
    towers = Towers(*(torch.randn(size, WIDTH, generator=generator).requires_grad_() for size in sizes))
    optimizer = torch.optim.Adam([towers.chinese, towers.english], lr=0.02)

    def step(batch: tuple[torch.Tensor, torch.Tensor]) -> float:
        value = loss(batch[0] @ towers.chinese, batch[1] @ towers.english, scale)
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        return value.item()

    return towers, run_training(step, Batches(_pairs(10_000), BATCH, steps, seed), title)


def overlap(sentences: Sequence[str]) -> torch.Tensor:
    """The share of words that two sentences have in common, for each two of them: (N (N - 1) / 2,)."""
    bags = [set(sentence.split()) for sentence in sentences]
    pairs = ((bags[i], bags[j]) for i in range(len(bags)) for j in range(i + 1, len(bags)))
    return torch.tensor([len(one & other) / len(one | other) for one, other in pairs])
