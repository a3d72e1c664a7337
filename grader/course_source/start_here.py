"""The warm-up, `notebooks/00_start_here`: cells like a lesson's, without exercises, points or a place in nbgrader."""

from functools import partial

import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.messages import translate_within

from ..paths import SOLUTIONS
from .lesson import LessonCell, read_cells
from .minutes import minutes_of
from .setup_cell import language_line
from .stub import with_docstrings

NAME = "00_start_here"
#: Minutes for a function of one line.
_FOR_A_LINE = 2.0


def there() -> bool:
    """Return True if the course has in use a warm-up."""
    return (SOLUTIONS / NAME / "start_here.py").exists()


def start_here() -> NotebookNode:
    """Return the notebook, the same for learner and instructor."""
    cells = _cells()
    text = str(minutes(cells))
    notebook = nbformat.v4.new_notebook()
    for cell in cells:
        if cell.kind == "code":
            added = language_line() if cell.key == "setup" else ""
            shown = with_docstrings(cell.source, partial(translate_within, cell.key)) if cell.key != "setup" else cell.source
            notebook.cells.append(nbformat.v4.new_code_cell(shown + added, id=cell.key))
        else:
            shown = translate_within(cell.key, cell.source).replace("{minutes}", text)
            notebook.cells.append(nbformat.v4.new_markdown_cell(shown, id=cell.key))
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.validate(notebook)
    return notebook


def minutes(cells: list[LessonCell] | None = None) -> int:
    """Return how long it takes: counted as a lesson is, and two minutes for each function to write."""
    return round(
        sum(_FOR_A_LINE if "try_it(" in cell.source else minutes_of(cell, {}, frozenset()) for cell in cells or _cells())
    )


def _cells() -> list[LessonCell]:
    return read_cells(SOLUTIONS / NAME / "start_here.py")
