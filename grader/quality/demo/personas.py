"""The kinds of student in the demo class: each turns the learner's notebook into a submission.

A persona returns the submission (a notebook, or bytes that are none) and what it must get, by exercise: a score, or
whatever the known mistake earns that stands there (`foretell`).
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4.rwbase import split_lines

from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import exercises_of

from ...course_source.catalogue import mistakes_of, reference_source, right_forms_of
from ...course_source.stub import definition
from ...submission.notebook_copies import as_json, copied

__all__ = ["PERSONAS", "Sheet", "fill"]


@dataclass
class Sheet:
    """One submission of the demo class and the scores that it must get.

    `foretold` holds scores by exercise. `mistaken` names, by exercise, the known mistake whose score it must get. Both are
    empty for an unreadable file.
    """

    persona: str
    content: bytes
    foretold: dict[str, float] = field(default_factory=dict)
    mistaken: dict[str, str] = field(default_factory=dict)
    unreadable: bool = False


@dataclass
class _Desk:
    """A learner at work: the notebook, the random choices, and the foretold scores and the mistakes so far."""

    topic: str
    notebook: NotebookNode
    dice: random.Random
    foretold: dict[str, float] = field(default_factory=dict)
    mistaken: dict[str, str] = field(default_factory=dict)

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        return exercises_of(self.topic)

    def position(self, exercise: Exercise) -> int:
        return next(
            index
            for index, cell in enumerate(self.notebook.cells)
            if cell.metadata.get("nbgrader", {}).get("grade_id") == exercise.grade_id
        )

    def answer(self, exercise: Exercise, source: str, score: float) -> None:
        self.notebook.cells[self.position(exercise)].source = source
        self.foretold[exercise.id] = score

    def right(self, exercise: Exercise) -> None:
        self.answer(exercise, definition(reference_source(exercise), exercise.name).rstrip(), exercise.points)

    def write_reflection(self, text: str) -> None:
        for cell in self.notebook.cells:
            marks = cell.metadata.get("nbgrader", {})
            if marks.get("grade") and marks.get("solution"):
                cell.source = text


def _perfect(desk: _Desk) -> None:
    for exercise in desk.exercises:
        desk.right(exercise)
    desk.write_reflection("A table is a linear layer read by row number, so only the rows that were read learn.")


def _mistaken(desk: _Desk) -> None:
    _perfect(desk)
    for exercise in desk.dice.sample(desk.exercises, k=min(3, len(desk.exercises))):
        mistake = desk.dice.choice(mistakes_of(exercise))
        desk.answer(exercise, mistake.source.rstrip(), 0.0)
        del desk.foretold[exercise.id]
        desk.mistaken[exercise.id] = mistake.slug


def _half_done(desk: _Desk) -> None:
    done = desk.exercises[: len(desk.exercises) // 2]
    for exercise in desk.exercises:
        if exercise in done:
            desk.right(exercise)
        else:
            desk.foretold[exercise.id] = 0.0


def _untouched(desk: _Desk) -> None:
    desk.foretold.update({exercise.id: 0.0 for exercise in desk.exercises})


def _unusual(desk: _Desk) -> None:
    for exercise in desk.exercises:
        form = desk.dice.choice(right_forms_of(exercise))
        desk.answer(exercise, form.source.rstrip(), exercise.points)


def _noisy(desk: _Desk) -> None:
    """Answer everything right, with prints, warnings and text on stderr in every function."""
    _perfect(desk)
    noise = 'import sys\nimport warnings\nprint("here")\nwarnings.warn("old style")\nprint("oops", file=sys.stderr)'
    for exercise in desk.exercises:
        cell = desk.notebook.cells[desk.position(exercise)]
        head, _, body = cell.source.partition('"""')
        doc, _, rest = body.partition('"""')
        if head.startswith("def ") and rest:
            cell.source = f'{head}"""{doc}"""\n{textwrap.indent(noise, "    ")}{rest}'


def _cell_deleted(desk: _Desk) -> None:
    _perfect(desk)
    gone = desk.dice.choice([exercise for exercise in desk.exercises if not _needed_by_others(exercise, desk.exercises)])
    del desk.notebook.cells[desk.position(gone)]
    desk.foretold[gone.id] = 0.0


def _needed_by_others(exercise: Exercise, others: tuple[Exercise, ...]) -> bool:
    return any(exercise.name in other.uses for other in others)


def _cell_duplicated(desk: _Desk) -> None:
    _perfect(desk)
    position = desk.position(desk.dice.choice(desk.exercises))
    duplicate = copied(desk.notebook.cells[position])
    duplicate.id += "-again"  # as Jupyter, which gives it an id of its own
    desk.notebook.cells.insert(position + 1, duplicate)


def _labels_lost(desk: _Desk) -> None:
    """Answer everything right in a notebook without cell ids and nbgrader metadata, for another kernel.

    The first answer has another name, and a helper cell at the end gives it the right one.
    """
    _perfect(desk)
    for cell in desk.notebook.cells:
        cell.metadata.pop("nbgrader", None)
        cell.pop("id", None)
    desk.notebook.metadata["kernelspec"] = {"name": "conda-env-mine", "display_name": "mine", "language": "python"}
    desk.notebook.nbformat_minor = 4
    first = desk.exercises[0]
    for cell in desk.notebook.cells:
        if cell.source.startswith(f"def {first.name}("):
            cell.source = cell.source.replace(f"def {first.name}(", "def _mine(", 1)
    helper = nbformat.v4.new_code_cell(f"{first.name} = _mine")
    helper.pop("id", None)
    desk.notebook.cells.append(helper)


PERSONAS: dict[str, Callable[[_Desk], None]] = {
    "perfect": _perfect,
    "mistaken": _mistaken,
    "half done": _half_done,
    "untouched": _untouched,
    "right but unusual": _unusual,
    "with warnings": _noisy,
    "cell deleted": _cell_deleted,
    "cell duplicated": _cell_duplicated,
    "labels lost": _labels_lost,
}


def fill(topic: str, release: NotebookNode, persona: str, position: int) -> Sheet:
    """Return one submission of a student, and what it must get.

    Parameters
    ----------
    topic : str
        Name of the notebook.
    release : NotebookNode
        Released notebook, which is not changed.
    persona : str
        A key of `PERSONAS`, or "corrupt" for a notebook cut off in the middle, as by a full disk.
    position : int
        Position of the student in the class; random choices depend on it.
    """
    desk = _Desk(topic, copied(release), random.Random(f"{topic} {persona} {position}"))
    if persona == "corrupt":
        whole = _as_jupyter_writes(desk.notebook)
        return Sheet(persona, whole[: len(whole) // 2], unreadable=True)
    PERSONAS[persona](desk)
    return Sheet(persona, _as_jupyter_writes(desk.notebook), desk.foretold, desk.mistaken)


def _as_jupyter_writes(notebook: NotebookNode) -> bytes:
    """Return the file of a notebook, with texts as lists of lines."""
    return as_json(split_lines(notebook))
