"""A notebook's cells as all that takes answers from them sees them, whether nbformat read the file or plain JSON did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

__all__ = ["KEY", "Cell", "cell_of", "cells_of", "label_of", "marks_of", "text_of"]

#: The metadata key under which the course keeps its own notes in a notebook.
KEY = "embedding_course"


@dataclass(frozen=True)
class Cell:
    """One cell; `place` counts from 1, as a person would, and 0 is a cell of the lesson that the file has not.

    `given` cells are the lesson's own and run in grading, `solution` cells hold an answer, and `helpers` is the cell in which
    grading keeps what the answers need.
    """

    place: int
    kind: str
    source: str
    grade_id: str = ""
    given: bool = False
    solution: bool = False
    helpers: bool = False

    @cached_property
    def named(self) -> str:
        """How the cell is spoken of: its place and its first line of code."""
        if not self.place:
            return "a cell of the lesson"
        lines = [line.strip() for line in self.source.splitlines()]
        first = next((line for line in lines if line and not line.startswith(("#", "%"))), "")
        return f"cell {self.place}" + (f" (`{first[:60].replace('`', '')}`)" if first else "")


def cells_of(notebook: Mapping[str, Any]) -> list[Cell]:
    """The cells of a notebook in their order; what is no cell at all is passed over."""
    return [cell_of(entry, place) for place, entry in enumerate(notebook["cells"], 1) if isinstance(entry, dict)]


def cell_of(entry: Mapping[str, Any], place: int = 0) -> Cell:
    """One cell, however odd its metadata. A half of a character without the other, which no program holds, becomes a question
    mark.

    >>> cell_of({"cell_type": "code", "source": ["x = 1\\r\\n", "y = 2"], "metadata": {"nbgrader": None}}, 3)
    Cell(place=3, kind='code', source='x = 1\\ny = 2', grade_id='', given=False, solution=False, helpers=False)
    """
    marks, ours = marks_of(entry), marks_of(entry, KEY)
    return Cell(
        place, str(entry.get("cell_type")), text_of(entry).encode("utf-8", "replace").decode("utf-8"), label_of(entry),
        given=bool(ours.get("given")), solution=bool(marks.get("solution")) and not marks.get("grade"),
        helpers=bool(ours.get("helpers")),
    )  # fmt: skip


def text_of(entry: Mapping[str, Any]) -> str:
    """A cell's text; files store it as one string or as a list of lines, and some tools leave out the ends of those lines.

    >>> text_of({"source": ["x = 1", "y = 2"]}) == text_of({"source": ["x = 1\\n", "y = 2"]}) == "x = 1\\ny = 2"
    True
    """
    source = entry.get("source", "")
    if isinstance(source, list):
        source = _joined([str(line) for line in source if line is not None])
    return ("" if source is None else str(source)).replace("\r\n", "\n")


def _joined(lines: list[str]) -> str:
    if not any(line.endswith(("\n", "\r")) for line in lines):
        return "\n".join(lines)
    ended = [f"{line}\n" if line and not line.endswith(("\n", "\r")) else line for line in lines[:-1]]
    return "".join([*ended, lines[-1]])


def label_of(entry: Mapping[str, Any]) -> str:
    """The name that nbgrader knows a cell by; empty where it has none."""
    return str(marks_of(entry).get("grade_id", ""))


def marks_of(entry: Mapping[str, Any], key: str = "nbgrader") -> Mapping[str, Any]:
    """What is noted in a cell's metadata under a key; nothing where that is no mapping."""
    metadata = entry.get("metadata")
    marks = metadata.get(key) if isinstance(metadata, dict) else None
    return marks if isinstance(marks, dict) else {}
