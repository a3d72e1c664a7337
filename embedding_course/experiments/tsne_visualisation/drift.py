"""Measure what an index with vectors of two model versions still finds, what a rotation restores, and how to notice it.

Versions are compared on the same pairs of a query and a document. The lesson uses paragraphs of the Python language
reference.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from scipy.stats import binom

from ...data import language_reference
from ...messages import translatable
from .language_alignment import rotation

PAIRS = 300
_MIN_WORDS = 20  # Shorter paragraphs are not used.


class Version(NamedTuple):
    """Hold unit vectors of one version of a model.

    Row i of `documents` (N, d) is the answer to row i of `queries` (N, d); `others` (M, d) are further documents.
    """

    queries: torch.Tensor
    documents: torch.Tensor
    others: torch.Tensor


class Pairs(NamedTuple):
    """Hold texts: query i asks for document i. `others` are further documents, on which a model may be fitted."""

    queries: list[str]
    documents: list[str]
    others: list[str]


def reference_pairs(seed: int, number: int = PAIRS) -> Pairs:
    """Return `number` random paragraphs of the language reference: every other word is the query, the rest the document.

    Examples
    --------
    >>> found = reference_pairs(0)
    >>> len(found.queries) == len(found.documents) == 300
    True
    """
    texts = [text.split() for topic in language_reference.documents().values() for text in topic]
    texts = [words for words in texts if len(words) >= _MIN_WORDS]
    order = torch.randperm(len(texts), generator=torch.Generator().manual_seed(seed)).tolist()
    asked = [texts[row] for row in order[:number]]
    others = [" ".join(texts[row]) for row in order[number:]]
    return Pairs([" ".join(words[::2]) for words in asked], [" ".join(words[1::2]) for words in asked], others)


def first(queries: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """Return whether document i ranks first for query i among all rows of the index (N, d): bool (N,). Its mean is recall@1."""
    return (queries @ index.T).argmax(dim=1) == torch.arange(len(index))


def mixtures(old: Version, new: Version, share: float = 0.5, fitted: int | None = None) -> dict[str, torch.Tensor]:
    """Return for each state of the index which queries find their document, (N,), by name.

    Parameters
    ----------
    old, new : Version
        Vectors of both versions of the model, of the same texts.
    share : float, optional
        Share of the documents, spread evenly, that keep their old vectors in the mixed index; it is searched with new queries.
    fitted : int or None, optional
        Number of other documents on which the rotation is fitted; None for all.
    """
    rows = torch.arange(len(new.documents))
    stale = ((rows + 1) * share).floor() > (rows * share).floor()
    turned = old.documents @ rotation(old.others[:fitted], new.others[:fitted])
    return {
        translatable("all old"): first(old.queries, old.documents),
        translatable("all new"): first(new.queries, new.documents),
        translatable("mixed"): first(new.queries, torch.where(stale[:, None], old.documents, new.documents)),
        translatable("mixed, old ones rotated"): first(new.queries, torch.where(stale[:, None], turned, new.documents)),
    }


def still_found(runs: Sequence[Mapping[str, torch.Tensor]], state: str) -> float:
    """Return the share of queries answered by the old index that this state answers too: the mean over `mixtures`."""
    shares = [run[state][run["all old"]].float().mean().item() for run in runs]
    return sum(shares) / len(shares)


def canaries_needed(healthy: float, broken: float, error: float = 0.05, most: int = 2000) -> tuple[int, int] | None:
    """Return how many canary queries tell a healthy index from a broken one.

    Each canary is found independently of the others.

    Parameters
    ----------
    healthy, broken : float
        Probability that a canary is found in a healthy index, and in a broken one.
    error : float, optional
        Largest probability of a false alarm, and of a missed one.
    most : int, optional
        Largest number of canaries.

    Returns
    -------
    tuple[int, int] or None
        The smallest number, and below how many right ones is an alarm. None if it is above `most` or nothing is lost.

    Examples
    --------
    >>> canaries_needed(0.9, 0.5)
    (13, 10)
    """
    if healthy <= broken:
        return None
    for number in range(1, most + 1):
        least = int(binom.ppf(error, number, healthy))  # P(fewer than this | healthy) <= error
        if binom.cdf(least - 1, number, broken) >= 1 - error:
            return number, least
    return None
