"""What is taken of files that strangers packed: how much, and under which names. Zip and tar archives share it."""

import contextlib
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from ...submission.read import MAX_NOTEBOOK_BYTES

#: What is wrong with a folder in which nothing lies.
EMPTY_FOLDER = "the folder is empty"
#: What is read in all, however small it was packed.
MAX_BYTES = 8 * 2**30


class BadArchive(Exception):
    """The archive, or one file of it, cannot be read; the message says why."""


class TooMany(Exception):
    """The archive lists more files than any honest one."""


@dataclass(frozen=True)
class Packed:
    """One file in an archive that was not read yet.

    `modified` is the time that the archive states, without a zone if the archive has none.
    """

    path: PurePosixPath
    modified: datetime | None
    read: Callable[[], bytes]
    problem: str = ""


class Budget:
    """Bytes that may still be unpacked: of everything that is handed in at once, or of one student's archive."""

    def __init__(self, most: int = MAX_BYTES) -> None:
        self.most = self.left = most
        self._counted: set[int] = set()

    def read(self, position: int, take: Callable[[int], bytes]) -> bytes:
        """Return the content of the entry at `position`, and count its bytes the first time.

        The size that the archive declares is not trusted.

        Parameters
        ----------
        position
            Where the entry stands in the archive.
        take
            Called with a number n, it unpacks the first n bytes of the entry.

        Raises
        ------
        BadArchive
            If the entry is too large, or the budget is used up.
        """
        known = position in self._counted
        content = take((MAX_NOTEBOOK_BYTES if known else min(MAX_NOTEBOOK_BYTES, self.left)) + 1)
        if not known and len(content) > self.left:
            raise self.exhausted()
        if not known:
            self.left -= len(content)
            self._counted.add(position)
        return not_too_large(content)

    def exhausted(self) -> BadArchive:
        """Return the exception that says that the archive unpacks to too many bytes."""
        return BadArchive(f"the archive unpacks to more than {self.most // 2**20} MB")


def not_too_large(content: bytes) -> bytes:
    """Return `content` unchanged, or raise BadArchive if it has more bytes than a notebook may have."""
    if len(content) > MAX_NOTEBOOK_BYTES:
        raise BadArchive(f"it has more than {MAX_NOTEBOOK_BYTES // 2**20} MB")
    return content


def path_of(name: str) -> PurePosixPath:
    """Return the path of an entry inside its archive; an absolute path counts from the top of the archive."""
    return PurePosixPath(tidy(name).lstrip("/"))


def decoded(raw: bytes, encoding: str, otherwise: str) -> str:
    """Return a name as its author saw it, for an archive that does not say how names are written.

    Parameters
    ----------
    raw : bytes
        Bytes of the name.
    encoding : str
        Encoding to try first; "" for none.
    otherwise : str
        Name to return if no encoding fits.
    """
    for guess in (encoding, "utf-8", "gb2312") if encoding else ("utf-8", "gb2312"):
        with contextlib.suppress(UnicodeDecodeError, LookupError):
            return raw.decode(guess)
    return otherwise


def tidy(name: str) -> str:
    """Return a name with composed characters, forward slashes and no invisible characters."""
    name = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8")).replace("\\", "/")
    return "".join(character for character in name if unicodedata.category(character)[0] != "C")


def empty_folders(
    folders: Iterable[PurePosixPath], files: Sequence[Packed], wanted: Callable[[PurePosixPath], bool]
) -> list[Packed]:
    """Return the outermost wanted folders of an archive that hold no wanted file.

    They are reported because somebody may have meant to hand in work there.

    Parameters
    ----------
    folders : iterable of PurePosixPath
        Folders of the archive.
    files : sequence of Packed
        Files of the archive.
    wanted : callable
        Returns True if a file of this path would be taken.
    """
    full = {parent for packed in files for parent in packed.path.parents}
    empty = {folder for folder in folders if folder.parts and folder not in full}
    outermost = sorted(folder for folder in empty if not empty & set(folder.parents))
    return [Packed(folder, None, bytes, EMPTY_FOLDER) for folder in outermost if wanted(folder / "x")]
