"""Read a folder of notes as texts: Markdown, plain text, notebooks and PDF. What is not read is listed with its reason."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import torch

from ...checking.intake.cells import text_of
from ...checking.intake.notebook_file import NotANotebook, notebook_tree
from ...messages import Message, translate
from ...subject.errors import CourseError

MAX_FILE_BYTES = 20_000_000
MAX_FILES = 20_000
_SHOWN = 3


class NotesError(CourseError):
    """The folder cannot be read, or it is none."""


class Note(NamedTuple):
    """Hold a note: its path in the folder, and its text."""

    path: str
    text: str


@dataclass
class Notes:
    """Hold the notes of a folder, and the reason for each path that was not read.

    `skipped` maps a path in the folder to a few words, such as "not UTF-8 text".
    """

    notes: list[Note] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)

    def report(self) -> list[str]:
        """Return what was not read, a line for each reason.

        Examples
        --------
        >>> Notes(skipped={"a.png": "other kind of file", ".git": "hidden", "b.c": "other kind of file"}).report()
        ['skipped, other kind of file: a.png, b.c', 'skipped, hidden: .git']
        """
        by_reason: dict[str, list[str]] = {}
        for path, reason in self.skipped.items():
            by_reason.setdefault(reason, []).append(path)
        return [
            translate("skipped, {reason}: {paths}", reason=reason, paths=_listed(paths)) for reason, paths in by_reason.items()
        ]


def _listed(paths: list[str]) -> str:
    more = len(paths) - _SHOWN
    listed = ", ".join(paths[:_SHOWN])
    return translate("{names} and {more:,} more", names=listed, more=more) if more > 0 else listed


def course_texts() -> Path:
    """Return the folder of the course's notebooks around this one, or that of the package, which holds the glossary."""
    folder = Path.cwd().parent
    return folder if (folder / "01_onehot_vs_lookup").is_dir() else Path(__file__).resolve().parents[2]


def read_notes(folder: str | Path) -> Notes:
    """Return the texts in a folder and in the folders below it.

    Files that end in .md, .txt, .ipynb or .pdf are read; PDF needs the package pypdf. Hidden files, links that lead out of
    the folder, and links to folders are not followed.

    Parameters
    ----------
    folder : str or Path
        The folder; "~" stands for your home.

    Raises
    ------
    NotesError
        If the folder does not exist, is no folder or cannot be listed.
    """
    root = Path(folder).expanduser()
    if not root.is_dir():
        message = Message("{folder} is not there: name a folder of notes.")
        if root.exists():
            message = Message("{folder} is a file, and no folder: name a folder of notes.")
        raise NotesError(message.fill(folder=folder))
    try:
        next(root.iterdir(), None)
    except OSError as error:
        raise NotesError(Message("{folder} cannot be read ({reason}).", folder=folder, reason=error.strerror)) from None
    found, inside = Notes(), root.resolve()
    for count, (path, reason) in enumerate(_walk(root, inside)):
        name = path.relative_to(root).as_posix()
        if count == MAX_FILES:
            found.skipped[name] = translate("everything after the first {count:,} files", count=MAX_FILES)
            break
        try:
            if reason:
                raise _Skip(reason)
            found.notes.append(Note(name, _text(path)))
        except _Skip as skip:
            found.skipped[name] = str(skip)
    return found


class _Skip(Exception):
    """A file is not read. The message is the reason in a few words."""


def _walk(root: Path, inside: Path) -> Iterator[tuple[Path, str]]:
    """Yield each path, and the reason not to read it or an empty text."""
    for here, folders, files in os.walk(root):
        folders.sort()
        for name in list(folders):
            path = Path(here, name)
            link = translate("link to a folder") if path.is_symlink() else ""
            reason = translate("hidden") if name.startswith(".") else link or _unreadable(path)
            if reason:
                folders.remove(name)
                yield path, reason
        for name in sorted(files):
            path = Path(here, name)
            if name.startswith("."):
                yield path, translate("hidden")
            elif not path.resolve().is_relative_to(inside):
                yield path, translate("link out of the folder")
            else:
                yield path, "" if path.suffix.lower() in _READERS else translate("other kind of file")


def _unreadable(folder: Path) -> str:
    return "" if os.access(folder, os.R_OK | os.X_OK) else translate("cannot be read")


def _text(path: Path) -> str:
    """Return the text of a file. Raise _Skip if it has none."""
    try:
        if not path.is_file():  # a pipe would wait for ever
            raise _Skip(translate("no ordinary file"))
        if path.stat().st_size > MAX_FILE_BYTES:
            raise _Skip(translate("larger than {size} MB", size=MAX_FILE_BYTES // 10**6))
        text = _READERS[path.suffix.lower()](path)
    except OSError as error:
        raise _Skip(translate("cannot be read ({reason})", reason=error.strerror or type(error).__name__)) from None
    if not text.strip():
        raise _Skip(translate("no text in it"))
    return text


def _plain(path: Path) -> str:
    body = path.read_bytes()
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _Skip(translate("not UTF-8 text; an editor can save it as UTF-8")) from None
    if "\0" in text:
        raise _Skip(translate("binary data, no text"))
    return text


def _notebook(path: Path) -> str:
    """Return the sources of all cells; outputs are left out."""
    try:
        cells = notebook_tree(path.read_bytes())["cells"]
    except NotANotebook as error:
        raise _Skip(translate("no readable notebook ({error})", error=error)) from None
    return "\n\n".join(text_of(cell) for cell in cells)


def _pdf(path: Path) -> str:
    try:
        from pypdf import PdfReader  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise _Skip(translate("PDF needs a package: pip install pypdf")) from None
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # It warns about each oddity of a file.
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise _Skip(translate("locked by a password"))
        return "\n\n".join(page.extract_text() for page in reader.pages)
    except (_Skip, OSError):
        raise
    except Exception as error:  # A damaged file makes pypdf raise nearly anything.
        raise _Skip(translate("no readable PDF ({error})", error=type(error).__name__)) from None


_READERS: dict[str, Callable[[Path], str]] = {".md": _plain, ".txt": _plain, ".ipynb": _notebook, ".pdf": _pdf}


class Window(NamedTuple):
    """Hold a part of a note: the path of the note, the text, and its cosine with a question once it was compared."""

    path: str
    text: str
    cosine: float = 0.0


def windows_of(notes: Notes, cut: Callable[[list[str]], Sequence[Sequence[int]]]) -> list[Window]:
    """Return the windows of all notes.

    Parameters
    ----------
    notes : Notes
    cut : Callable
        Returns the begin and the end of each window of a list of words.
    """
    windows = []
    for note in notes.notes:
        words = note.text.split()
        windows += [Window(note.path, " ".join(words[start:end])) for start, end in cut(words)]
    return windows


def most_similar(
    question: str, windows: Sequence[Window], vectors_of: Callable[[list[str]], torch.Tensor], k: int
) -> list[Window]:
    """Return the k windows whose vectors are nearest to that of the question, best first, with their cosines.

    Parameters
    ----------
    question : str
    windows : Sequence[Window]
    vectors_of : Callable
        Returns the unit vectors of a list of texts, (N, d).
    k : int
        Number of windows; all of them if there are fewer.
    """
    vectors = vectors_of([question, *(window.text for window in windows)])
    best = (vectors[1:] @ vectors[0]).topk(min(k, len(windows)))
    rows = zip(best.indices.tolist(), best.values.tolist(), strict=True)
    return [windows[row]._replace(cosine=cosine) for row, cosine in rows]
