"""Merge a learner's work into the current version of the lesson.

It is a three-way merge, cell by cell, of the learner's copy (`theirs`), the released lesson from which that copy was made
(`before`), and the current lesson (`after`). Cells that the learner changed are kept; all others are updated. If the
correspondence of cells is uncertain, nothing is merged.
"""

import copy
from typing import Any

from ...checking.intake.cells import marks_of, text_of
from ...messages import Message

Notebook = dict[str, Any]
Cell = dict[str, Any]
#: ("graded", nbgrader's grade_id) or ("plain", the cell's id).
Identity = tuple[str, str]


class CannotMatch(Exception):
    """Signal that the position of a learner's cell is uncertain. The message names the cell."""


def carry(theirs: Notebook, before: Notebook | None, after: Notebook) -> Notebook:
    """Return the lesson `after` with the learner's work in it.

    Parameters
    ----------
    theirs
        The learner's copy.
    before
        The released lesson from which the copy was made. If it is None, every cell of the copy counts as the learner's work.
    after
        The current lesson.

    Raises
    ------
    CannotMatch
        If the position of any of the learner's cells is uncertain.
    """
    mine = _index(_recover(theirs, before or after))
    old = _index(before) if before else {}
    new = _index(after)
    _check_positions(mine, old or new, new)
    merged = [_merge(mine.get(name), old.get(name), cell, bool(before)) for name, cell in new.items()]
    return {**after, "cells": _with_own_cells(merged, list(new), mine, old)}


def _answerable(cell: Cell) -> bool:
    """Return whether a learner is asked to fill in this cell."""
    return bool(marks_of(cell).get("solution"))


def _identity(cell: Cell, index: int) -> Identity:
    grade_id = marks_of(cell).get("grade_id")
    return ("graded", str(grade_id)) if grade_id else ("plain", str(cell.get("id", f"no id, cell {index}")))


def _index(notebook: Notebook) -> dict[Identity, Cell]:
    """Return the cells by identity, in order. Raise CannotMatch if one answer occurs twice with different texts."""
    cells: dict[Identity, Cell] = {}
    for index, cell in enumerate(notebook["cells"]):
        name = _identity(cell, index)
        if name in cells:
            if text_of(cells[name]) == text_of(cell):
                continue
            raise CannotMatch(Message("the cell {name} is there twice, with different contents", name=name[1]))
        cells[name] = cell
    return cells


def _recover(theirs: Notebook, lesson: Notebook) -> Notebook:
    """Restore nbgrader's metadata, which some editors drop, on each cell whose id is still that of a graded cell."""
    marks = {cell["id"]: marks_of(cell) for cell in lesson["cells"] if marks_of(cell) and "id" in cell}
    present = {marks_of(cell).get("grade_id") for cell in theirs["cells"]}
    cells = []
    for cell in theirs["cells"]:
        metadata = marks.get(cell.get("id"))
        if metadata and not marks_of(cell) and metadata["grade_id"] not in present:
            cell = {**cell, "metadata": {**cell.get("metadata", {}), "nbgrader": metadata}}
        cells.append(cell)
    return {**theirs, "cells": cells}


def _check_positions(mine: dict[Identity, Cell], old: dict[Identity, Cell], new: dict[Identity, Cell]) -> None:
    """Raise CannotMatch unless every answer cell of the old lesson is in the learner's copy and in the new lesson."""
    for name, cell in old.items():
        if _answerable(cell) and name not in mine:
            raise CannotMatch(Message("the cell {name} was not found in your copy", name=name[1]))
    for name, cell in mine.items():
        if not _answerable(cell) or (name in old and text_of(old[name]) == text_of(cell)):
            continue
        if name not in new or new[name]["cell_type"] != cell["cell_type"]:
            raise CannotMatch(Message("your cell {name} has no place in the new lesson", name=name[1]))


def _merge(theirs: Cell | None, old: Cell | None, new: Cell, history: bool) -> Cell:
    """Return one cell of the new lesson with the learner's changes."""
    if theirs is None or theirs["cell_type"] != new["cell_type"]:
        return new
    written = old is None or text_of(theirs) != text_of(old)
    if _answerable(new):
        kept = written
    elif marks_of(new):
        kept = False
    else:  # In an ordinary cell a guess or a changed number is kept, unless the lesson changed there too.
        kept = history and written and old is not None and text_of(old) == text_of(new)
    merged = copy.deepcopy(new)
    if kept:
        merged["source"] = theirs["source"]
    if text_of(merged) == text_of(theirs) and merged["cell_type"] == "code":
        merged["outputs"] = theirs.get("outputs", [])
        merged["execution_count"] = theirs.get("execution_count")
    return merged


def _with_own_cells(
    merged: list[Cell], names: list[Identity], mine: dict[Identity, Cell], old: dict[Identity, Cell]
) -> list[Cell]:
    """Insert each cell that the learner added after the cell that preceded it."""
    known_texts = {text_of(cell) for cell in [*old.values(), *merged]}
    behind: dict[Identity | None, list[Cell]] = {}
    last: Identity | None = None
    for name, cell in mine.items():
        if name in names:
            last = name
        elif name not in old and text_of(cell) not in known_texts:
            behind.setdefault(last, []).append(cell)
    cells = list(behind.get(None, []))
    for name, cell in zip(names, merged, strict=True):
        cells += [cell, *behind.get(name, [])]
    return cells
