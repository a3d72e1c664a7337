"""The answers in a notebook that was graded, as they were marked: what `autograded/` holds of a submission."""

import json
from pathlib import Path

from embedding_course.checking.intake.cells import text_of

from .plain_file import read_plain
from .read import LARGEST


def marked_answers(path: Path) -> dict[str, str]:
    """The source of each answer's cell by its nbgrader id; nothing where the file is gone or cannot be read.

    >>> marked_answers(Path("nowhere.ipynb"))
    {}
    """
    try:
        cells = json.loads(read_plain(path, LARGEST))["cells"]
        marked = ((cell, cell["metadata"].get("nbgrader") or {}) for cell in cells if cell["cell_type"] == "code")
        return {str(marks["grade_id"]): text_of(cell) for cell, marks in marked if marks.get("solution")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
