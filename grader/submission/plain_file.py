"""Read files that strangers handed in: plain files only, no links, no devices, not more than asked for."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path


@contextmanager
def open_plain(path: Path) -> Iterator[BufferedReader]:
    """Open a plain file for reading. OSError on a link, a pipe, a device or a folder, without waiting for anybody."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path.name} is no plain file")
        yield file


def read_plain(path: Path, most: int) -> bytes:
    """The first `most` bytes of a plain file."""
    with open_plain(path) as file:
        return file.read(most)
