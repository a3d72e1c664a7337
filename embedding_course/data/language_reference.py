"""Provide real English text with no download: the Python language reference, which is part of every CPython.

Its wording changes a little between Python versions, and so do counts and losses measured on it: `fingerprint` identifies
the text.

The topics repeat one another (the one on `try` is part of the one on compound statements), about a fifth of all words.
`words` gives the whole text with repetitions. `sentences` gives each paragraph once; otherwise a model that is tested on
one topic would have seen half of it in another one.
"""

import hashlib
import platform
from collections import Counter
from functools import cache

import regex
import torch

from .vocabulary import SPECIALS, Vocabulary

_WORD = regex.compile(r"[\p{L}_]+|\p{N}+|[^\s\p{L}\p{N}]")
_BLANK_LINES = regex.compile(r"\n\s*\n")
_LETTERS = regex.compile(r"[\p{L}\p{N}]")
_LONG = 8  # A repeated paragraph is dropped if it has at least this many words.

#: The held-out topics, about a tenth of the words each. Python has had them in every version since 3.11.
HELD_OUT = {
    "valid": ("comparisons", "customization", "import"),
    "test": ("assignment", "attribute-access", "typesmapping"),
}


@cache
def words() -> tuple[str, ...]:
    """Return the whole text in lower case: words, numbers and signs, topics in alphabetical order."""
    from pydoc_data.topics import topics

    text = "\n".join(topics[name] for name in sorted(topics))
    return tuple(_WORD.findall(text.lower()))


@cache
def documents() -> dict[str, tuple[str, ...]]:
    """Return the paragraphs of each topic in lower case, words separated by spaces, each paragraph only once.

    Lines without a letter or digit (they underline headings) are left out, and so are topics with nothing left.
    """
    from pydoc_data.topics import topics

    seen: set[str] = set()
    paragraphs: dict[str, tuple[str, ...]] = {}
    for name in sorted(topics):
        kept = []
        for block in _BLANK_LINES.split(topics[name]):
            lines = [line for line in block.lower().splitlines() if _LETTERS.search(line)]
            tokens = _WORD.findall(" ".join(lines))
            paragraph = " ".join(tokens)
            if tokens and (len(tokens) < _LONG or paragraph not in seen):
                kept.append(paragraph)
                seen.add(paragraph)
        if kept:
            paragraphs[name] = tuple(kept)
    return paragraphs


def sentences(split: str) -> list[str]:
    """Return the paragraphs of a split, "train", "valid" or "test", in order; no topic is in two splits.

    Examples
    --------
    >>> sentences("train")[0]
    'the " assert " statement'
    """
    if split != "train" and split not in HELD_OUT:
        raise ValueError(f"no split {split!r}: there are train, {', '.join(HELD_OUT)}")
    outside = {name for names in HELD_OUT.values() for name in names}
    chosen = HELD_OUT[split] if split in HELD_OUT else [name for name in documents() if name not in outside]
    return [paragraph for name in chosen for paragraph in documents().get(name, ())]


@cache
def vocabulary(size: int) -> Vocabulary:
    """Return the `size` most frequent words of the training split, the four special tokens included.

    Raises
    ------
    ValueError
        If `size` is smaller than the number of special tokens or larger than the number of words.

    Examples
    --------
    >>> vocabulary(1000).encode("the statement zzz")[-1]  # <unk>
    1
    """
    whole, least = Vocabulary(sentences("train")), len(SPECIALS)
    if not (isinstance(size, int) and least <= size <= len(whole)):
        raise ValueError(f"size {size!r}: a whole number from {least} to {len(whole):,}")
    return Vocabulary(sentences("train"), size)


def fingerprint() -> str:
    """Return one line that identifies the text, to print beside every number that was measured on it.

    An example is "Python 3.11.7 reference, 79 topics, 78,984 words, 0039c088".
    """
    text = "\n".join(f"{name}: {paragraph}" for name, paragraphs in documents().items() for paragraph in paragraphs)
    tokens = sum(len(paragraph.split()) for paragraphs in documents().values() for paragraph in paragraphs)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:8]
    return f"Python {platform.python_version()} reference, {len(documents())} topics, {tokens:,} words, {digest}"


def common_words(text: tuple[str, ...], size: int) -> dict[str, int]:
    """Return a vocabulary of the most frequent words of a text: `<unk>` is 0, then the words by falling frequency.

    Parameters
    ----------
    text : tuple[str, ...]
        The words of the text.
    size : int
        Number of entries, `<unk>` included.

    Examples
    --------
    >>> common_words(("b", "a", "b"), 3)
    {'<unk>': 0, 'b': 1, 'a': 2}
    """
    ranked = [word for word, _ in Counter(text).most_common(size - 1)]
    return {word: index for index, word in enumerate(["<unk>", *ranked])}


def ids_of(text: tuple[str, ...], vocab: dict[str, int]) -> torch.Tensor:
    """Return the text as ids (N,); a word outside the vocabulary becomes 0.

    Parameters
    ----------
    text : tuple[str, ...]
        The words of the text, N of them.
    vocab : dict[str, int]
        Word to id.
    """
    return torch.tensor([vocab.get(word, 0) for word in text])
