"""Say what the course knows of a notebook's cells: which section makes a missing name, and how long a cell will run."""

from __future__ import annotations

import time
import traceback
from functools import cache
from typing import Any

import msgspec

from ..exercises.index import entries
from ..messages import Listing, Message
from ..subject.course import course
from .recorded_figures import cell_code
from .this_notebook import this_notebook

#: Notebook to the facts of its cells, written by `grader build`.
CELLS = course().home / "cells.json"
#: Sections that a sentence names at most: a name such as `x` is made in many.
_MAX_SECTIONS = 3
#: A shorter wait needs no word.
_SHORT = 8.0
#: What `_probe` takes on the machine on which the seconds of the cells were measured.
_PROBE_SECONDS = 0.02


@cache
def _notebooks() -> dict[str, dict[str, Any]]:
    return msgspec.json.decode(CELLS.read_bytes()) if CELLS.exists() else {}


def sections_that_make(name: str) -> list[str] | None:
    """Return the headings of the sections of this notebook that make `name`; None if no cell of it does.

    A heading is empty for a cell above the first section.
    """
    topic = this_notebook()
    notebooks = _notebooks()
    chosen = notebooks.values() if topic is None else [notebooks[topic]] if topic in notebooks else []
    return next((facts["names"][name] for facts in chosen if name in facts["names"]), None)


def where_made(name: str) -> Message | None:
    """Return a sentence on where this notebook makes `name`, and what to run; None if it does not make it."""
    sections = sections_that_make(name)
    if sections is None:
        return None
    headings = [f"“{heading}”" for heading in sections if heading]
    if not headings:
        return Message("`{name}` is made by the first cells of this notebook: run them, then this one.", name=name)
    message = Message("`{name}` is made in {sections}. Run the cells there first; they may wait for an exercise of yours.")
    return message.fill(name=name, sections=Listing(headings[:_MAX_SECTIONS], Message("{names} or {last}")))


def raised_by_the_lesson(error: BaseException) -> bool:
    """Return True if an error comes from a cell of the lesson, and not from the learner's answer or from a library.

    A name that is missing within an answer is that answer's fault, even if the lesson makes such a name.
    """
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    function = frames[-1].f_code.co_qualname.partition(".")[0] if frames else ""
    answers = {exercise.name for exercise in entries().values()}
    return bool(frames) and frames[-1].f_globals.get("__name__") == "__main__" and function not in answers


def how_long(source: str) -> Message | None:
    """Return how long a cell of a lesson will run on this machine; None for a short one and for other cells."""
    key = cell_code(source)
    seconds = next((facts["seconds"][key] for facts in _notebooks().values() if key in facts["seconds"]), 0)
    if seconds < _SHORT:
        return None
    here = seconds * _probe() / _PROBE_SECONDS
    return Message("This takes up to {seconds} seconds on this machine.", seconds=max(5 * round(here / 5), 5))


@cache
def _probe() -> float:
    """Return the seconds of a little work, the best of three: Python's loop and products of small matrices."""
    import numpy as np

    matrix = np.full((96, 96), 0.5)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(60):
            np.matmul(matrix, matrix)
            sum(index * index for index in range(4_000))
        times.append(time.perf_counter() - start)
    return min(times)
