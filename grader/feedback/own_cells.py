"""Read what a learner wrote from an autograded notebook: answers, own cells, written answers, and what was seen below them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from embedding_course.checking.intake.cells import OWN

#: Characters of printed text that a page shows below one cell.
_PRINTED = 2_000
#: Characters of own cells that a page shows.
_SHOWN = 100_000


@dataclass(frozen=True)
class OwnCell:
    """A code cell with what it printed; `figures` counts the pictures that are left out."""

    source: str
    printed: str = ""
    figures: int = 0


@dataclass(frozen=True)
class Written:
    """A written answer below its question."""

    grade_id: str
    question: str
    answer: str


@dataclass(frozen=True)
class OwnCells:
    """`answers` go by the ids of their cells; `others` are the cells that the lesson does not have."""

    answers: dict[str, OwnCell] = field(default_factory=dict)
    others: tuple[OwnCell, ...] = ()
    written: tuple[Written, ...] = ()


def read_own(path: Path, solutions: set[str]) -> OwnCells:
    """Return the learner's own cells of an autograded notebook; nothing if the file is missing or cannot be read.

    `solutions` are the ids of the cells with the answers to exercises.
    """
    try:
        cells = msgspec.json.decode(path.read_bytes())["cells"]
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        return OwnCells()
    answers, others, written = {}, [], []
    left = _SHOWN
    for index, cell in enumerate(cells):
        marks = cell["metadata"].get("nbgrader", {})
        name = marks.get("grade_id", "")
        if name in solutions:
            answers[name] = _code(cell)
        elif str(cell.get("id", "")).startswith(OWN):
            left -= len(_text(cell["source"]))
            others += [_code(cell)] if left >= 0 else []
        elif marks.get("grade") and marks.get("solution"):
            written.append(Written(name, _text(cells[index - 1]["source"]) if index else "", _text(cell["source"])))
    return OwnCells(answers, tuple(others), tuple(written))


def _code(cell: dict[str, Any]) -> OwnCell:
    printed, figures = [], 0
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        picture = any(kind.startswith("image/") for kind in data)
        figures += picture
        if not picture:
            printed.append(_text(output.get("text", data.get("text/plain", ""))))
    printed_text = "".join(text if text.endswith("\n") else f"{text}\n" for text in printed if text).rstrip()
    if len(printed_text) > _PRINTED:
        printed_text = f"{printed_text[:_PRINTED]}\n[…]"
    return OwnCell(_text(cell["source"]).strip("\n"), printed_text, figures)


def _text(source: Any) -> str:
    return "".join(source) if isinstance(source, list) else str(source)
