"""What the built notebooks say of their graded cells, read as plain JSON."""

import json
from typing import Any

from ..paths import NOTEBOOKS


def labelled_cells(topic: str) -> dict[str, dict[str, Any]]:
    """Return the cells of a released notebook that nbgrader knows, by their `grade_id`.

    Where no notebook was built, as in a repository that holds what grading needs alone, they are made from the lesson.
    """
    path = NOTEBOOKS / topic / f"{topic}.ipynb"
    if path.exists():
        tree = json.loads(path.read_text(encoding="utf-8"))
    else:
        from .notebook import release, source

        tree = release(source(topic))
    found = [cell for cell in tree["cells"] if "nbgrader" in cell["metadata"]]
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in found}
