"""The cells of a notebook in the form that grading and `doctor` share, whether nbformat or plain JSON read the file."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from ...messages import Message

#: The metadata key under which the course keeps its own notes in a notebook.
KEY = "embedding_course"
#: In a rebuilt notebook, the ids of cells that the lesson does not have begin with this.
OWN = "own-"

#: What a cell is to grading. "given": the lesson's own, always run. "demonstration": the lesson's own, unedited, skipped unless
#: a cell of the learner's reads a name that it binds. "answer" and "check" belong to an exercise. "repeated": the second
#: appearance of a cell that answers several exercises. "own": the learner's. "": text, or nothing that runs.
Role = Literal["given", "demonstration", "answer", "check", "repeated", "own", ""]
_LONGEST_HEADING = 60
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*\S)", re.MULTILINE)
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook.

    `number` is the cell's position, counted from 1; 0 means a cell of the lesson that the file does not have. `heading` is the
    last heading above the cell, or in it.
    """

    number: int
    kind: str
    source: str
    grade_id: str = ""
    role: Role = ""
    id: str = ""
    heading: str = field(default="", repr=False, compare=False)

    @property
    def where(self) -> str:
        """Return where a reader finds the cell: its number, and the heading above it."""
        if self.heading:
            where = (
                Message("cell {number} below “{heading}”") if self.number else Message("a cell of the lesson below “{heading}”")
            )
        else:
            where = Message("cell {number}") if self.number else Message("a cell of the lesson")
        return str(where.fill(number=self.number, heading=self.heading))

    @cached_property
    def named(self) -> str:
        """Return the words with which a message names the cell: where it is, and its first line of code."""
        if not self.number:
            return self.where
        lines = [line.strip() for line in self.source.splitlines()]
        first = next((line for line in lines if line and not line.startswith(("#", "%"))), "")
        if not first:
            return self.where
        return str(Message("{cell} (`{code}`)", cell=self.where, code=first[:60].replace("`", "")))

    @property
    def exercise(self) -> str:
        """Return the name of the exercise that the label belongs to: `01-one_hot` and `01-one_hot-check` give `one_hot`."""
        return self.grade_id.partition("-")[2].removesuffix("-check")


def cells_of(notebook: Mapping[str, Any], *, rebuilt: bool = False) -> list[Cell]:
    """Return the cells of a notebook in their order, without entries that are no cells.

    A `rebuilt` notebook notes where a cell stood in the learner's file, and that is its place. In a submission such notes mean
    nothing: it may have been rebuilt once before.
    """
    cells: list[Cell] = []
    heading = ""
    for position, cell_data in enumerate(notebook["cells"], 1):
        if isinstance(cell_data, dict):
            cell = cell_of(cell_data, position)
            headings = _HEADING.findall(_FENCED.sub("", cell.source)) if cell.kind == "markdown" else ()
            heading = _plain(headings[-1]) if headings else heading
            noted = marks_of(cell_data, KEY).get("place") if rebuilt else None
            cells.append(replace(cell, heading=heading, number=noted if isinstance(noted, int) else position))
    return cells


def _plain(heading: str) -> str:
    """Return a heading without marks of Markdown and signs that nobody sees, cut short."""
    plain = "".join(sign for sign in heading if sign.isprintable() and sign not in "`*").strip()
    return plain if len(plain) <= _LONGEST_HEADING else f"{plain[:_LONGEST_HEADING].rstrip()}…"


def cell_of(cell_data: Mapping[str, Any], position: int = 0) -> Cell:
    r"""Return one cell, however odd its metadata. Half of a surrogate pair, which no program can hold, becomes a question mark.

    >>> cell_of({"cell_type": "code", "source": ["x = 1\r\n", "y = 2"], "metadata": {"nbgrader": None}}, 3)
    Cell(number=3, kind='code', source='x = 1\ny = 2', grade_id='', role='own', id='')
    """
    source = text_of(cell_data).encode("utf-8", "replace").decode("utf-8")
    return Cell(
        position,
        str(cell_data.get("cell_type")),
        source,
        label_of(cell_data),
        _role(cell_data, source),
        str(cell_data.get("id") or ""),
    )


def _role(cell_data: Mapping[str, Any], source: str) -> Role:
    if cell_data.get("cell_type") != "code":
        return ""
    marks, ours = marks_of(cell_data), marks_of(cell_data, KEY)
    if ours.get("repeated"):
        return "repeated"
    if marks.get("solution"):
        return "" if marks.get("grade") else "answer"
    if marks.get("grade"):
        return "check"
    if ours.get("given"):
        return "given"
    return "demonstration" if ours.get("demonstration") == digest_of(source) else "own"


def digest_of(source: str) -> str:
    """Return a short digest by which an unedited cell of the lesson is known, however old the lesson."""
    return hashlib.sha256(source.strip().encode("utf-8", "replace")).hexdigest()[:12]


def says_nothing(source: str) -> bool:
    """Return True if a cell is empty but for comments."""
    return all(not line.strip() or line.lstrip().startswith("#") for line in source.split("\n"))


def text_of(cell_data: Mapping[str, Any]) -> str:
    r"""Return a cell's text. Files store it as one string or as a list of lines, of which some tools leave out the ends.

    >>> text_of({"source": ["x = 1", "y = 2"]}) == text_of({"source": ["x = 1\n", "y = 2"]}) == "x = 1\ny = 2"
    True
    """
    source = cell_data.get("source", "")
    if isinstance(source, list):
        source = _joined([str(line) for line in source if line is not None])
    return ("" if source is None else str(source)).replace("\r\n", "\n")


def _joined(lines: list[str]) -> str:
    if not any(line.endswith(("\n", "\r")) for line in lines):
        return "\n".join(lines)
    ended = [f"{line}\n" if line and not line.endswith(("\n", "\r")) else line for line in lines[:-1]]
    return "".join([*ended, lines[-1]])


def label_of(cell_data: Mapping[str, Any]) -> str:
    """Return the name that nbgrader knows a cell by, or an empty string."""
    return str(marks_of(cell_data).get("grade_id", ""))


def marks_of(cell_data: Mapping[str, Any], key: str = "nbgrader") -> Mapping[str, Any]:
    """Return what is noted in a cell's metadata under a key, or an empty mapping."""
    metadata = cell_data.get("metadata")
    marks = metadata.get(key) if isinstance(metadata, dict) else None
    return marks if isinstance(marks, dict) else {}
