"""Put names into sentences: with "a" or "an", and in a row."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["article", "in_a_row"]

#: Letters whose names begin with a vowel: an LSTM, an NPLM, an x.
_LETTERS = "AEFHILMNORSXaefhilmnorsx"
#: Read letter by letter, or as "you".
_SPELLED = re.compile(r"nd[a-z]")
_LIKE_YOU = re.compile(r"u(?:int|ni|se|tf)|eu|one\b", re.IGNORECASE)


def article(text: str) -> str:
    """Return the text behind "a" or "an"; a text that begins with a sign or a digit stands alone.

    >>> [article(text) for text in ("int", "float32 tensor", "uint8 tensor", "LSTM", "Embedding")]
    ['an int', 'a float32 tensor', 'a uint8 tensor', 'an LSTM', 'an Embedding']
    """
    first = re.match(r"[A-Za-z]+", text)
    if first is None:
        return text
    word = first[0]
    if len(word) == 1 or _SPELLED.match(word) or (word.isupper() and not re.search(r"[AEIOU]", word[1:])):
        spoken = word[0] in _LETTERS
    else:
        spoken = word[0] in "aeiouAEIOU" and not _LIKE_YOU.match(text)
    return f"{'an' if spoken else 'a'} {text}"


def in_a_row(names: Sequence[str], last: str = "and") -> str:
    """Return names as a sentence lists them.

    >>> in_a_row(["a"]), in_a_row(["a", "b", "c"]), in_a_row(["a", "b"], "or")
    ('a', 'a, b and c', 'a or b')
    """
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)
