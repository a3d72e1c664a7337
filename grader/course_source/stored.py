"""Notebooks as they are stored: the same bytes on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat.notebooknode import NotebookNode


def as_bytes(notebook: NotebookNode) -> bytes:
    """The file of a notebook."""
    import nbformat

    return (nbformat.writes(notebook) + "\n").encode("utf-8")
