"""A notebook file as the tree that JSON holds, for whoever looks at the file and not at its answers."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from ..checking.intake.cells import text_of
from ..checking.intake.notebook_file import NotANotebook, notebook_tree
from ..subject.errors import CourseError

__all__ = ["answers_digest", "read_tree"]


def read_tree(path: Path) -> dict[str, Any]:
    """The notebook in a file, as grading reads it. CourseError says what is wrong with the file."""
    try:
        return notebook_tree(path.read_bytes())
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror or error}).") from None
    except NotANotebook as error:
        raise CourseError(f"{path}: {error}.") from None


def answers_digest(tree: dict[str, Any]) -> str:
    """A hash of what the cells say, in order: outputs, labels and layout do not enter."""
    told = [[entry.get("cell_type"), text_of(entry)] for entry in tree.get("cells", []) if isinstance(entry, dict)]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
