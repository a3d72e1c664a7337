"""Provide translated sentence pairs as bags of words, the inputs of the two towers of notebook 09."""

from collections.abc import Sequence
from functools import cache

import torch

from ...data.micro import Pair, micro_language
from ..training import Batches

BATCH = 128


def words(language: str) -> int:
    """Return how many words "chinese" or "english" has."""
    return len(micro_language().vocabulary[language])


def bags(language: str, sentences: Sequence[str]) -> torch.Tensor:
    """Return how often each word occurs in each sentence, divided by the number of words, (N, V)."""
    vocabulary = micro_language().vocabulary[language]
    bags = torch.zeros(len(sentences), len(vocabulary))
    for row, sentence in enumerate(sentences):
        ids = torch.tensor(vocabulary.encode(sentence))
        bags[row].index_add_(0, ids, torch.full((len(ids),), 1 / len(ids)))
    return bags


@cache
def held_out(n: int = 500) -> tuple[Pair, ...]:
    """Return `n` sentence pairs of the test split, each with another meaning."""
    first: dict[int, Pair] = {}
    for pair in micro_language().pairs("test"):
        first.setdefault(pair.meaning, pair)
    return tuple(first.values())[:n]


@cache
def _pairs(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    chosen = micro_language().pairs("train", n)
    return bags("chinese", [pair.chinese for pair in chosen]), bags("english", [pair.english for pair in chosen])


def batches(steps: int, seed: int = 0) -> Batches:
    """Return `steps` batches of bags of Chinese and English sentences (BATCH, V); row i of both has the same meaning."""
    return Batches(_pairs(10_000), BATCH, steps, seed)


def overlap(sentences: Sequence[str]) -> torch.Tensor:
    """Return the Jaccard similarity of the words of each two sentences, (N (N - 1) / 2,)."""
    bags = [set(sentence.split()) for sentence in sentences]
    pairs = ((bags[i], bags[j]) for i in range(len(bags)) for j in range(i + 1, len(bags)))
    return torch.tensor([len(left & right) / len(left | right) for left, right in pairs])
