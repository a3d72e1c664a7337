"""Compare words by character n-grams, as fastText does (Bojanowski et al. 2017)."""

from collections.abc import Set


def ngrams(word: str, shortest: int = 3, longest: int = 6) -> frozenset[str]:
    """Return all character n-grams of `shortest` to `longest` letters of the word, with < and > for its beginning and end.

    Examples
    --------
    >>> sorted(ngrams("cat", longest=3))
    ['<ca', 'at>', 'cat']
    """
    marked = f"<{word}>"
    sizes = range(shortest, longest + 1)
    return frozenset(marked[at : at + size] for size in sizes for at in range(len(marked) - size + 1))


def overlap(left: Set[str], right: Set[str]) -> float:
    """Return the Jaccard similarity of two sets: 1 for equal ones, 0 for sets that share nothing or are empty."""
    together = left | right
    return len(left & right) / len(together) if together else 0.0
