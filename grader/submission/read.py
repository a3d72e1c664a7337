"""Read a submitted file. Whatever is wrong with it becomes one sentence."""

from __future__ import annotations

import warnings
from pathlib import Path

import nbformat.reader
from nbformat.notebooknode import NotebookNode

from .plain_file import read_plain

__all__ = ["LARGEST", "Unreadable", "read_bytes", "read_notebook"]

#: A notebook with all its figures is a few megabytes; nothing honest is near this.
LARGEST = 50 * 2**20


class Unreadable(Exception):
    """The file is no notebook that can be graded; the message says why."""


def read_bytes(path: Path) -> bytes:
    """The content of a submitted file. Unreadable where it cannot be one."""
    try:
        size = path.lstat().st_size
        if size == 0:
            raise Unreadable("the file is empty")
        if size > LARGEST:
            raise Unreadable(f"the file has {size / 2**20:.0f} MB; more than {LARGEST / 2**20:.0f} MB are not read")
        return read_plain(path, LARGEST)
    except OSError as error:
        raise Unreadable(f"the file cannot be read ({error.strerror or error})") from None


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook of any nbformat version. Unreadable says what is wrong with the file."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("the file is not text: perhaps an archive or a picture under a notebook's name") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # duplicated or missing ids are no reason to worry anybody
            notebook = nbformat.convert(nbformat.reader.reads(text), 4)
    except Exception as error:
        first = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise Unreadable(f"the file is not a notebook ({first})") from None
    return _tidy(notebook)


def _tidy(notebook: NotebookNode) -> NotebookNode:
    """Cells of odd makes brought to what the rest relies on: a source that is text, metadata that is a mapping."""
    if not isinstance(notebook.get("cells"), list):
        raise Unreadable("the file is not a notebook (it has no cells)")
    cells = []
    for cell in notebook.cells:
        if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
            continue
        source = cell.get("source", "")
        text = "".join(map(str, source)) if isinstance(source, list) else str(source)
        cell["source"] = text.replace("\r\n", "\n")
        if not isinstance(cell.get("metadata"), dict):
            cell["metadata"] = NotebookNode()
        cells.append(cell)
    notebook.cells = cells
    return notebook
