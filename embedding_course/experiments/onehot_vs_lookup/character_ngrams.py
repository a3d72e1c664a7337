"""Which words look alike? Runs of letters, as fastText cuts them (Bojanowski et al. 2017), and how many two words share."""

from __future__ import annotations

from collections.abc import Set

__all__ = ["ngrams", "overlap"]


def ngrams(word: str, shortest: int = 3, longest: int = 6) -> frozenset[str]:
    """All runs of `shortest` to `longest` letters of the word, with < and > for its beginning and end.

    >>> sorted(ngrams("cat", longest=3))
    ['<ca', 'at>', 'cat']
    """
    marked = f"<{word}>"
    sizes = range(shortest, longest + 1)
    return frozenset(marked[at : at + size] for size in sizes for at in range(len(marked) - size + 1))


def overlap(one: Set[str], other: Set[str]) -> float:
    """The share that two sets have in common (Jaccard): 1 for equal ones, 0 for sets that share nothing or are empty."""
    together = one | other
    return len(one & other) / len(together) if together else 0.0
