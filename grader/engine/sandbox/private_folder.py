"""The folder on disk that a learner's process writes to where it has none in memory: its name, its size, its end."""

import contextlib
import os
import shutil
from pathlib import Path

from .resource_limits import Limits


def folder_of(base: Path, pid: int) -> Path:
    """Return the private folder of a process below `base`."""
    return base / f"learner-{pid}"


def is_too_full(folder: Path, limits: Limits) -> bool:
    """Return True if more bytes or files lie in a folder than `limits.disk` and `limits.files` allow.

    A folder in it that cannot be looked into counts as too much: only its owner can have closed it.
    """
    waiting, size, count = [folder], 0, 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    size += _bytes_of(entry)
                    if size > limits.disk or count > limits.files:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
        except FileNotFoundError:
            continue  # the owner removed it meanwhile
        except OSError:
            return True
    return False


def _bytes_of(entry: os.DirEntry[str]) -> int:
    """Return the bytes that a file takes on disk, or its size if that is larger."""
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return 0
    return max(status.st_size, status.st_blocks * 512)


def remove_folder(folder: Path) -> None:
    """Remove a private folder, also where its owner has closed parts of it."""
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
        for path, names, _ in os.walk(folder):  # from the top, so that folders made readable here are entered next
            for inner in (Path(path, name) for name in names):
                if not inner.is_symlink():
                    inner.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
