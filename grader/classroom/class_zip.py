"""Back up what a class cannot make again to one zip file, and restore it."""

import contextlib
import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

#: Where a class keeps copies of itself and of its gradebook.
BACKUPS = "backups"
BOOK = "gradebook.db"
_LABEL = "class_backup.json"
_FOLDERS = ("submitted", "earlier", "autograded", "feedback", "results", "projects")
_FILES = ("course.toml", "nbgrader_config.py")
_LOCK = ".writer"


class BadBackup(ValueError):
    """The file is no backup of a class; the message says why."""


class Label(msgspec.Struct):
    """The label of a backup.

    `book` says whether the gradebook is in the zip file ("here"), did not exist ("none") or lies in PostgreSQL ("elsewhere").
    """

    made: str
    book: Literal["here", "none", "elsewhere"]
    rosters: list[str] = []  # paths of the lists of students


def is_class(home: Path) -> bool:
    """Return True if the folder is that of a class."""
    return any((home / name).exists() for name in ("course.toml", BOOK, "submitted", "results"))


def pack(home: Path, file: Path, label: Label, book: Path | None) -> int:
    """Write the backup of a class to a zip file in one step and return the number of files in it.

    Links are left out because they may lead to other people's files.

    Parameters
    ----------
    home : Path
        Folder of the class.
    file : Path
        Zip file to write.
    label : Label
        What the backup says about itself.
    book : Path or None
        Copy of the gradebook that nobody writes to; None if the gradebook is not in the backup.
    """
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    part.touch(0o600)  # it holds names and grades
    try:
        count = 0
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            archive.writestr(_LABEL, msgspec.json.encode(label))
            for path in _files_to_keep(home, label):
                archive.write(path, path.relative_to(home).as_posix())
                count += 1
            if book is not None:
                archive.write(book, BOOK)
                count += 1
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return count


def _files_to_keep(home: Path, label: Label) -> Iterator[Path]:
    for name in dict.fromkeys((*_FILES, *label.rosters)):
        if (home / name).is_file() and not (home / name).is_symlink():
            yield home / name
    for name in _FOLDERS:
        for folder, folders, files in os.walk(home / name, followlinks=False):
            folders.sort()
            for file_name in sorted(files):
                path = Path(folder, file_name)
                if stat.S_ISREG(path.lstat().st_mode) and file_name != _LOCK:
                    yield path


def label_of(file: Path) -> Label:
    """Return the label of a backup after checking that every name in it stays inside the class folder.

    Raises
    ------
    BadBackup
        If the file cannot be read or is no backup of a class.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            label = msgspec.json.decode(archive.read(_LABEL), type=Label)
            entries = archive.infolist()
        if any(PurePosixPath(name).is_absolute() or {"", ".."} & set(name.split("/")) for name in label.rosters):
            raise BadBackup(f"{file.name} names a list of students outside the class")
    except KeyError:
        raise BadBackup(f"{file.name} was not written by grader class backup") from None
    except BadBackup:
        raise
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError) as error:
        raise BadBackup(f"{file} cannot be read ({getattr(error, 'strerror', None) or error})") from None
    for member in entries:
        path = PurePosixPath(member.filename)
        known = path.parts[:1] and (path.parts[0] in _FOLDERS or member.filename in (*_FILES, BOOK, _LABEL, *label.rosters))
        if not known or path.is_absolute() or ".." in path.parts or "\\" in member.filename or member.is_dir():
            raise BadBackup(f"{file.name} holds {member.filename[:60]!r}, which is no part of a class")
    return label


def unpack(file: Path, folder: Path) -> Label:
    """Unpack a backup into an empty folder, and return the label of the backup.

    Raises
    ------
    BadBackup
        If the zip file is damaged or is no backup of a class.
    OSError
        If the disk is full.
    """
    label = label_of(file)
    try:
        with zipfile.ZipFile(file) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name != _LABEL])
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadBackup(f"{file.name} is damaged ({error})") from None
    return label


def restore(file: Path, home: Path) -> Label:
    """Replace the content of a class folder by that of a backup, and return the label of the backup.

    Everything is unpacked before anything is changed. If moving the files fails half way, the old files are put back.

    Raises
    ------
    BadBackup
        If the file is damaged or is no backup of a class.
    OSError
        If the folder cannot be written.
    """
    home.mkdir(parents=True, exist_ok=True)
    work = home / f".restore.{datetime.now(UTC):%Y%m%dT%H%M%S}.{os.getpid()}"
    fresh, old = work / "fresh", work / "old"
    fresh.mkdir(parents=True)
    try:
        label = unpack(file, fresh)
        moved: list[tuple[Path, Path]] = []
        try:
            for name in _restored_names(label):
                for source, target in ((home / name, old / name), (fresh / name, home / name)):
                    if source.exists():
                        target.parent.mkdir(parents=True, exist_ok=True)
                        source.rename(target)
                        moved.append((source, target))
        except OSError:
            for source, target in reversed(moved):
                with contextlib.suppress(OSError):
                    target.rename(source)
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    (home / "submitted").mkdir(exist_ok=True)
    return label


def _restored_names(label: Label) -> list[str]:
    books = [] if label.book == "elsewhere" else [BOOK, f"{BOOK}-wal", f"{BOOK}-shm"]
    rosters = [name for name in label.rosters if PurePosixPath(name).parts[0] not in _FOLDERS]
    return list(dict.fromkeys([*_FILES, *rosters, *books, *_FOLDERS]))
