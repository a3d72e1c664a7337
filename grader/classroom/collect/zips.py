"""What lies in a zip file that strangers made: names, times and contents, none of which is believed."""

import io
import stat
import zipfile
import zlib
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath
from typing import BinaryIO

from .bounds import BadArchive, Budget, Packed, TooMany, decoded, empty_folders, path_of

#: What stands before each entry of a zip file's list.
_LISTED = b"PK\x01\x02"


def in_zip(file: BinaryIO, budget: Budget, most: int, encoding: str, wanted: Callable[[PurePosixPath], bool]) -> list[Packed]:
    """Return the wanted files of a zip file, which can be read as long as `file` is open.

    Parameters
    ----------
    file : BinaryIO
        The zip file.
    budget : Budget
        Bytes that may still be unpacked.
    most : int
        How many files the zip file may list.
    encoding : str
        Encoding of the names in it; "" to guess it.
    wanted : callable
        Returns True if the file of this path is to be taken.

    Raises
    ------
    TooMany
        If the zip file lists more than `most` files.
    BadArchive
        If the zip file cannot be read. The message is the reason alone.
    """
    if isinstance(file, io.BytesIO) and file.getvalue().count(_LISTED) > most:
        raise TooMany  # before a list of millions is made of it
    try:
        archive = zipfile.ZipFile(file)
        entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadArchive(str(error)) from None
    if len(entries) > most:
        raise TooMany
    files, folders = list[Packed](), list[PurePosixPath]()
    for member in entries:
        path = path_of(_name_of(member, encoding))
        if member.is_dir():
            folders.append(path)
        elif wanted(path):
            read = partial(budget.read, member.header_offset, partial(_first, archive, member))
            files.append(Packed(path, _changed(member), read, _problem_of(member, path)))
    return [*files, *empty_folders(folders, files, wanted)]


def _first(archive: zipfile.ZipFile, member: zipfile.ZipInfo, count: int) -> bytes:
    try:
        with archive.open(member) as file:
            return file.read(count)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        raise BadArchive(f"it is damaged in the archive ({str(error)[:80]})") from None


def _problem_of(member: zipfile.ZipInfo, path: PurePosixPath) -> str:
    """Return why an entry is not read, or an empty string if it may be read."""
    if stat.S_ISLNK(member.external_attr >> 16):
        return "it is a link, not a file"
    if ".." in path.parts:
        return "its path leads out of the archive"
    if member.flag_bits & 0x1:
        return "it is protected by a password"
    return ""


def _changed(member: zipfile.ZipInfo) -> datetime | None:
    """Return when an entry was changed by its own account, without a zone."""
    try:
        return datetime(*member.date_time)
    except ValueError:
        return None


def _name_of(member: zipfile.ZipInfo, encoding: str) -> str:
    """Return the name of an entry, decoded again if the archive does not say how names are written.

    Python reads such names as cp437.
    """
    if member.flag_bits & 0x800:
        return member.filename
    try:
        raw = member.filename.encode("cp437")
    except UnicodeEncodeError:
        return member.filename
    return decoded(raw, encoding, member.filename)
