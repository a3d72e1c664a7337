"""Allow one process at a time to write to a class, and tell a second one who the first one is."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ..errors import PhraseError
from .class_folder import now
from .records import FOLDER


class Busy(PhraseError, RuntimeError):
    """Another command writes to this class; the message says which, since when, and what to do."""


@contextlib.contextmanager
def only_writer(home: Path) -> Iterator[None]:
    """Hold the lock on the class for writing; the lock ends with its process.

    Raises
    ------
    Busy
        If another process holds the lock.
    """
    folder = home / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with _file(home).open("a+", encoding="utf-8") as file:
        _lock(file, home, fcntl.LOCK_EX)
        file.truncate(0)
        file.write(f"{os.getpid()} {now()}")
        file.flush()
        yield


def look_for_writer(home: Path) -> None:
    """Raise Busy if another process writes to the class, as a check before anything that takes long."""
    with contextlib.suppress(FileNotFoundError), _file(home).open(encoding="utf-8") as file:
        _lock(file, home, fcntl.LOCK_SH)


def _file(home: Path) -> Path:
    return home / FOLDER / ".writer"


def _lock(file: IO[str], home: Path, kind: int) -> None:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        pid, _, since = file.read().strip().partition(" ")
        who = f" (process {pid}, since {since})" if since else ""
        end = f", or end it with kill -INT {pid}" if since else ""
        raise Busy(f"another command writes to {home}{who}: wait until it ends{end}, and run the same command again") from None
