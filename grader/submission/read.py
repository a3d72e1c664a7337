"""Read a submitted file. Whatever is wrong with it becomes one sentence."""

from __future__ import annotations

import codecs
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embedding_course.checking.intake.cells import text_of

from .bounds import Unreadable, check_values, within_time
from .plain_file import read_plain

if TYPE_CHECKING:
    from nbformat.notebooknode import NotebookNode

__all__ = ["LARGEST", "Unreadable", "notebook_of", "read_bytes", "read_notebook"]

#: A notebook with all its figures is a few megabytes; nothing honest is near this.
LARGEST = 50 * 2**20
#: How JSON writes half of a character of two halves.
_LONE = re.compile(r"\\u[dD][89abAB]|\\u[dD][c-fC-F]")


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
    return notebook_of(read_bytes(path))


def notebook_of(content: bytes) -> NotebookNode:
    """The same of a file's content."""
    import nbformat.reader

    try:
        wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # what PowerShell's `>` writes
        text = content.decode("utf-16" if wide else "utf-8-sig").rstrip("\0 \r\n")  # synchronised files may end in zeros
    except UnicodeDecodeError:
        raise Unreadable("the file is not text: perhaps an archive or a picture under a notebook's name") from None
    with within_time():
        check_values(text)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # duplicated or missing ids are no reason to worry anybody
                notebook = nbformat.convert(_as_notebook(nbformat.reader.parse_json(text)), 4)
            if _LONE.search(text):
                notebook = _encodable(notebook)
        except Unreadable:
            raise
        except Exception as error:
            first = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
            raise Unreadable(f"the file is not a notebook ({first})") from None
        return _tidy(notebook)


def _as_notebook(tree: Any) -> NotebookNode:
    """What JSON holds, as `nbformat.reader.reads` makes it of a text; the metadata that some tools leave out may be missing."""
    import nbformat.reader

    major, minor = nbformat.reader.get_version(tree)
    if major == 4:
        for one in (tree, *(cell for cell in _list(tree.get("cells")) if isinstance(cell, dict))):
            one.setdefault("metadata", {})
    if major not in nbformat.versions:
        raise Unreadable(f"the file is a notebook of format {major}, and no such format is known")
    return nbformat.versions[major].to_notebook_json(tree, minor=minor)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _encodable(value: Any) -> Any:
    """The same tree with a question mark for each half of a character without the other, which no file can hold."""
    from nbformat.notebooknode import NotebookNode

    if isinstance(value, dict):
        return NotebookNode({_encodable(name): _encodable(inner) for name, inner in value.items()})
    if isinstance(value, list):
        return [_encodable(inner) for inner in value]
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _tidy(notebook: NotebookNode) -> NotebookNode:
    """Cells of odd makes brought to what the rest relies on: a source that is text, metadata that is a mapping."""
    from nbformat.notebooknode import NotebookNode

    if not isinstance(notebook.get("cells"), list):
        raise Unreadable("the file is not a notebook (it has no cells)")
    cells = []
    for cell in notebook.cells:
        if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
            continue
        cell["source"] = text_of(cell)
        if not isinstance(cell.get("metadata"), dict):
            cell["metadata"] = NotebookNode()
        cells.append(cell)
    notebook.cells = cells
    return notebook
