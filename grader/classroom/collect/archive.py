"""What lies in an archive or a folder that strangers filled: names and contents, bounded, never written by their names.

The outermost entry is the platform's: its name says whose the work is, its time when it came. What lies inside an entry that is
an archive itself is the student's own.
"""

import contextlib
import io
import os
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ...submission.plain_file import read_plain
from ...submission.read import MAX_NOTEBOOK_BYTES
from .archive_endings import bare, is_archive, is_single, is_tar
from .bounds import EMPTY_FOLDER, BadArchive, Budget, Packed, TooMany, not_too_large, path_of
from .kinds import is_of_the_system
from .tars import in_tar, unpacked_single
from .zips import in_zip

#: More files than any class hands in at once, and than anybody puts into an archive of their own.
MAX_FILES, MAX_FILES_INSIDE = 50_000, 2_000
#: What is unpacked of a student's own archive in all.
MAX_BYTES_INSIDE = 4 * MAX_NOTEBOOK_BYTES


@dataclass(frozen=True)
class SourceFile:
    """One file in an archive or a folder, and how to read it.

    Attributes
    ----------
    path
        The path of the file inside.
    outer
        The path of the entry that the platform wrote. It differs from `path` only for files in an archive inside.
    modified, inside
        When that entry, and a file in an archive inside, were changed by their own account: in UTC, or from a zip file
        without a zone.
    read
        Returns the content.
    problem
        Why the file cannot be read.
    """

    path: PurePosixPath
    outer: PurePosixPath
    modified: datetime | None
    read: Callable[[], bytes]
    problem: str = ""
    inside: datetime | None = None

    @property
    def nested(self) -> bool:
        """Return True if the file lies in an archive inside the archive, as a student packed it."""
        return self.path != self.outer


@dataclass
class Contents:
    """Everything in a zip file, a tar archive or a folder.

    `name` is its own name without an ending and `files` are the files in it. `passed` counts the system files that were
    skipped, by the folder or the name that marks them as such.
    """

    name: str = ""
    files: list[SourceFile] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    opened: set[PurePosixPath] = field(default_factory=set)

    def wants(self, path: PurePosixPath) -> bool:
        """Return True if it is a file that somebody handed in; count it in `passed` if it is a system file."""
        if path.parts and is_of_the_system(path):
            folder = next((part for part in path.parts[:-1] if is_of_the_system(PurePosixPath(part, "x"))), path.name)
            self.passed[folder] += 1
            return False
        return bool(path.parts)


@contextlib.contextmanager
def look_into(source: Path, encoding: str = "") -> Iterator[Contents]:
    """Open a zip file, a tar archive or a folder and yield its contents; archives inside are opened too, one level deep.

    Parameters
    ----------
    encoding
        The encoding of names in an old archive, if guessing fails.

    Raises
    ------
    BadArchive
        If it cannot be opened at all.
    """
    contents = Contents(bare(source.resolve().name))
    with contextlib.ExitStack() as stack, tempfile.TemporaryFile() as scratch_file:
        if source.is_dir():
            entries = _folder(source, contents)
        elif source.is_file():
            entries = _archive(source, stack.enter_context(source.open("rb")), scratch_file, encoding, contents)
        else:
            raise BadArchive(f"There is no {source}.")
        opened = lru_cache(maxsize=1)(partial(_opened, encoding, contents))  # one at a time: a class packs gigabytes
        files: list[SourceFile] = []
        for file in entries:
            files += _inside(file, opened) if is_archive(file.path.name) and not file.problem else [file]
            if len(files) > MAX_FILES:
                raise BadArchive(f"{source.name} holds more than {MAX_FILES} files; give submissions only.")
        contents.files = sorted(files, key=lambda file: (file.outer, file.path))  # each archive is opened once
        yield contents


def _folder(root: Path, contents: Contents) -> Iterator[SourceFile]:
    count = 0
    for folder, folders, files in os.walk(root, followlinks=False):
        kept = []
        for name in sorted(folders):
            path = Path(folder, name)
            inside = path_of(path.relative_to(root).as_posix())
            if not contents.wants(inside / "x"):
                continue
            if path.is_symlink():
                yield SourceFile(inside, inside, None, bytes, "it is a link, not a folder")
            elif not any(path.iterdir()):
                yield SourceFile(inside, inside, None, bytes, EMPTY_FOLDER)
            else:
                kept.append(name)
        folders[:] = kept
        for name in sorted(files):
            count += 1
            if count > MAX_FILES:
                raise BadArchive(f"{root.name} holds more than {MAX_FILES} files; give a folder of submissions only.")
            path = Path(folder, name)
            inside = path_of(path.relative_to(root).as_posix())
            if not contents.wants(inside):
                continue
            odd = "" if path.is_file() and not path.is_symlink() else "it is a link, not a file"
            modified = datetime.fromtimestamp(path.lstat().st_mtime, UTC)
            yield SourceFile(inside, inside, modified, partial(_bounded, path), odd)


def _archive(source: Path, file: BinaryIO, scratch_file: BinaryIO, encoding: str, contents: Contents) -> Iterator[SourceFile]:
    if not is_tar(source.name) and not zipfile.is_zipfile(source):
        kinds = "no zip file and no tar archive (.tar, .tar.gz, .tgz, .tar.xz, .tar.bz2)"
        raise BadArchive(f"{source.name} is {kinds}; unpack it, and give the folder.")
    try:
        if is_tar(source.name):
            entries = in_tar(file, scratch_file, Budget(), MAX_FILES, encoding, contents.wants)
        else:
            entries = in_zip(file, Budget(), MAX_FILES, encoding, contents.wants)
    except TooMany:
        raise BadArchive(f"{source.name} lists more than {MAX_FILES} files; give submissions only.") from None
    except BadArchive as error:
        raise BadArchive(f"{source.name} cannot be read ({error}); download it again.") from None
    for member in entries:
        yield SourceFile(member.path, member.path, member.modified, member.read, member.problem)


def _inside(outer: SourceFile, opened: Callable[[SourceFile, Budget], list[Packed]]) -> Iterator[SourceFile]:
    """Yield the files of an entry that is an archive, which `opened` unpacks."""
    budget = Budget(MAX_BYTES_INSIDE)
    try:
        entries = opened(outer, budget)
    except BadArchive as error:
        yield replace(outer, read=bytes, problem=str(error))
        return
    if not entries:
        yield replace(outer, read=bytes, problem="it is an archive with nothing in it")
    for index, member in enumerate(entries):
        path = outer.path.with_name(bare(outer.path.name)) / member.path
        problem = member.problem
        if is_archive(path.name) and not problem:
            problem = "it is an archive inside an archive inside an archive; unpack it"
        yield SourceFile(
            path, outer.outer, outer.modified, partial(_again, opened, outer, budget, index), problem, member.modified
        )


def _again(opened: Callable[[SourceFile, Budget], list[Packed]], outer: SourceFile, budget: Budget, index: int) -> bytes:
    return opened(outer, budget)[index].read()


def _opened(encoding: str, contents: Contents, outer: SourceFile, budget: Budget) -> list[Packed]:
    """Open an archive that lies inside another one, holding its content in memory."""
    content, name = io.BytesIO(outer.read()), outer.path.name
    passed = contents.passed.copy()
    try:
        if is_single(name):
            plain, is_packed_tar = unpacked_single(content, io.BytesIO(), budget)
            if not is_packed_tar:
                plain.seek(0)
                return [Packed(PurePosixPath(bare(name)), None, partial(not_too_large, plain.read(MAX_NOTEBOOK_BYTES + 1)))]
            plain.seek(0)
            content = io.BytesIO(plain.read())
        if is_single(name) or is_tar(name):
            return in_tar(content, io.BytesIO(), budget, MAX_FILES_INSIDE, encoding, contents.wants)
        return in_zip(content, budget, MAX_FILES_INSIDE, encoding, contents.wants)
    except TooMany:
        raise BadArchive(f"it is an archive of more than {MAX_FILES_INSIDE} files; hand in notebooks only") from None
    except BadArchive as error:
        raise BadArchive(f"it is an archive that cannot be read ({error})") from None
    finally:
        if outer.path in contents.opened:  # it was read before, and counted
            contents.passed = passed
        contents.opened.add(outer.path)


def _bounded(path: Path) -> bytes:
    try:
        content = read_plain(path, MAX_NOTEBOOK_BYTES + 1)
    except OSError as error:
        raise BadArchive(f"it cannot be read ({error.strerror or error})") from None
    return not_too_large(content)
