"""Compute the entropy of the next word exactly, for a language whose sentences are all listed and equally likely.

The probability of a next word is a count divided by a count. The mean of -ln of these probabilities over all tokens, the
closing `<eos>` included, is the entropy in nats per token; its exponential is the lowest perplexity that a model of the
language can reach. This module counts all sentences at once; `next_word` does it word by word.
"""

from collections.abc import Sequence

import numpy as np


def entropy(sentences: Sequence[Sequence[int]], vocab_size: int, window: int | None, bos: int, eos: int) -> float:
    """Return the entropy of the next token in nats per token.

    Parameters
    ----------
    sentences : Sequence[Sequence[int]]
        Lists of ids, without bos and eos.
    vocab_size : int
        Number of ids.
    window : int or None
        Number of tokens that are given, 0 or more; None for all tokens before. At the start of a sentence the window is filled
        up with bos.
    bos, eos : int
        Ids of the special tokens.

    Raises
    ------
    ValueError
        If the window is negative.

    Examples
    --------
    >>> round(entropy([[4, 5], [4, 6]], 7, None, bos=2, eos=3), 4)  # ln 2 in 6 tokens, twice
    0.231
    """
    if window is not None and window < 0:
        raise ValueError(f"a window of {window} words does not exist")
    lengths = np.array([len(sentence) + 1 for sentence in sentences])
    longest = int(lengths.max())
    steps = longest if window is None else window
    rows = np.full((len(sentences), steps + longest), bos)
    for row, sentence in zip(rows, sentences, strict=True):
        row[steps : steps + len(sentence)] = sentence
        row[steps + len(sentence)] = eos
    real = np.arange(longest) < lengths[:, None]  # (N, longest), false after eos
    context = np.zeros(int(lengths.sum()), dtype=np.int64)
    capacity = 2**62  # Above this many different numbers int64 would overflow.
    for step in range(steps):  # Each different context gets a number; contexts grow by one word at a time.
        capacity //= vocab_size
        if capacity < vocab_size:
            context = _renumbered(context)
            capacity = 2**62 // (len(context) * vocab_size)
        context = context * vocab_size + rows[:, step : step + longest][real]
    context = _renumbered(context)
    totals = np.bincount(context)
    following = rows[:, steps:][real]
    pairs, counts = np.unique(context * vocab_size + following, return_counts=True)
    return float((counts * np.log(totals[pairs // vocab_size] / counts)).sum() / counts.sum())


def _renumbered(numbers: np.ndarray) -> np.ndarray:
    """Return the numbers renumbered as 0, 1, 2, …, so that they stay small."""
    return np.unique(numbers, return_inverse=True)[1].astype(np.int64)
