"""A notebook's cells as all that takes answers from them sees them, whether nbformat read the file or plain JSON did."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

__all__ = ["KEY", "Cell", "cell_of", "cells_of", "label_of", "marks_of", "text_of"]

#: The metadata key under which the course keeps its own notes in a notebook.
KEY = "embedding_course"
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*\S)", re.MULTILINE)
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Cell:
    """One cell; `place` counts from 1, as a person would, and 0 is a cell of the lesson that the file has not.

    `given` cells are the lesson's own and run in grading, `solution` cells hold an answer, and `helpers` is the cell in which
    grading keeps what the answers need. `heading` is the last one above the cell, or in it.
    """

    place: int
    kind: str
    source: str
    grade_id: str = ""
    given: bool = False
    solution: bool = False
    helpers: bool = False
    heading: str = field(default="", repr=False, compare=False)

    @property
    def where(self) -> str:
        """Where people find the cell: its number, and the heading that it stands below."""
        below = f" below “{self.heading}”" if self.heading else ""
        return f"cell {self.place}{below}" if self.place else f"a cell of the lesson{below}"

    @cached_property
    def named(self) -> str:
        """How the cell is spoken of: where it is, and its first line of code."""
        if not self.place:
            return self.where
        lines = [line.strip() for line in self.source.splitlines()]
        first = next((line for line in lines if line and not line.startswith(("#", "%"))), "")
        return self.where + (f" (`{first[:60].replace('`', '')}`)" if first else "")


def cells_of(notebook: Mapping[str, Any]) -> list[Cell]:
    """The cells of a notebook in their order; what is no cell at all is passed over."""
    found: list[Cell] = []
    heading = ""
    for place, entry in enumerate(notebook["cells"], 1):
        if isinstance(entry, dict):
            cell = cell_of(entry, place)
            headings = _HEADING.findall(_FENCED.sub("", cell.source)) if cell.kind == "markdown" else ()
            heading = _plain(headings[-1]) if headings else heading
            found.append(replace(cell, heading=heading))
    return found


def _plain(heading: str) -> str:
    """Return a heading without marks of Markdown and signs that nobody sees, cut short."""
    return "".join(sign for sign in heading if sign.isprintable() and sign not in "`*")[:60].strip()


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
    """A cell's text; files store it as one string or as a list of lines."""
    source = entry.get("source", "")
    return ("".join(map(str, source)) if isinstance(source, list) else str(source)).replace("\r\n", "\n")


def label_of(entry: Mapping[str, Any]) -> str:
    """The name that nbgrader knows a cell by; empty where it has none."""
    return str(marks_of(entry).get("grade_id", ""))


def marks_of(entry: Mapping[str, Any], key: str = "nbgrader") -> Mapping[str, Any]:
    """What is noted in a cell's metadata under a key; nothing where that is no mapping."""
    metadata = entry.get("metadata")
    marks = metadata.get(key) if isinstance(metadata, dict) else None
    return marks if isinstance(marks, dict) else {}
