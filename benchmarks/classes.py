"""Classes to measure with: ordinary honest submissions, in the layout of our grader and in that of plain nbgrader."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from grader.course_source.notebook import release, source
from grader.course_source.stored import as_bytes
from grader.quality.demo.personas import fill
from grader.quality.demo.run import make_class

__all__ = ["our_class", "stock_class"]

_PERSONAS = ("perfect", "mistaken", "right but unusual", "half done")
_CONFIG = (
    "c = get_config()\nc.CourseDirectory.course_id = 'stock'\n"
    "c.ClearSolutions.code_stub = {'python': '# YOUR CODE HERE\\nraise NotImplementedError()'}\n"
)


def our_class(home: Path, topics: Sequence[str], count: int) -> Path:
    """Make a class of `count` students who hand in every notebook, and return its folder."""
    make_class(
        home, [(f"student-{index:04d}", topic, _PERSONAS[index % len(_PERSONAS)]) for index in range(count) for topic in topics]
    )
    return home


def stock_class(home: Path, topic: str, count: int, *, whole: bool) -> Path:
    """Write a course of plain nbgrader with `count` submissions.

    Unless `whole`, the notebooks hold only those cells that our grader runs.
    """
    (home / "source" / topic).mkdir(parents=True)
    (home / "nbgrader_config.py").write_text(_CONFIG, encoding="utf-8")
    ours = source(topic)
    (home / "source" / topic / f"{topic}.ipynb").write_bytes(as_bytes(ours if whole else _needed(ours)))
    empty = release(ours)
    for index in range(count):
        body = fill(topic, empty, _PERSONAS[index % len(_PERSONAS)], index).content
        notebook = nbformat.reads(body.decode("utf-8"), as_version=4)
        folder = home / "submitted" / f"student-{index}" / topic
        folder.mkdir(parents=True)
        (folder / f"{topic}.ipynb").write_bytes(as_bytes(notebook if whole else _needed(notebook)))
    return home


def _needed(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook with its given cells, answers, checks and manually graded cells only."""
    kept = copy.copy(notebook)
    kept.cells = [
        cell for cell in notebook.cells if "nbgrader" in cell.metadata or cell.metadata.get("embedding_course", {}).get("given")
    ]
    return kept
