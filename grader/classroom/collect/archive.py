"""What lies in an archive or a folder that strangers filled: names and contents, bounded, never written by their names.

The outermost entry is the platform's: its name says whose the work is, its time when it came. What lies inside an entry that is
an archive itself is the student's own.
"""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath

from ...submission.plain_file import read_plain
from ...submission.read import LARGEST
from .zips import BadArchive, Budget, changed, name_of, not_too_large, problem_of, tidy

__all__ = ["BadArchive", "Found", "look_into"]

#: More files than any class hands in at once, and than anybody puts into an archive of their own.
MOST_FILES, MOST_INSIDE = 50_000, 2_000
#: What is unpacked of a student's own archive in all.
MOST_BYTES_INSIDE = 4 * LARGEST
_IGNORED = ("__MACOSX", ".ipynb_checkpoints", ".git", ".venv", "node_modules")
_KEPT, _KEPT_NAMES = (".ipynb", ".zip", ".txt"), ("progress.json",)
#: What stands before each entry of a zip file's list.
_LISTED = b"PK\x01\x02"


@dataclass(frozen=True)
class Found:
    """One file: its path inside, and how to read it.

    `outer` is the path of the entry that the platform wrote, the same as `path` but for what lies in an archive inside;
    `modified` is when that was changed by its own account (without a zone), `inside` the same of a file in an archive inside.
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
    """The notebooks (and times of submission) in a zip file or a folder, by path. Archives inside are opened too, one deep.

    `encoding` is that of names in an old zip, where guessing fails. BadArchive when it cannot be opened at all.
    """
    with contextlib.ExitStack() as stack:
        if source.is_dir():
            entries = _folder(source)
        elif source.is_file():
            entries = _archive(source, stack, encoding)
        else:
            raise BadArchive(f"There is no {source}.")
        content = lru_cache(maxsize=1)(lambda entry: entry.read())  # one at a time: a class packs gigabytes
        found: list[Found] = []
        for entry in entries:
            is_archive = entry.path.suffix.lower() == ".zip" and not entry.problem
            found += _inside(entry, content, encoding) if is_archive else [entry]
            if len(found) > MOST_FILES:
                raise BadArchive(f"{source.name} holds more than {MOST_FILES} files; give submissions only.")
        yield sorted(found, key=lambda entry: entry.path)


def _folder(root: Path) -> Iterator[Found]:
    count = 0
    for place, folders, files in os.walk(root, followlinks=False):
        folders[:] = sorted(name for name in folders if name not in _IGNORED)
        for name in sorted(files):
            count += 1
            if count > MOST_FILES:
                raise BadArchive(f"{root.name} holds more than {MOST_FILES} files; give a folder of submissions only.")
            path = Path(place, name)
            inside = PurePosixPath(tidy(path.relative_to(root).as_posix()))
            if not _is_kept(inside):
                continue
            odd = "" if path.is_file() and not path.is_symlink() else "it is a link, not a file"
            modified = datetime.fromtimestamp(path.lstat().st_mtime)
            yield Found(inside, inside, modified, partial(_bounded, path), odd)


def _archive(source: Path, stack: contextlib.ExitStack, encoding: str) -> Iterator[Found]:
    if not zipfile.is_zipfile(source):
        raise BadArchive(f"{source.name} is no zip file; unpack it, and give the folder.")
    try:
        archive = stack.enter_context(zipfile.ZipFile(source))
        entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadArchive(f"The zip file cannot be read ({error}); download it again.") from None
    if len(entries) > MOST_FILES:
        raise BadArchive(f"The zip file lists {len(entries)} files; more than {MOST_FILES} are not read.")
    budget = Budget()
    for entry, path in _entries(entries, encoding):
        yield Found(path, path, changed(entry), partial(budget.unpack, archive, entry), problem_of(entry, path))


def _entries(entries: list[zipfile.ZipInfo], encoding: str) -> Iterator[tuple[zipfile.ZipInfo, PurePosixPath]]:
    for entry in entries:
        path = PurePosixPath(tidy(name_of(entry, encoding)).lstrip("/"))
        if not entry.is_dir() and _is_kept(path):
            yield entry, path


def _is_kept(path: PurePosixPath) -> bool:
    kept = path.suffix.lower() in _KEPT or path.name in _KEPT_NAMES
    return kept and not path.name.startswith("._") and not set(path.parts) & set(_IGNORED)


def _inside(outer: Found, content: Callable[[Found], bytes], encoding: str) -> Iterator[Found]:
    """What lies in an entry that is an archive, which `content` unpacks."""
    try:
        with _opened(content(outer)) as archive:
            entries = list(_entries(archive.infolist(), encoding))
    except BadArchive as error:
        yield replace(outer, read=bytes, problem=str(error))
        return
    budget = Budget(MOST_BYTES_INSIDE)

    def read(entry: zipfile.ZipInfo) -> bytes:
        with _opened(content(outer)) as archive:
            return budget.unpack(archive, entry)

    for entry, inner in entries:
        path = outer.path.with_suffix("") / inner
        problem = problem_of(entry, inner)
        if path.suffix.lower() == ".zip" and not problem:
            problem = "it is an archive inside an archive inside an archive; unpack it"
        yield Found(path, outer.outer, outer.modified, partial(read, entry), problem, changed(entry))


@contextlib.contextmanager
def _opened(content: bytes) -> Iterator[zipfile.ZipFile]:
    if content.count(_LISTED) > MOST_INSIDE:
        raise BadArchive(f"it is an archive of more than {MOST_INSIDE} files; hand in notebooks only")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield archive
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise BadArchive("it is an archive that cannot be read") from None


def _bounded(path: Path) -> bytes:
    try:
        content = read_plain(path, LARGEST + 1)
    except OSError as error:
        raise BadArchive(f"it cannot be read ({error.strerror or error})") from None
    return not_too_large(content)
