"""Real English text with no download: the Python language reference, which every CPython brings along.

Its wording changes a little between Python versions, so counts and losses measured on it do too.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import regex
import torch

__all__ = ["common_words", "ids_of", "words"]

_WORD = regex.compile(r"[\p{L}_]+|\p{N}+|[^\s\p{L}\p{N}]")


@cache
def words() -> tuple[str, ...]:
    """The whole text in lower case: words, numbers and signs, topics in alphabetical order."""
    from pydoc_data.topics import topics

    text = "\n".join(topics[name] for name in sorted(topics))
    return tuple(_WORD.findall(text.lower()))


def common_words(text: tuple[str, ...], size: int) -> dict[str, int]:
    """A vocabulary of `size` entries: `<unk>` is 0, then the words of `text` by falling frequency.

    >>> common_words(("b", "a", "b"), 3)
    {'<unk>': 0, 'b': 1, 'a': 2}
    """
    ranked = [word for word, _ in Counter(text).most_common(size - 1)]
    return {word: index for index, word in enumerate(["<unk>", *ranked])}


def ids_of(text: tuple[str, ...], vocab: dict[str, int]) -> torch.Tensor:
    """The text as ids (N,); a word outside the vocabulary becomes 0."""
    return torch.tensor([vocab.get(word, 0) for word in text])
