"""What the built notebooks say of their graded cells, read as plain JSON."""

from __future__ import annotations

import json
from typing import Any

from ..paths import NOTEBOOKS

__all__ = ["labelled_cells"]


def labelled_cells(topic: str) -> dict[str, dict[str, Any]]:
    """The cells of a released notebook that nbgrader knows, by their `grade_id`."""
    tree = json.loads((NOTEBOOKS / topic / f"{topic}.ipynb").read_text(encoding="utf-8"))
    found = [cell for cell in tree["cells"] if "nbgrader" in cell["metadata"]]
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in found}
