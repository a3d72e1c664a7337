"""Copy and store notebooks fast. They come from nbformat and are valid, so they are not validated again."""

from typing import Any

import msgspec
from nbformat.notebooknode import NotebookNode


def copied(node: Any) -> Any:
    """Copy like copy.deepcopy a tree of notebook nodes, lists and plain values; several times as fast."""
    if isinstance(node, dict):
        fresh = NotebookNode()
        dict.update(fresh, {key: copied(value) for key, value in node.items()})  # past the conversion of every value
        return fresh
    if isinstance(node, list):
        return [copied(value) for value in node]
    return node


def as_json(notebook: NotebookNode) -> bytes:
    """Return a notebook file. Long texts stay in one piece, as nbformat's readers allow."""
    return msgspec.json.format(msgspec.json.encode(notebook), indent=1) + b"\n"
