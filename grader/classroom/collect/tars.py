"""What lies in a tar archive that strangers made, compressed or not: names, times and contents, none of which is believed."""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import BinaryIO

from .bounds import BadArchive, Budget, Packed, TooMany, decoded, empty_folders, path_of

_GZIP, _BZIP, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
_STEP = 2**20
#: `xz -9` needs 65 MiB to unpack; a header may ask for gigabytes.
_XZ_MEMORY = 2**28
#: Bytes of headers for each file that an archive may list, the longest of them, and settings for all files, of which tarfile
#: gives each file a copy.
_HEADERS, _MAX_HEADER_BYTES, _SETTINGS = 2**12, 2**18, 20
_DAMAGE = (
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    OSError,
    EOFError,
    ValueError,
    LookupError,
    ArithmeticError,
    RecursionError,
)


def in_tar(
    file: BinaryIO, scratch_file: BinaryIO, budget: Budget, most: int, encoding: str, wanted: Callable[[PurePosixPath], bool]
) -> list[Packed]:
    """Return the wanted files of a tar archive, which can be read as long as `file` and `scratch_file` are open.

    Parameters
    ----------
    file : BinaryIO
        The archive.
    scratch_file : BinaryIO
        Empty file into which a compressed archive is unpacked, since its files cannot be read one by one otherwise.
    budget : Budget
        Bytes that may still be unpacked.
    most : int
        How many files the archive may list.
    encoding : str
        Encoding of the names in it; "" to guess it.
    wanted : callable
        Returns True if the file of this path is to be taken.

    Raises
    ------
    TooMany
        If the archive lists more than `most` files.
    BadArchive
        If the archive cannot be read. The message is the reason alone.
    """
    try:
        plain = _unpacked(file, scratch_file, budget)
        return _listed(plain, budget, most, encoding, wanted)
    except _DAMAGE as error:
        raise BadArchive(str(error)[:200] or type(error).__name__) from None


def unpacked_single(file: BinaryIO, scratch_file: BinaryIO, budget: Budget) -> tuple[BinaryIO, bool]:
    """Return a compressed file without its compression, and whether the result is a tar archive.

    Parameters
    ----------
    file : BinaryIO
        The compressed file.
    scratch_file : BinaryIO
        Empty file that takes the unpacked content.
    budget : Budget
        Bytes that may still be unpacked.

    Raises
    ------
    BadArchive
        If the file is damaged. The message is the reason alone.
    """
    try:
        plain = _unpacked(file, scratch_file, budget)
    except _DAMAGE as error:
        raise BadArchive(str(error)[:200] or type(error).__name__) from None
    plain.seek(0)
    begins = plain.read(tarfile.BLOCKSIZE)
    return plain, begins[257:262] == b"ustar"


def _unpacked(file: BinaryIO, scratch_file: BinaryIO, budget: Budget) -> BinaryIO:
    """Return the archive without its compression.

    The first bytes of the file decide and not its name, because some browsers unpack what they save.
    """
    begins = file.read(len(_XZ))
    file.seek(0)
    if begins.startswith(_GZIP):
        parts = iter(partial(gzip.GzipFile(fileobj=file).read, _STEP), b"")
    elif begins.startswith(_BZIP):
        parts = iter(partial(bz2.BZ2File(file).read, _STEP), b"")
    elif begins == _XZ:
        parts = _from_xz(file)
    else:
        return file
    size = 0
    for part in parts:
        size += len(part)
        if size > budget.most:
            raise budget.exhausted()
        scratch_file.write(part)
    return scratch_file


def _from_xz(file: BinaryIO) -> Iterator[bytes]:
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
    while not decoder.eof:
        given = file.read(_STEP) if decoder.needs_input else b""
        if decoder.needs_input and not given:
            raise EOFError("it ends too early")
        yield decoder.decompress(given, _STEP)
    if decoder.unused_data.strip(b"\0") or file.read(_STEP).strip(b"\0"):
        raise EOFError("something follows its end")


class _Headers(io.RawIOBase):
    """What tarfile reads of an archive to list it, bounded: a header may claim to be gigabytes long, or lead back to itself."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file, self._left = file, most

    def read(self, size: int = -1, /) -> bytes:
        if not 0 <= size <= min(self._left, _MAX_HEADER_BYTES):
            raise BadArchive("its list of files is no honest one")
        self._left -= size
        return self._file.read(size)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


def _listed(file: BinaryIO, budget: Budget, most: int, encoding: str, wanted: Callable[[PurePosixPath], bool]) -> list[Packed]:
    file.seek(0)
    headers = _Headers(file, most * _HEADERS)
    with tarfile.open(fileobj=headers, mode="r:", encoding="utf-8", errors="surrogateescape") as archive:
        count, folders, files = 0, list[PurePosixPath](), list[Packed]()
        while (member := archive.next()) is not None:
            count += 1
            if count > most:
                raise TooMany
            if len(archive.pax_headers) > _SETTINGS:
                raise BadArchive("its list of files is no honest one")
            raw = member.name.encode("utf-8", "surrogateescape")
            path = path_of(decoded(raw, encoding, member.name))
            if member.isdir():
                folders.append(path)
            elif wanted(path):
                read = partial(budget.read, member.offset_data, partial(_first, file, member.offset_data, member.size))
                files.append(Packed(path, _changed(member), read, _problem_of(member, path)))
        file.seek(archive.offset)
        if file.read(tarfile.BLOCKSIZE).strip(b"\0"):  # tarfile stops at a damaged header as at the end
            raise BadArchive(f"it is damaged after {count} entries")
        return [*files, *empty_folders(folders, files, wanted)]


def _first(file: BinaryIO, offset: int, size: int, count: int) -> bytes:
    try:
        file.seek(offset)
        content = file.read(min(size, count))
    except (OSError, ValueError) as error:
        raise BadArchive(f"it is damaged in the archive ({str(error)[:80]})") from None
    if len(content) < min(size, count):
        raise BadArchive("it is damaged in the archive (it ends too early)")
    return content


def _problem_of(member: tarfile.TarInfo, path: PurePosixPath) -> str:
    """Return why an entry is not read, or an empty string if it may be read."""
    if member.issym() or member.islnk():
        return "it is a link, not a file"
    if not member.isreg():
        return "it is a device or a pipe, not a file"
    if member.sparse is not None or member.size < 0:
        return "it is a file with holes; pack it again without them"
    if ".." in path.parts or _refused(member):
        return "its path leads out of the archive"
    return ""


def _refused(member: tarfile.TarInfo) -> bool:
    """Return True if Python itself would refuse to unpack the entry.

    Nothing is unpacked under its own name here. This check is a second opinion if the version of Python has it.
    """
    try:
        if hasattr(tarfile, "data_filter"):  # from 3.11.4 on
            tarfile.data_filter(member, "/nowhere")
    except (tarfile.FilterError, OSError, ValueError):
        return True
    return False


def _changed(member: tarfile.TarInfo) -> datetime | None:
    """Return when an entry was changed by its own account; zero, which reproducible archives write, is no time."""
    try:
        return datetime.fromtimestamp(member.mtime, UTC) if member.mtime > 0 else None
    except (ValueError, OverflowError, OSError):
        return None
