"""Measure how much of a language a text covers: how many n-grams occur, and how many n-grams of new text are among them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Coverage(NamedTuple):
    """Hold for n-grams of length `order`: the number possible, the number of different ones seen, and the share unseen.

    `unseen` is the share of the new text's n-grams that do not occur in the text.
    """

    order: int
    possible: float
    seen: int
    unseen: float


def _runs(sentences: Sequence[Sequence[int]], order: int) -> Iterator[tuple[int, ...]]:
    """Yield all n-grams of length `order`."""
    return (tuple(words[at : at + order]) for words in sentences for at in range(len(words) - order + 1))


def coverage(
    text: Sequence[Sequence[int]], new: Sequence[Sequence[int]], vocab_size: int, orders: Sequence[int] = (1, 2, 3, 4, 5)
) -> list[Coverage]:
    """Return how many n-grams of each order a text covers; n-grams do not cross sentences.

    Parameters
    ----------
    text : Sequence[Sequence[int]]
        Sentences of ids that are counted.
    new : Sequence[Sequence[int]]
        Sentences of ids whose n-grams are looked for in the text.
    vocab_size : int
        Number of words of the vocabulary.
    orders : Sequence[int], optional
        Lengths n of the n-grams.

    Examples
    --------
    >>> coverage([[4, 5, 4]], [[5, 4, 4]], 10, orders=[2])
    [Coverage(order=2, possible=100.0, seen=2, unseen=0.5)]
    """
    by_order = []
    for order in orders:
        seen = set(_runs(text, order))
        fresh = list(_runs(new, order))
        unseen = sum(run not in seen for run in fresh) / max(len(fresh), 1)
        by_order.append(Coverage(order, float(vocab_size) ** order, len(seen), unseen))
    return by_order
