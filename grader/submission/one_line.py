"""Words of strangers, made fit to be shown on one line of a page or a terminal."""

from __future__ import annotations

import unicodedata

__all__ = ["one_line"]

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")


def one_line(text: str, most: int) -> str:
    """Text of bounded length on one line, without control and direction marks, which could make it read otherwise than it is.

    >>> one_line("two\\nlines\\x1b[31m", 40), one_line("long", 2)
    ('two lines[31m', 'lo …')
    """
    spaced = " ".join(text[: 4 * most].split())
    plain = "".join(letter for letter in spaced if unicodedata.category(letter) not in _UNSEEN)
    return plain if len(plain) <= most else f"{plain[:most].rstrip()} …"
