"""Train an encoder on paraphrases, and test it by a search and by twins.

The loss is one of the three of Sentence-BERT (Reimers and Gurevych 2019), the regression of a cosine: it should be 1 for
paraphrases and 0 for other sentences. Notebook 09 improves on it.
"""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from ...data.micro import micro_language
from ...data.paraphrase_groups import paraphrase_groups, twins
from ..curves import Curves
from ..training import Run, descend
from ..training import train as loop
from .padding import pad

#: Number of words of the longest Chinese sentence.
WIDEST = 14
_LONG = 600
#: Labels of the negatives of a longer run.
AGAINST = {"others": "other sentences", "twins": "other sentences and twins"}
Encode = Callable[[Sequence[str]], torch.Tensor]


class Score(NamedTuple):
    """Hold two shares: nearest neighbours that are paraphrases, and sentences nearer to a paraphrase than to their twin."""

    search: float
    twins: float


def encode(encoder: nn.Module, side: str = "right", width: int | None = None) -> Encode:
    """Return a function from Chinese sentences, words separated by spaces, to vectors (N, d), by an encoder in eval mode.

    `side` and `width` say how the batch is padded: see `padding.pad`.
    """

    @torch.no_grad()
    def vectors(sentences: Sequence[str]) -> torch.Tensor:
        vocabulary = micro_language().vocabulary["chinese"]
        encoder.eval()
        return encoder(*pad([vocabulary.encode(sentence) for sentence in sentences], side, width))

    return vectors


def bag_of_words(sentences: Sequence[str]) -> torch.Tensor:
    """Return how often each word occurs, (N, V): a sentence without its order."""
    vocabulary = micro_language().vocabulary["chinese"]
    counts = torch.zeros(len(sentences), len(vocabulary))
    for row, sentence in enumerate(sentences):
        for index in vocabulary.encode(sentence):
            counts[row, index] += 1
    return counts


def score(vectors: Encode, groups: int = 600) -> Score:
    """Return the results of both tests. The search is among the sentences of `groups` test groups."""
    chosen = paraphrase_groups("test", groups)
    sentences = [sentence for group in chosen for sentence in group]
    meaning = torch.tensor([number for number, group in enumerate(chosen) for _ in group])
    unit = F.normalize(vectors(sentences), dim=1)
    near = (unit @ unit.T).fill_diagonal_(-2).argmax(dim=1)
    anchor, paraphrase, negative = (F.normalize(vectors(column), dim=1) for column in zip(*twins("test"), strict=True))
    nearer = (anchor * paraphrase).sum(dim=1) > (anchor * negative).sum(dim=1) + 1e-6
    return Score((meaning[near] == meaning).float().mean().item(), nearer.float().mean().item())


def train(
    encoder: nn.Module,
    steps: int = 150,
    *,
    learning_rate: float = 3e-3,
    batch: int = 32,
    hard: bool = False,
    side: str = "right",
    seed: int = 0,
    title: str | None = None,
) -> Run:
    """Train an encoder, called as in exercise 08.TextEncoder, on paraphrases.

    Parameters
    ----------
    encoder : nn.Module
        The encoder; it is trained in place.
    steps : int, optional
        Number of steps.
    learning_rate : float, optional
        Learning rate of Adam.
    batch : int, optional
        Number of pairs in a batch.
    hard : bool, optional
        True if the cosine with a twin should be 0 too.
    side : str, optional
        Where the padding is: "right", "left", "mixed" or "holes", as in `pad`.
    seed : int, optional
        Seed of the batches.
    title : str or None, optional
        With a title a bar shows the progress.
    """
    vocabulary = micro_language().vocabulary["chinese"]
    groups, triples = paraphrase_groups("train"), twins("train")
    chance = random.Random(seed)
    optimizer = torch.optim.Adam(encoder.parameters(), lr=learning_rate)
    wanted = torch.eye(batch)
    away = 1 - wanted

    def step(_: int) -> float:
        rows = [chance.sample(chance.choice(groups), 2) for _ in range(batch)]
        if hard:
            chosen = [chance.choice(triples) for _ in range(batch // 2)]
            rows[: len(chosen)] = [[item.sentence, item.paraphrase] for item in chosen]
        sentences = [row[0] for row in rows] + [row[1] for row in rows] + ([item.twin for item in chosen] if hard else [])
        vectors = encoder.train()(*pad([vocabulary.encode(sentence) for sentence in sentences], side))
        item, other = vectors[:batch], vectors[batch : 2 * batch]
        cosines = item @ other.T  # These are cosines, since the vectors are unit vectors.
        loss = (1 - cosines.diagonal()).square().mean() + (cosines * away).square().sum() / away.sum()
        if hard:
            loss = loss + (item[: len(chosen)] * vectors[2 * batch :]).sum(dim=1).square().mean()
        return descend(optimizer, loss)

    return loop(step, range(steps), title)


def with_twins(TextEncoder: Callable[..., nn.Module]) -> Curves:
    """Train the same encoder without and with twins; return both tests and the losses."""
    curves, numbers = {}, {}
    for name, hard in (("others", False), ("twins", True)):
        torch.manual_seed(0)
        encoder = TextEncoder(len(micro_language().vocabulary["chinese"]), 48, 4, 2, 96, 16)
        run = train(encoder, _LONG, learning_rate=2e-3, hard=hard)
        means = [sum(run.losses[at : at + 20]) / 20 for at in range(0, _LONG, 20)]
        curves[name] = [(20.0 * (number + 1), value) for number, value in enumerate(means)]
        scores = score(encode(encoder))
        numbers |= {f"{name}, search": scores.search, f"{name}, twins": scores.twins}
    return Curves(0, _LONG, curves, numbers, AGAINST, "Chinese paraphrases of the micro-language")
