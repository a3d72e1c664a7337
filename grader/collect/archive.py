"""What lies in an archive or a folder that strangers filled: names and contents, bounded, never written by their names."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO

from ..submission.plain_file import read_plain
from ..submission.read import LARGEST

__all__ = ["BadArchive", "Found", "look_into"]

#: More files than any class hands in at once.
MOST_FILES = 50_000
#: What is read in all, however small it was packed.
MOST_BYTES = 8 * 2**30
_IGNORED = ("__MACOSX", ".ipynb_checkpoints", ".git", ".venv", "node_modules")
_KEPT = (".ipynb", ".zip", ".txt")


class BadArchive(Exception):
    """The archive, or one file of it, cannot be read; the message says why."""


@dataclass(frozen=True)
class Found:
    """One file: its path inside, when it was changed by its own account (without a zone), and how to read it."""

    path: PurePosixPath
    modified: datetime | None
    read: Callable[[], bytes]
    problem: str = ""


@contextlib.contextmanager
def look_into(source: Path, encoding: str = "") -> Iterator[list[Found]]:
    """The notebooks (and times of submission) in a zip file or a folder, by path. Archives inside are opened too, one deep.

    `encoding` is that of names in an old zip, where guessing fails. BadArchive when it cannot be opened at all.
    """
    with contextlib.ExitStack() as stack:
        if source.is_dir():
            found = list(_folder(source, stack, encoding))
        elif source.is_file():
            if not zipfile.is_zipfile(source):
                raise BadArchive(f"{source.name} is no zip file; unpack it, and give the folder.")
            found = list(_zip(source, PurePosixPath(), stack, encoding, deep=True))
        else:
            raise BadArchive(f"There is no {source}.")
        yield sorted(found, key=lambda entry: entry.path)


def _folder(root: Path, stack: contextlib.ExitStack, encoding: str) -> Iterator[Found]:
    count = 0
    for place, folders, files in os.walk(root, followlinks=False):
        folders[:] = sorted(name for name in folders if name not in _IGNORED)
        for name in sorted(files):
            path = Path(place, name)
            inside = PurePosixPath(_tidy(path.relative_to(root).as_posix()))
            count += 1
            if count > MOST_FILES:
                raise BadArchive(f"{root.name} holds more than {MOST_FILES} files; give a folder of submissions only.")
            if path.suffix.lower() not in _KEPT or name.startswith("._"):
                continue
            if path.suffix.lower() == ".zip":
                yield from _zip(path, inside.with_suffix(""), stack, encoding, deep=False)
                continue
            odd = "" if path.is_file() and not path.is_symlink() else "it is a link, not a file"
            changed = datetime.fromtimestamp(path.lstat().st_mtime)
            yield Found(inside, changed, lambda path=path: _bounded(path), odd)


def _bounded(path: Path) -> bytes:
    try:
        content = read_plain(path, LARGEST + 1)
    except OSError as error:
        raise BadArchive(f"it cannot be read ({error.strerror or error})") from None
    return _not_too_large(content)


def _not_too_large(content: bytes) -> bytes:
    if len(content) > LARGEST:
        raise BadArchive(f"it has more than {LARGEST // 2**20} MB")
    return content


def _zip(
    file: Path | IO[bytes], inside: PurePosixPath, stack: contextlib.ExitStack, encoding: str, deep: bool
) -> Iterator[Found]:
    try:
        archive = stack.enter_context(zipfile.ZipFile(file))
        entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        if deep:
            raise BadArchive(f"The zip file cannot be read ({error}); download it again.") from None
        yield Found(inside, None, bytes, "it is an archive that cannot be read")
        return
    if len(entries) > MOST_FILES:
        raise BadArchive(f"The zip file lists {len(entries)} files; more than {MOST_FILES} are not read.")
    budget = [MOST_BYTES]
    for entry in entries:
        path = inside / _tidy(_name(entry, encoding)).lstrip("/")
        kind = path.suffix.lower()
        if entry.is_dir() or kind not in _KEPT or path.name.startswith("._") or set(path.parts) & set(_IGNORED):
            continue
        problem = _problem(entry, path)
        if kind == ".zip" and not problem:
            if not deep:
                yield Found(path, _changed(entry), bytes, "it is an archive inside an archive inside an archive; unpack it")
                continue
            try:
                content = _unpack(archive, entry, budget)
            except BadArchive as error:
                yield Found(path, _changed(entry), bytes, str(error))
                continue
            yield from _zip(io.BytesIO(content), path.with_suffix(""), stack, encoding, deep=False)
            continue
        yield Found(path, _changed(entry), lambda entry=entry: _unpack(archive, entry, budget), problem)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: list[int]) -> bytes:
    """The content, counted while it is unpacked: what the archive says of its size is not believed."""
    try:
        with archive.open(entry) as file:
            content = file.read(min(LARGEST, budget[0]) + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        raise BadArchive(f"it is damaged in the archive ({str(error)[:80]})") from None
    if len(content) > budget[0]:
        raise BadArchive(f"the archive unpacks to more than {MOST_BYTES // 2**30} GB")
    budget[0] -= len(content)
    return _not_too_large(content)


def _problem(entry: zipfile.ZipInfo, path: PurePosixPath) -> str:
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "it is a link, not a file"
    if ".." in path.parts:
        return "its path leads out of the archive"
    if entry.flag_bits & 0x1:
        return "it is protected by a password"
    return ""


def _changed(entry: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*entry.date_time)
    except ValueError:
        return None


def _name(entry: zipfile.ZipInfo, encoding: str) -> str:
    """The name as its author saw it. Old archives do not say how names are written; Python then reads cp437."""
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        raw = entry.filename.encode("cp437")
    except UnicodeEncodeError:
        return entry.filename
    for guess in (encoding, "utf-8", "gb2312") if encoding else ("utf-8", "gb2312"):
        with contextlib.suppress(UnicodeDecodeError, LookupError):
            return raw.decode(guess)
    return entry.filename


def _tidy(name: str) -> str:
    """One spelling for one name: composed characters, forward slashes, nothing invisible."""
    name = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8")).replace("\\", "/")
    return "".join(character for character in name if unicodedata.category(character)[0] != "C")
