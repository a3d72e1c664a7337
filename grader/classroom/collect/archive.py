"""What lies in an archive or a folder that strangers filled: names and contents, bounded, never written by their names.

The outermost entry is the platform's: its name says whose the work is, its time when it came. What lies inside an entry that is
an archive itself is the student's own.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ...submission.plain_file import read_plain
from ...submission.read import LARGEST
from .archive_names import bare, is_archive, is_tar
from .bounds import BadArchive, Budget, Packed, TooMany, not_too_large, path_of
from .tars import in_tar
from .zips import in_zip

__all__ = ["BadArchive", "Found", "look_into"]

#: More files than any class hands in at once, and than anybody puts into an archive of their own.
MOST_FILES, MOST_INSIDE = 50_000, 2_000
#: What is unpacked of a student's own archive in all.
MOST_BYTES_INSIDE = 4 * LARGEST
_IGNORED = ("__MACOSX", ".ipynb_checkpoints", ".git", ".venv", "node_modules")
_KEPT, _KEPT_NAMES = (".ipynb", ".txt"), ("progress.json",)


@dataclass(frozen=True)
class Found:
    """One file: its path inside, and how to read it.

    `outer` is the path of the entry that the platform wrote, the same as `path` but for what lies in an archive inside;
    `modified` is when that was changed by its own account, in UTC or, from a zip, without a zone; `inside` the same of a
    file in an archive inside.
    """

    path: PurePosixPath
    outer: PurePosixPath
    modified: datetime | None
    read: Callable[[], bytes]
    problem: str = ""
    inside: datetime | None = None

    @property
    def nested(self) -> bool:
        """Does it lie in an archive inside, as a student packed it?"""
        return self.path != self.outer


@contextlib.contextmanager
def look_into(source: Path, encoding: str = "") -> Iterator[list[Found]]:
    """The notebooks (and times of submission) in a zip file, a tar archive or a folder, by path. Archives inside are opened
    too, one deep.

    `encoding` is that of names in an old archive, where guessing fails. BadArchive when it cannot be opened at all.
    """
    with contextlib.ExitStack() as stack, tempfile.TemporaryFile() as room:
        if source.is_dir():
            entries = _folder(source)
        elif source.is_file():
            entries = _archive(source, stack.enter_context(source.open("rb")), room, encoding)
        else:
            raise BadArchive(f"There is no {source}.")
        opened = lru_cache(maxsize=1)(partial(_opened, encoding))  # one at a time: a class packs gigabytes
        found: list[Found] = []
        for entry in entries:
            found += _inside(entry, opened) if is_archive(entry.path.name) and not entry.problem else [entry]
            if len(found) > MOST_FILES:
                raise BadArchive(f"{source.name} holds more than {MOST_FILES} files; give submissions only.")
        yield sorted(found, key=lambda entry: (entry.outer, entry.path))  # one archive after another, each opened once


def _folder(root: Path) -> Iterator[Found]:
    count = 0
    for place, folders, files in os.walk(root, followlinks=False):
        folders[:] = sorted(name for name in folders if name not in _IGNORED)
        for name in sorted(files):
            count += 1
            if count > MOST_FILES:
                raise BadArchive(f"{root.name} holds more than {MOST_FILES} files; give a folder of submissions only.")
            path = Path(place, name)
            inside = path_of(path.relative_to(root).as_posix())
            if not _is_kept(inside):
                continue
            odd = "" if path.is_file() and not path.is_symlink() else "it is a link, not a file"
            modified = datetime.fromtimestamp(path.lstat().st_mtime, UTC)
            yield Found(inside, inside, modified, partial(_bounded, path), odd)


def _archive(source: Path, file: BinaryIO, room: BinaryIO, encoding: str) -> Iterator[Found]:
    if not is_tar(source.name) and not zipfile.is_zipfile(source):
        kinds = "no zip file and no tar archive (.tar, .tar.gz, .tgz, .tar.xz)"
        raise BadArchive(f"{source.name} is {kinds}; unpack it, and give the folder.")
    try:
        entries = _listed(file, room if is_tar(source.name) else None, Budget(), MOST_FILES, encoding)
    except TooMany:
        raise BadArchive(f"{source.name} lists more than {MOST_FILES} files; give submissions only.") from None
    except BadArchive as error:
        raise BadArchive(f"{source.name} cannot be read ({error}); download it again.") from None
    for entry in entries:
        yield Found(entry.path, entry.path, entry.modified, entry.read, entry.problem)


def _listed(file: BinaryIO, room: BinaryIO | None, budget: Budget, most: int, encoding: str) -> list[Packed]:
    """What is kept of an archive: of a tar where there is `room` to unpack it into, else of a zip."""
    if room is None:
        return in_zip(file, budget, most, encoding, _is_kept)
    return in_tar(file, room, budget, most, encoding, _is_kept)


def _is_kept(path: PurePosixPath) -> bool:
    kept = path.suffix.lower() in _KEPT or path.name in _KEPT_NAMES or is_archive(path.name)
    return kept and not path.name.startswith("._") and not set(path.parts) & set(_IGNORED)


def _inside(outer: Found, opened: Callable[[Found, Budget], list[Packed]]) -> Iterator[Found]:
    """What lies in an entry that is an archive, which `opened` unpacks."""
    budget = Budget(MOST_BYTES_INSIDE)
    try:
        entries = opened(outer, budget)
    except BadArchive as error:
        yield replace(outer, read=bytes, problem=str(error))
        return
    for place, entry in enumerate(entries):
        path = outer.path.with_name(bare(outer.path.name)) / entry.path
        problem = entry.problem
        if is_archive(path.name) and not problem:
            problem = "it is an archive inside an archive inside an archive; unpack it"
        yield Found(path, outer.outer, outer.modified, partial(_again, opened, outer, budget, place), problem, entry.modified)


def _again(opened: Callable[[Found, Budget], list[Packed]], outer: Found, budget: Budget, place: int) -> bytes:
    return opened(outer, budget)[place].read()


def _opened(encoding: str, outer: Found, budget: Budget) -> list[Packed]:
    """The list of an archive inside, whose content it holds in memory."""
    content = io.BytesIO(outer.read())
    try:
        return _listed(content, io.BytesIO() if is_tar(outer.path.name) else None, budget, MOST_INSIDE, encoding)
    except TooMany:
        raise BadArchive(f"it is an archive of more than {MOST_INSIDE} files; hand in notebooks only") from None
    except BadArchive as error:
        raise BadArchive(f"it is an archive that cannot be read ({error})") from None


def _bounded(path: Path) -> bytes:
    try:
        content = read_plain(path, LARGEST + 1)
    except OSError as error:
        raise BadArchive(f"it cannot be read ({error.strerror or error})") from None
    return not_too_large(content)
