"""How often files were opened, by this process and by those forked from it."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

#: A folder and the descriptor of its journal, into which forks write as well.
_watched: dict[str, int] = {}


@contextmanager
def opened_below(folder: Path, journal: Path) -> Iterator[Counter[str]]:
    """Count by their paths from `folder` the files below it that are opened. The counts are there at the end."""
    _listen()
    counts: Counter[str] = Counter()
    below = f"{folder}{os.sep}"
    _watched[below] = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        yield counts
    finally:
        os.close(_watched.pop(below))
        counts.update(line.removeprefix(below) for line in journal.read_text(encoding="utf-8").splitlines())


@cache
def _listen() -> None:
    """Nobody can take an audit hook away again; while no folder is watched this one does nothing."""
    sys.addaudithook(_note)


def _note(event: str, arguments: tuple) -> None:
    if event == "open" and isinstance(arguments[0], str):
        for folder, journal in _watched.items():
            if arguments[0].startswith(folder):
                os.write(journal, f"{arguments[0]}\n".encode())
