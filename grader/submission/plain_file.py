"""Read files that strangers handed in: plain files only, no links, no devices, not more than asked for."""

import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path


@contextmanager
def open_plain(path: Path) -> Iterator[BufferedReader]:
    """Open a plain file for reading. Raise OSError for a link, a pipe, a device or a folder, without waiting."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path.name} is no plain file")
        yield file


def read_plain(path: Path, most: int) -> bytes:
    """Return the first `most` bytes of a plain file."""
    with open_plain(path) as file:
        return file.read(most)


_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")


def printable(text: str) -> str:
    r"""Return the text without control and direction marks; its lines and tabs stay.

    >>> printable("a\x1b[31m\n\tb")
    'a[31m\n\tb'
    """
    if text.isprintable():
        return text
    return "".join(letter for letter in text if letter in "\n\t" or unicodedata.category(letter) not in _UNSEEN)


def one_line(text: str, most: int) -> str:
    r"""Return the text on one line of bounded length.

    Control and direction marks are removed, because they could change how the line reads.

    >>> one_line("two\nlines\x1b[31m", 40), one_line("long", 2)
    ('two lines[31m', 'lo …')
    """
    plain = printable(" ".join(text[: 4 * most].split()))
    return plain if len(plain) <= most else f"{plain[:most].rstrip()} …"
