"""Write the files beside the notebooks in `work/`: start page, progress page, and the configuration for nbgrader's button."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from ...checking.intake.cells import KEY
from ...checking.result import number
from ...files import atomic_write, kept_for, state_folder
from ...messages import ENGLISH, Message, as_text, edition, translate
from ...subject.course import course
from ..progress.course_map import course_map
from ..progress.page import points_of, write_page
from ..progress.record import load
from ..progress.show_progress import PAGE
from ..progress.summary import Standing, standing

START, MAP, CONFIG = "start.ipynb", "course_map.svg", "nbgrader_config.py"

_HELP = Message("""\
## How it works

* Write where it says `YOUR CODE HERE`, then run the check below it (Shift+Enter). `hint("03.renorm_rows")` helps by degrees.
* `doctor()` at the end of a notebook runs it from nothing and says what would cost points; `submit()` writes the file to
  hand in, below `submissions/`. nbgrader's *Validate* button above a notebook runs the whole of it.
* The cell below shows the exercises of the notebooks that you began. The same as a page: [{page}]({page}).""")

_CONFIG = """\
# For nbgrader's Validate button: lessons train small models, for which its usual half minute is too short.
c = get_config()
c.Execute.timeout = 600
"""


def write_start(work: Path) -> str:
    """Write or update the pages in `work`, and return the name of the start page. Raise OSError if the disk refuses.

    A start page in which the learner changed a cell is left as it is.
    """
    memory = load(kept_for(state_folder(work)) / "progress.json")
    state = standing(memory)
    page = state_folder(work).parent / PAGE  # the one that `progress` renews, whichever edition is open
    write_page(page, state, memory)
    _write(work / MAP, course_map(state.scores))
    if not (work / CONFIG).exists():
        _write(work / CONFIG, _CONFIG)
    if _is_unchanged(work / START):
        _write(work / START, json.dumps(_notebook(state, _link(page, work)), ensure_ascii=False, indent=1) + "\n")
    return START


def _link(page: Path, work: Path) -> str:
    return os.path.relpath(page, work).replace(os.sep, "/")


def _notebook(state: Standing, page: str) -> dict[str, Any]:
    texts = [_welcome(state), str(_HELP.fill(page=page))]
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": f"start-{index}", "metadata": {}, "source": text} for index, text in enumerate(texts)
    ]
    line = "" if edition() == ENGLISH else f'set_language("{edition()}")\n'
    code = f"from {course().package} import progress{', set_language' if line else ''}\n\n{line}progress(page=True)"
    cells.append(
        {"cell_type": "code", "id": "progress", "metadata": {}, "source": code, "outputs": [], "execution_count": None}
    )
    metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        KEY: {"start": _digest(cells)},
    }
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _welcome(state: Standing) -> str:
    rows = []
    for topic in state.topics:
        lesson, score, extra = topic.lesson, topic.score, topic.extra
        link = f"[{translate(lesson.title)}]({lesson.topic}/{lesson.topic}.ipynb)"
        points = points_of(score, extra)
        rows.append(f"| {lesson.number} | {link} | {translate(lesson.question)} | {lesson.minutes} | {score.mark} {points} |")
    total = Message("**{score} of {maximum} points**, {extra} extra.", score=number(state.earned), maximum=number(state.points))
    step = Message("**Next:** {reason}.", reason=state.why)
    if state.following is not None:
        step = Message("**Next:** `{exercise}`, {title}: {reason}.", **step.slots, exercise=state.following.id)
        step = step.fill(title=Message(state.following.title))
    titles = [Message("notebook"), Message("question"), Message("minutes"), Message("points")]
    return "\n".join(
        [
            str(Message("# Embeddings, from lookup table to sentence search")),
            "",
            as_text([total.fill(extra=number(state.extra)), step]),
            "",
            str(Message("![The notebooks, and what each builds on]({file})", file=MAP)),
            "",
            f"| | {' | '.join(map(str, titles))} |",
            "|---|---|---|---|---|",
            *rows,
        ]
    )


def _is_unchanged(path: Path) -> bool:
    """Return whether there is no start page, or one that the learner did not change."""
    if not path.exists():
        return True
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return notebook["metadata"][KEY]["start"] == _digest(notebook["cells"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _digest(cells: list[dict[str, Any]]) -> str:
    text = "\0".join("".join(cell["source"]) for cell in cells)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, text.encode("utf-8"))
