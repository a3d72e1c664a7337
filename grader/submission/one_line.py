"""Words of strangers, made fit to be shown on one line of a page or a terminal."""

import unicodedata

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")


def printable(text: str) -> str:
    """Return the text without control and direction marks; its lines and tabs stay.

    >>> printable("a\\x1b[31m\\n\\tb")
    'a[31m\\n\\tb'
    """
    if text.isprintable():
        return text
    return "".join(letter for letter in text if letter in "\n\t" or unicodedata.category(letter) not in _UNSEEN)


def one_line(text: str, most: int) -> str:
    """Text of bounded length on one line, without control and direction marks, which could make it read otherwise than it is.

    >>> one_line("two\\nlines\\x1b[31m", 40), one_line("long", 2)
    ('two lines[31m', 'lo …')
    """
    plain = printable(" ".join(text[: 4 * most].split()))
    return plain if len(plain) <= most else f"{plain[:most].rstrip()} …"
