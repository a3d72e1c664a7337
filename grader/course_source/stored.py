"""Notebooks as they are stored: the same bytes on every machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..paths import NOTEBOOKS

if TYPE_CHECKING:
    from nbformat.notebooknode import NotebookNode


def as_bytes(notebook: NotebookNode) -> bytes:
    """Return the file of a notebook."""
    import nbformat

    return (nbformat.writes(notebook) + "\n").encode("utf-8")


def labelled_cells(topic: str) -> dict[str, dict[str, Any]]:
    """Return the cells of a released notebook that nbgrader knows, by their `grade_id`.

    Where no notebook was built, as in a repository that holds what grading needs alone, they are made from the lesson.
    """
    path = NOTEBOOKS / topic / f"{topic}.ipynb"
    if path.exists():
        tree = json.loads(path.read_text(encoding="utf-8"))
    else:
        from .notebook import released

        tree = released(topic)
    cells = [cell for cell in tree["cells"] if "nbgrader" in cell["metadata"]]
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in cells}
