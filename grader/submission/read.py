"""Read a submitted file. Whatever is wrong with it becomes one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embedding_course.checking.intake.cells import text_of
from embedding_course.checking.intake.notebook_file import EMPTY, NotANotebook, notebook_tree
from embedding_course.messages import Message

from .bounds import Unreadable, check_values, within_time
from .plain_file import read_plain

if TYPE_CHECKING:
    from nbformat.notebooknode import NotebookNode

#: A notebook with all its figures is a few megabytes; nothing honest is near this.
MAX_NOTEBOOK_BYTES = 50 * 2**20


def read_bytes(path: Path) -> bytes:
    """Return the content of a submitted file. Raise Unreadable if it is empty, too large or no plain file."""
    try:
        size = path.lstat().st_size
        if size == 0:
            raise Unreadable(EMPTY)
        if size > MAX_NOTEBOOK_BYTES:
            message = Message("the file has {size:.0f} MB; more than {limit:.0f} MB are not read", size=size / 2**20)
            raise Unreadable(message.fill(limit=MAX_NOTEBOOK_BYTES / 2**20))
        return read_plain(path, MAX_NOTEBOOK_BYTES)
    except OSError as error:
        raise Unreadable(Message("the file cannot be read ({reason})", reason=error.strerror or error)) from None


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook of any nbformat version. Unreadable says what is wrong with the file."""
    return notebook_of(read_bytes(path))


def notebook_of(content: bytes) -> NotebookNode:
    """Return the same of a file's content."""
    with within_time():
        try:
            tree = notebook_tree(content, check_values)
            for cell in tree["cells"]:
                cell["source"] = text_of(cell)
            return _node(tree)
        except NotANotebook as error:
            raise Unreadable(str(error)) from None
        except (RecursionError, MemoryError):
            raise Unreadable(Message("the file is not a notebook: its JSON is nested too deeply")) from None


def _node(value: Any) -> Any:
    """Return the tree in nbformat's classes.

    Each surrogate without its partner becomes a question mark, because no file can hold it.
    """
    from nbformat.notebooknode import NotebookNode

    if isinstance(value, dict):
        fresh = NotebookNode()
        dict.update(fresh, {_text(name): _node(inner) for name, inner in value.items()})  # past the conversion of each value
        return fresh
    if isinstance(value, list):
        return [_node(inner) for inner in value]
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def marked_answers(path: Path) -> dict[str, str]:
    """Return the source of each answer's cell by its nbgrader id; nothing where the file is gone or cannot be read.

    >>> marked_answers(Path("nowhere.ipynb"))
    {}
    """
    try:
        cells = json.loads(read_plain(path, MAX_NOTEBOOK_BYTES))["cells"]
        marked = ((cell, cell["metadata"].get("nbgrader") or {}) for cell in cells if cell["cell_type"] == "code")
        return {str(marks["grade_id"]): text_of(cell) for cell, marks in marked if marks.get("solution")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
