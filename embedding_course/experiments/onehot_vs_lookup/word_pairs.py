"""Count neighbouring letters in a short list of words: the first step of byte pair encoding on letters."""

from collections import Counter
from itertools import pairwise

END = "</w>"


def letter_pairs(words: dict[str, int], weighted: bool = True, end: str = END) -> Counter[str]:
    """Return how often each two neighbouring letters occur, each word closed by `end`.

    With `weighted` a word counts as often as it occurs in the text (the number in `words`), otherwise once.

    Examples
    --------
    >>> letter_pairs({"low": 5, "lower": 2}).most_common(1)
    [('lo', 7)]
    """
    counts: Counter[str] = Counter()
    for word, times in words.items():
        letters = [*word, end] if end else list(word)
        for left, right in pairwise(letters):
            counts[left + right] += times if weighted else 1
    return counts
