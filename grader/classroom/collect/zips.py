"""One entry of a zip file that strangers made: its name, its time and its content, none of which is believed."""

from __future__ import annotations

import contextlib
import stat
import unicodedata
import zipfile
import zlib
from datetime import datetime
from pathlib import PurePosixPath

from ...submission.read import LARGEST

__all__ = ["BadArchive", "Budget", "changed", "name_of", "not_too_large", "problem_of", "tidy"]

#: What is read in all, however small it was packed.
MOST_BYTES = 8 * 2**30


class BadArchive(Exception):
    """The archive, or one file of it, cannot be read; the message says why."""


class Budget:
    """Bytes that may still be unpacked: of everything that is handed in at once, or of one student's archive."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = self.left = most
        self._counted: set[int] = set()

    def unpack(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
        """The content, counted while it is unpacked, the first time: what the archive says of its size is not believed."""
        known = entry.header_offset in self._counted
        try:
            with archive.open(entry) as file:
                content = file.read((LARGEST if known else min(LARGEST, self.left)) + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
            raise BadArchive(f"it is damaged in the archive ({str(error)[:80]})") from None
        if not known and len(content) > self.left:
            raise BadArchive(f"the archive unpacks to more than {self.most // 2**20} MB")
        if not known:
            self.left -= len(content)
            self._counted.add(entry.header_offset)
        return not_too_large(content)


def not_too_large(content: bytes) -> bytes:
    if len(content) > LARGEST:
        raise BadArchive(f"it has more than {LARGEST // 2**20} MB")
    return content


def problem_of(entry: zipfile.ZipInfo, path: PurePosixPath) -> str:
    """Why an entry is not read; empty where it may be."""
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "it is a link, not a file"
    if ".." in path.parts:
        return "its path leads out of the archive"
    if entry.flag_bits & 0x1:
        return "it is protected by a password"
    return ""


def changed(entry: zipfile.ZipInfo) -> datetime | None:
    """When an entry was changed by its own account, without a zone."""
    try:
        return datetime(*entry.date_time)
    except ValueError:
        return None


def name_of(entry: zipfile.ZipInfo, encoding: str) -> str:
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


def tidy(name: str) -> str:
    """One spelling for one name: composed characters, forward slashes, nothing invisible."""
    name = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8")).replace("\\", "/")
    return "".join(character for character in name if unicodedata.category(character)[0] != "C")
