"""The notebook as it is saved: where the file is, and what stands in it."""

from __future__ import annotations

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
from ...subject.errors import CourseError
from ...subject.lessons import LESSONS, Lesson, lesson
from ..notebook_tree import read_tree

__all__ = ["NotOpen", "Saved", "find", "read", "topic_of"]


class NotOpen(CourseError):
    """No notebook is open: cells that are run without a front end, as by nbgrader's validation, go on after saying so."""


@dataclass(frozen=True)
class Saved:
    """A notebook file: the bytes it is made of, and its cells."""

    path: Path
    lesson: Lesson
    tree: dict[str, Any]
    cells: tuple[Cell, ...]

    @property
    def code(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.kind == "code"]


def read(path: Path, topic: str = "") -> Saved:
    """Read a notebook file. CourseError says what is wrong with it."""
    return from_tree(read_tree(path), path, topic)


def from_tree(tree: dict[str, Any], path: Path, topic: str = "") -> Saved:
    """The same from a tree that is well formed. CourseError when it is no notebook of this course."""
    cells = tuple(cells_of(tree))
    return Saved(path, lesson(topic or topic_of(cells, path)), tree, cells)


def topic_of(cells: Iterable[Cell], path: Path) -> str:
    """Which notebook of the course this is: by its labels, else by the names it defines, else by the file's name."""
    found = {entry.topic: 0 for entry in LESSONS if entry.written}
    cells = list(cells)
    labels, names = {cell.grade_id for cell in cells}, set[str]()
    for cell in cells:
        names |= set(definitions(cell.source)) if cell.kind == "code" else set()
    for topic in found:
        for exercise in exercises_of(topic):
            found[topic] += 3 * (exercise.grade_id in labels) + (exercise.name in names)
        found[topic] += 1 if path.stem.startswith(topic) else 0
    best = max(found, key=lambda topic: found[topic])
    if not found[best]:
        raise CourseError(f"{path.name} is no notebook of this course: no exercise stands in it.")
    return best


def find(named: str | Path | None = None) -> Saved:
    """The notebook that is meant: the file named, else the one that is open. NotOpen or CourseError when there is none."""
    if named is not None:
        return read(_by_name(str(named)))
    scope = vars(sys.modules["__main__"])
    if "google.colab" in sys.modules:
        return _on_colab()
    for told in (os.environ.get("JPY_SESSION_NAME"), scope.get("__vsc_ipynb_file__")):
        if told and str(told).endswith(".ipynb") and Path(told).is_file():
            return read(Path(told))
    raise NotOpen('No notebook is open here: say which file is meant, by its name or as in doctor("03") and submit("03").')


def _by_name(named: str) -> Path:
    """A path as it is, or the learner's copy of the notebook with this number."""
    path = Path(named).expanduser()
    if path.is_file():
        return path
    try:
        topic = lesson(named.zfill(2) if named.isdigit() else named).topic
    except KeyError:
        raise CourseError(f"There is no file {named}, and no notebook of that number.") from None
    places = [base / topic / f"{topic}.ipynb" for base in (Path("work"), Path(), Path(".."))]
    places.append(Path(f"{topic}.ipynb"))
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise CourseError(f"There is no {places[0]}: `make lab NB={topic[:2]}` makes it, or say the file's own path.")
    return found


def _on_colab() -> Saved:
    """Colab keeps the notebook in the browser, and hands it over when asked."""
    from google.colab import _message  # type: ignore[import-not-found] - there on Colab alone

    try:
        tree = _message.blocking_request("get_ipynb", timeout_sec=30)["ipynb"]
    except Exception:
        raise CourseError("Colab did not hand the notebook over: run the cell again.") from None
    try:
        tree = well_formed(tree)
    except NotANotebook:
        raise CourseError("Colab handed something over that is no notebook: run the cell again.") from None
    name = str((tree["metadata"].get("colab") or {}).get("name") or "notebook.ipynb")
    return from_tree(tree, Path(name))
