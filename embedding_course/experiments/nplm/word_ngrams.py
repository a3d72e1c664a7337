"""Cut sentences into n-grams: rows for training a language model, and the share of new text's n-grams that a text covers."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch


def rows(sentences: Sequence[Sequence[int]], context: int, bos: int, eos: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the windows (N, context) of all sentences and the next word of each, (N,).

    Examples
    --------
    >>> X, Y = rows([[5, 6]], context=2, bos=0, eos=1)
    >>> X.tolist(), Y.tolist()
    ([[0, 0], [0, 5], [5, 6]], [5, 6, 1])
    """
    tokens = [[bos] * context + [*words, eos] for words in sentences]
    windows = torch.cat([torch.tensor(sentence).unfold(0, context + 1, 1) for sentence in tokens])
    return windows[:, :-1], windows[:, -1]


class Coverage(NamedTuple):
    """Hold for n-grams of length `order`: the number possible, the number of different ones seen, and the share unseen.

    `unseen` is the share of the new text's n-grams that do not occur in the text.
    """

    order: int
    possible: float
    seen: int
    unseen: float


def _ngrams(sentences: Sequence[Sequence[int]], order: int) -> Iterator[tuple[int, ...]]:
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
        seen = set(_ngrams(text, order))
        fresh = list(_ngrams(new, order))
        unseen = sum(ngram not in seen for ngram in fresh) / max(len(fresh), 1)
        by_order.append(Coverage(order, float(vocab_size) ** order, len(seen), unseen))
    return by_order
