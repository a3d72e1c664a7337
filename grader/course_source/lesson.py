"""Read a lesson: a jupytext py:percent file whose every cell carries a key.

LessonCell metadata that means something here:

* ``key="why-one-hot"``      the cell's name; its id in every notebook. Unique, letters, digits and hyphens.
* ``key="setup"``             the setup cell: its text is replaced by the one that all notebooks share.
* ``given=true``             the cell also runs when a submission is graded (imports, constants).
* ``exercise="01.one_hot"``  an empty cell that becomes the exercise's header, stub and check.
* ``reflection=3``           a markdown cell: a manually graded question with its rubric, worth that many points.
* ``further=true``           the core does not need it: it is shown at the end of its sitting, folded (`sittings.py`).
* ``stop=true``              a markdown cell that ends the first sitting: what the learner has by then.
* ``seconds=40``             how long the cell runs on one core, where that is felt (`minutes.py`).
* ``model_answer=true``      the markdown cell after it: what the instructor's notebook shows as an answer.

Code cells are the same in every language. What they print in words goes through `say`, and labels go through the figures, which
look them up; `lesson_messages.py` extracts both.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from embedding_course.messages import translatable
from embedding_course.subject.course import course

from ..paths import SOLUTIONS
from .setting import Setting, read_setting
from .setup_cell import setup_cell

HAND_IN = translatable("""\
## Before you hand in

Save first (Ctrl+S): the file is what counts. `doctor()` then runs it from nothing, as the grader does, and says what would
cost points: stubs left, cells that fail, names that live only in this kernel, files that the grader does not have.

`submit()` writes the file to hand in, with a receipt, into `submissions/`. It sends nothing, and what you wrote there
earlier stays. You may hand in with stubs left, and as often as you like.""")

DOCTOR = f"from {course().package} import doctor, submit\n\ndoctor()"

#: Commented out, so that running all cells hands nothing in.
SUBMIT = "# submit()  # take the first # away when you want to hand in"


_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,47}")


@dataclass(frozen=True)
class LessonCell:
    """One cell of a lesson."""

    key: str
    kind: str
    source: str
    meta: dict[str, Any]


def read_lesson(topic: str, setting: Setting | None = None) -> list[LessonCell]:
    """Return the cells of a lesson in order, with the closing cells that every notebook has.

    Raises
    ------
    ValueError
        If a cell's key is missing, malformed or used twice. The message names the cell.
    """
    path = SOLUTIONS / topic / "lesson.py"
    cells = read_cells(path, setting)
    closing = [
        LessonCell("hand-in", "markdown", HAND_IN, {}),
        LessonCell("doctor", "code", DOCTOR, {}),
        LessonCell("submit", "code", SUBMIT, {}),
    ]
    taken = {cell.key for cell in cells} & {cell.key for cell in closing}
    if taken:
        raise ValueError(f"{path.name} of {topic}: the key {min(taken)!r} is that of a cell which every notebook ends with")
    return cells + closing


def read_cells(path: Path, setting: Setting | None = None) -> list[LessonCell]:
    """Return the cells of such a file, in order. ValueError as for `read_lesson`."""
    topic, setup = path.parent.name, setup_cell((setting or read_setting()).package)
    import jupytext  # slow to import, and needed only where a notebook is made

    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent")
    cells: list[LessonCell] = []
    seen: set[str] = set()
    for index, node in enumerate(notebook.cells):
        meta = dict(node.metadata)
        if "exercise" in meta:
            meta.setdefault("key", meta["exercise"].replace(".", "-").replace("_", "-").lower())
        key = str(meta.pop("key", ""))
        if not _KEY.fullmatch(key):
            start = node.source.strip().splitlines()[:1]
            raise ValueError(f"{path.name} of {topic}: cell {index} ({start}) has no usable key (found {key!r})")
        if key in seen:
            raise ValueError(f"{path.name} of {topic}: two cells have the key {key!r}")
        seen.add(key)
        cells.append(LessonCell(key, node.cell_type, setup if key == "setup" else node.source, meta))
    return cells


def given_cells(topic: str) -> list[str]:
    """Return the sources that run before a submission's own cells: imports and constants."""
    return [cell.source for cell in read_lesson(topic) if cell.meta.get("given")]
