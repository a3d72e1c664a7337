"""Train a small word2vec on the micro-language: two tables, pairs of neighbours, and drawn negatives."""

from collections.abc import Sequence

import torch
from torch import nn


def near_pairs(sentences: Sequence[Sequence[int]], window: int) -> torch.Tensor:
    """Return ids (N, 2) of all pairs (word, word at most `window` positions away) within a sentence.

    Examples
    --------
    >>> near_pairs([[4, 5, 6]], window=1).tolist()
    [[4, 5], [5, 4], [5, 6], [6, 5]]
    """
    pairs = [
        (word, words[other])
        for words in sentences
        for at, word in enumerate(words)
        for other in range(max(at - window, 0), min(at + window + 1, len(words)))
        if other != at
    ]
    return torch.tensor(pairs, dtype=torch.int64)


class SkipGram(nn.Module):
    """Look up what the loss compares. `noise` (V,) is the probability of each word to be drawn as a negative."""

    def __init__(self, noise: torch.Tensor, width: int, negatives: int = 5, seed: int = 0) -> None:
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)
        self.noise, self.negatives = noise, negatives
        self.embedding = nn.Embedding(len(noise), width)
        self.context = nn.Embedding(len(noise), width)
        for table in (self.embedding, self.context):
            nn.init.normal_(table.weight, std=0.1, generator=self.generator)

    def forward(self, pairs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return vectors of the centres (N, d), of their neighbours (N, d), and of K negatives (N, K, d), for pairs (N, 2)."""
        shape = len(pairs), self.negatives
        drawn = torch.multinomial(self.noise, shape[0] * shape[1], replacement=True, generator=self.generator).view(shape)
        return self.embedding(pairs[:, 0]), self.context(pairs[:, 1]), self.context(drawn)
