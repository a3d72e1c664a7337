"""How much of a language a text shows: which runs of n words occur, and how many of new text's runs were among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Coverage", "coverage"]


class Coverage(NamedTuple):
    """For runs of `order` words: how many there could be, how many different ones the text has, and how many it lacks.

    `unseen` is the share of the new text's runs that the text never shows.
    """

    order: int
    possible: float
    seen: int
    unseen: float


def _runs(sentences: Sequence[Sequence[int]], order: int) -> Iterator[tuple[int, ...]]:
    return (tuple(words[at : at + order]) for words in sentences for at in range(len(words) - order + 1))


def coverage(
    text: Sequence[Sequence[int]], new: Sequence[Sequence[int]], vocab_size: int, orders: Sequence[int] = (1, 2, 3, 4, 5)
) -> list[Coverage]:
    """Runs of so many words in sentences of ids; runs do not cross sentences.

    >>> coverage([[4, 5, 4]], [[5, 4, 4]], 10, orders=[2])
    [Coverage(order=2, possible=100.0, seen=2, unseen=0.5)]
    """
    found = []
    for order in orders:
        seen = set(_runs(text, order))
        fresh = list(_runs(new, order))
        unseen = sum(run not in seen for run in fresh) / max(len(fresh), 1)
        found.append(Coverage(order, float(vocab_size) ** order, len(seen), unseen))
    return found
