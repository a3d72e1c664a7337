"""Measure whether word tables of two languages share one space, and whether one is a rotation of the other."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import torch
import torch.nn.functional as F

from ...data.micro import micro_language, words
from ..gradients.pretrained import train_vectors


@cache
def dictionary() -> tuple[tuple[str, str], ...]:
    """Return Chinese and English words that translate each other: nouns, adjectives and times with exactly one meaning."""
    nouns = [
        noun
        for kind in (words.PEOPLE, words.KIN, words.ANIMALS, words.FOODS, words.DRINKS, words.THINGS, words.READINGS)
        for noun in kind.values()
    ] + [words.FILM]
    others = [value for value in vars(words).values() if isinstance(value, (words.Adjective, words.Time))]
    translations: dict[str, str] = {}
    known = {language: vocabulary.ids for language, vocabulary in micro_language().vocabulary.items()}
    for word in (*nouns, *others):
        for chinese, english in zip(word.zh.split("|"), word.en.split("|"), strict=True):
            usable = chinese in known["chinese"] and english in known["english"] and english not in ("bat", "watch")
            if usable and chinese not in translations and english not in translations.values():
                translations[chinese] = english
    return tuple(translations.items())


@cache
def company(language: str, width: int = 48) -> Mapping[str, torch.Tensor]:
    """Return vectors from the co-occurrence of words in the sentences of this language alone."""
    stream = tuple(word for sentence in micro_language().sentences(language) for word in (*sentence.split(), "<eos>"))
    return train_vectors(stream, size=len(set(stream)), width=width)


def rows_of(vectors: Mapping[str, torch.Tensor], chosen: Sequence[str]) -> torch.Tensor:
    """Return the vectors of these words, centred, as unit vectors (n, d)."""
    rows = torch.stack([vectors[word] for word in chosen])
    return F.normalize(rows - rows.mean(dim=0), dim=1)


def ranks(source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return for each row of source (n, d) the rank of the same row of target among all rows of target, by cosine, (n,)."""
    similarity = F.normalize(source, dim=1) @ F.normalize(target, dim=1).T
    return (similarity > similarity.diagonal()[:, None]).sum(dim=1) + 1


def same_language(source: torch.Tensor, target: torch.Tensor) -> tuple[float, float]:
    """Return the share of words whose nearest neighbour is of their language, and the share expected by chance."""
    both = F.normalize(torch.cat([source, target]), dim=1)
    language = torch.arange(2).repeat_interleave(torch.tensor([len(source), len(target)]))
    nearest = (both @ both.T - 2 * torch.eye(len(both))).argmax(dim=1)
    shares = torch.bincount(language) / len(both)
    return (language[nearest] == language).float().mean().item(), shares.square().sum().item()


class Aligned(NamedTuple):
    """Hold `rotated` (n, d), the source in the target's space, and `known` (n,), the pairs used to learn the rotation."""

    rotated: torch.Tensor
    known: torch.Tensor


def learn_rotation(source: torch.Tensor, target: torch.Tensor, seed: int = 0) -> Aligned:
    """Return the best rotation of a random half of the pairs (orthogonal Procrustes), applied to all."""
    order = torch.randperm(len(source), generator=torch.Generator().manual_seed(seed))
    known = torch.zeros(len(source), dtype=torch.bool)
    known[order[: len(source) // 2]] = True
    return Aligned(source @ rotation(source[known], target[known]), known)


def rotation(source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the orthogonal (d, d) matrix that brings source (n, d) nearest to target (n, d) (Procrustes).

    Examples
    --------
    >>> rotation(torch.eye(2), torch.tensor([[0.0, 1.0], [-1.0, 0.0]])).abs().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    left, _, right = torch.linalg.svd(source.T @ target)
    return left @ right
