"""Read a notebook file as parsed JSON, for code that needs the file and not its answers."""

import hashlib
import json
from pathlib import Path
from typing import Any

from ..checking.intake.cells import text_of
from ..checking.intake.notebook_file import NotANotebook, notebook_tree
from ..messages import Message
from ..subject.errors import CourseError


def read_tree(path: Path) -> dict[str, Any]:
    """Return the notebook in a file, read as in grading. Raise CourseError, which says what is wrong with the file."""
    try:
        return notebook_tree(path.read_bytes())
    except OSError as error:
        raise CourseError(Message("{file} cannot be read ({reason}).", file=path, reason=error.strerror or error)) from None
    except NotANotebook as error:
        raise CourseError(Message("{file}: {reason}.", file=path, reason=error)) from None


def answers_digest(tree: dict[str, Any]) -> str:
    """Return a hash of the cell sources in order; outputs, labels and layout are ignored."""
    cells = [[cell.get("cell_type"), text_of(cell)] for cell in tree.get("cells", []) if isinstance(cell, dict)]
    return hashlib.sha256(json.dumps(cells, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
