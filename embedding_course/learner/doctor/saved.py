"""Find the saved notebook and read its cells."""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...checking.intake.cells import Cell, cells_of
from ...checking.intake.notebook_shape import NotANotebook, well_formed
from ...checking.intake.statements import definitions
from ...exercises import exercises_of
from ...messages import ENGLISH, Message, edition
from ...subject.errors import CourseError
from ...subject.lessons import LESSONS, Lesson, lesson
from ..notebook_tree import read_tree


class NotOpen(CourseError):
    """Signal that no notebook is open. Cells that run without a front end, as in nbgrader's validation, show it and go on."""


@dataclass(frozen=True)
class Saved:
    """Hold a notebook file: its path, its lesson, its content and its cells."""

    path: Path
    lesson: Lesson
    tree: dict[str, Any]
    cells: tuple[Cell, ...]

    @property
    def code(self) -> list[Cell]:
        """Return the code cells."""
        return [cell for cell in self.cells if cell.kind == "code"]


def read(path: Path, topic: str = "") -> Saved:
    """Read a notebook file. Raise CourseError, which says what is wrong with it."""
    return from_tree(read_tree(path), path, topic)


def from_tree(tree: dict[str, Any], path: Path, topic: str = "") -> Saved:
    """Return the notebook for parsed JSON that is well formed. Raise CourseError if it is no notebook of this course."""
    cells = tuple(cells_of(tree))
    return Saved(path, lesson(topic or topic_of(cells, path)), tree, cells)


def topic_of(cells: Iterable[Cell], path: Path) -> str:
    """Return the topic of the notebook: by its labels, else by the names it defines, else by the file name."""
    votes = {notebook.topic: 0 for notebook in LESSONS if notebook.written}
    cells = list(cells)
    labels, names = {cell.grade_id for cell in cells}, set[str]()
    for cell in cells:
        names |= set(definitions(cell.source)) if cell.kind == "code" else set()
    for topic in votes:
        for exercise in exercises_of(topic):
            votes[topic] += 3 * (exercise.grade_id in labels) + (exercise.name in names)
        votes[topic] += 1 if path.stem.startswith(topic) else 0
    best = max(votes, key=lambda topic: votes[topic])
    if not votes[best]:
        raise CourseError(Message("{file} is no notebook of this course: it holds no exercise.", file=path.name))
    return best


def find(named: str | Path | None = None) -> Saved:
    """Return the notebook `named`, or the open one. Raise NotOpen or CourseError if there is none."""
    if named is not None:
        return read(_path_of(str(named)))
    scope = vars(sys.modules["__main__"])
    if "google.colab" in sys.modules:
        return _on_colab()
    for value in (os.environ.get("JPY_SESSION_NAME"), scope.get("__vsc_ipynb_file__")):
        if value and str(value).endswith(".ipynb") and Path(value).is_file():
            return read(Path(value))
    raise NotOpen(
        Message('No notebook is open here: say which file is meant, by its name or as in `doctor("03")` and `submit("03")`.')
    )


def _path_of(named: str) -> Path:
    """Return the path as it is, or the learner's copy of the notebook with this number."""
    path = Path(named).expanduser()
    if path.is_file():
        return path
    try:
        topic = lesson(named.zfill(2) if named.isdigit() else named).topic
    except KeyError:
        raise CourseError(Message("There is no file {file}, and no notebook of that number.", file=named)) from None
    folder = "" if edition() == ENGLISH else edition()
    bases = dict.fromkeys((Path("work", folder), Path("work"), Path(), Path("..")))
    paths = [base / topic / f"{topic}.ipynb" for base in bases]
    paths.append(Path(f"{topic}.ipynb"))
    nearest = next((candidate for candidate in paths if candidate.is_file()), None)
    if nearest is None:
        message = Message("There is no {file}: `make lab NB={number}` makes it, or say the file's own path.", file=paths[0])
        raise CourseError(message.fill(number=topic[:2]))
    return nearest


def _on_colab() -> Saved:
    """Request the notebook from Colab, which keeps it in the browser."""
    from google.colab import _message  # type: ignore[import-not-found] - there on Colab alone

    try:
        tree = _message.blocking_request("get_ipynb", timeout_sec=30)["ipynb"]
    except Exception:
        raise CourseError(Message("Colab did not hand the notebook over: run the cell again.")) from None
    try:
        tree = well_formed(tree)
    except NotANotebook:
        raise CourseError(Message("Colab handed something over that is no notebook: run the cell again.")) from None
    name = str((tree["metadata"].get("colab") or {}).get("name") or "notebook.ipynb")
    return from_tree(tree, Path(name))
