"""What a class decided, written into notebooks: the prose of those that it hands out, the points of those that it grades."""

from __future__ import annotations

import copy
import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from embedding_course.checking.result import number
from embedding_course.exercises.index import Entry, entries_of
from embedding_course.messages import Message, as_text

from ...course_source.exercise_facts import facts
from .course import Course
from .points import Terms

if TYPE_CHECKING:
    from nbformat.notebooknode import NotebookNode

#: How the heading of a written question says what it is worth, in each language.
_WORTH = re.compile(r"(?P<english>\([\d.]+ points?,)|（[\d.]+ 分，")


def for_class(notebook: NotebookNode, topic: str, course: Course) -> NotebookNode:
    """Return a copy of a released notebook with this class's points and deadline in its prose.

    Only prose is changed: no code, no graded cell, no metadata, so that it is graded as any other. The check in a learner's
    own kernel goes on counting the lesson's points, and a heading that differs says so.

    Parameters
    ----------
    notebook : NotebookNode
        Released notebook, which is not changed.
    topic : str
        Name of the notebook.
    course : Course
    """
    notebook, terms = copy.deepcopy(notebook), course.terms_of(topic)
    for cell in notebook.cells:
        if cell.id == "title":
            cell.source += _due(topic, course) + _written(terms)
    _head_exercises(notebook, topic, terms)
    return notebook


def head_with_points(notebook: NotebookNode, topic: str, terms: Terms) -> None:
    """Write this class's points into the headings of a graded notebook: of its exercises, and of its written question.

    Parameters
    ----------
    notebook : NotebookNode
        Graded notebook, which is changed in place.
    topic : str
        Name of the notebook.
    terms : Terms
        What the class changed in this notebook.
    """
    if terms == Terms():
        return
    _head_exercises(notebook, topic, terms)
    for question, cell in pairwise(notebook.cells):
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") and marks.get("solution") and question.cell_type == "markdown" and terms.written is not None:
            question.source = _WORTH.sub(partial(_worth_in_heading, worth=terms.written), question.source, count=1)


def _worth_in_heading(match: re.Match[str], worth: float) -> str:
    return f"({number(worth)} point{'s' * (worth != 1)}," if match["english"] else f"（{number(worth)} 分，"


def _head_exercises(notebook: NotebookNode, topic: str, terms: Terms) -> None:
    for cell in notebook.cells:
        heading = cell.source.partition("\n")[0]
        named = (exercise for exercise in entries_of(topic) if heading.startswith("### ") and f" {exercise.id} · " in heading)
        exercise = next(named, None) if cell.cell_type == "markdown" else None
        if exercise is not None:
            cell.source = cell.source.replace(facts(exercise), facts(exercise, *_says(exercise, terms)), 1)


def with_points(notebook: NotebookNode, terms: Terms) -> NotebookNode:
    """Return a released notebook whose graded cells carry the points of the class, as gradebook and nbgrader need it.

    nbgrader keeps a checksum of each cell that covers its points, and stops if the two do not agree, so both are set. If the
    class changed nothing, the same notebook is returned.
    """
    changed = {
        cell.id: points
        for cell in notebook.cells
        if (points := terms.worth(cell)) is not None and points != cell.metadata.nbgrader.points
    }
    if not changed:
        return notebook
    from nbgrader.utils import compute_checksum

    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        if cell.id in changed:
            cell.metadata.nbgrader.points = changed[cell.id]
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return notebook


def _says(exercise: Entry, terms: Terms) -> tuple[bool, str]:
    """Return whether the class counts the exercise as core, and how its heading names the points."""
    core = terms.core.get(exercise.id, exercise.core)
    if exercise.id in terms.dropped:
        return core, str(Message("does not count in your class"))
    worth = terms.points.get(exercise.id, exercise.points)
    text = Message("{points} points") if core else Message("{points} points of extra credit")
    text = text.fill(points=number(worth))
    if worth != exercise.points:
        text = Message("{worth} in your class (its check counts {points})", worth=text, points=number(exercise.points))
    return core, str(text)


def _due(topic: str, course: Course) -> str:
    due, late = course.deadlines.get(topic), course.late
    if due is None:
        return ""
    sentences = [
        Message("**Hand in by {time} ({zone}).**", time=f"{due.astimezone(course.zone):%Y-%m-%d %H:%M}", zone=course.zone)
    ]
    if late.per_day:
        taken = Message("Each day begun after that takes {share} % of the points.")
        if late.most < 100:
            taken = Message(
                "Each day begun after that takes {share} % of the points, {most} % at most.", most=number(late.most)
            )
        sentences.append(taken.fill(share=number(late.per_day)))
    if late.closed_after is not None:
        closed = Message("What comes more than {days} days late earns nothing.", days=number(late.closed_after))
        sentences.append(closed)
    return f"\n\n{as_text(sentences)}"


def _written(terms: Terms) -> str:
    """Return the sentence on the worth of the written answer, which goes below the title.

    The question itself must not change, because an answer without labels is found by it.
    """
    if terms.written is None:
        return ""
    worth = Message(
        "The written answer at the end is worth {points} points in your class, in the proportions named there.",
        points=number(terms.written),
    )
    return f"\n\n{worth}"
