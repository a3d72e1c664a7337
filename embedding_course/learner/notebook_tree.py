"""A notebook file as the tree that JSON holds, for whoever looks at the file and not at its answers."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from ..checking.intake.cells import text_of
from ..errors import CourseError

__all__ = ["answers_digest", "read_tree", "well_formed"]


def read_tree(path: Path) -> dict[str, Any]:
    """The tree of a notebook of any nbformat 4. CourseError says what is wrong with the file."""
    try:
        tree = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror or error}).") from None
    except (ValueError, RecursionError):
        raise CourseError(f"{path} is not a notebook: save it again from the front end you work in.") from None
    return well_formed(tree, path)


def well_formed(tree: Any, path: Path) -> dict[str, Any]:
    """The tree of the file at `path`, if it is one. CourseError where it is no notebook."""
    if not isinstance(tree, dict) or not isinstance(tree.get("cells"), list):
        raise CourseError(f"{path} is not a notebook of the present format: open it in Jupyter and save it again.")
    return tree


def answers_digest(tree: dict[str, Any]) -> str:
    """A hash of what the cells say, in order: outputs, labels and layout do not enter."""
    told = [[entry.get("cell_type"), text_of(entry)] for entry in tree.get("cells", []) if isinstance(entry, dict)]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
