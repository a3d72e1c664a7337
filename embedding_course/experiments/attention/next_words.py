"""Prepare the micro-language's English sentences for a next-word model, and compute losses to compare it with."""

import torch
import torch.nn.functional as F
from torch import nn

from ...data.micro import micro_language
from ...messages import translatable
from .masked_words import LONGEST, text

LENGTH = LONGEST + 2  # <bos>, the words, <eos>


def rows(split: str, n: int | None = None) -> torch.Tensor:
    """Return sentences as ids (N, 15) from <bos> to <eos>, padded."""
    words, sentences = micro_language().vocabulary["english"], text(split, n)
    ids = F.pad(sentences, (1, 1), value=words.pad)
    ids[:, 0] = words.bos
    ids[torch.arange(len(ids)), 1 + (sentences != words.pad).sum(dim=1)] = words.eos
    return ids


def cross_entropy(model: nn.Module, ids: torch.Tensor) -> torch.Tensor:
    """Return the loss per word in nats as a tensor with gradients; padding is ignored."""
    logits = model(ids[:, :-1]).flatten(0, 1)
    return F.cross_entropy(logits, ids[:, 1:].flatten(), ignore_index=micro_language().vocabulary["english"].pad)


@torch.no_grad()
def loss(model: nn.Module, ids: torch.Tensor) -> float:
    """Return the loss per word in nats as a number; padding is ignored."""
    return cross_entropy(model, ids).item()


def levels(known: torch.Tensor, new: torch.Tensor, alpha: float = 0.1) -> dict[str, float]:
    """Return losses for comparison by name, in nats per word.

    Two are those of unigram and bigram counts of the `known` rows on the `new` rows, two are floors of the whole language.
    """
    language = micro_language()
    size = len(language.vocabulary["english"])
    (left, right), (last, wanted) = _pairs(known), _pairs(new)
    pairs = (left * size + right).bincount(minlength=size * size).view(size, size) + alpha
    unigrams, bigrams = pairs.sum(dim=0) / pairs.sum(), pairs / pairs.sum(dim=1, keepdim=True)
    return {
        "unigram": -unigrams[wanted].log().mean().item(),
        "bigram": -bigrams[last, wanted].log().mean().item(),
        "floor, four words": language.entropy(4),
        translatable("floor, all words"): language.entropy(),
    }


def _pairs(ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return every word but the last of each row, and the word after it; padding is left out."""
    before, after = ids[:, :-1].flatten(), ids[:, 1:].flatten()
    real = after != micro_language().vocabulary["english"].pad
    return before[real], after[real]
