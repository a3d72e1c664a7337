"""Put a learner's answers into the instructor's notebook.

Only three things are taken from a submission: the sources of solution cells (by their nbgrader id, else by the name
they define), the written answers, and from every other cell those imports, definitions and constants that the
answers need. Deleted, duplicated, reordered, relabelled, split and merged cells then cost nothing, and nothing else of
the submission is ever run.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.exercise import Exercise
from embedding_course.exercises import exercises_of
from embedding_course.statements import bound_names, definitions, needed, same_code, statements

from .nodes import copied
from .outputs import keep_outputs
from .read import Unreadable

__all__ = ["KEY", "Runnable", "notes_of", "rebuild", "runnable", "written"]

#: The metadata key under which the course keeps its own notes in a notebook.
KEY = "embedding_course"
_UNTOUCHED = "YOUR ANSWER HERE"


@dataclass
class _Answers:
    """What was taken from a submission."""

    solutions: dict[str, str] = field(default_factory=dict)  # grade id -> source
    written: dict[str, str] = field(default_factory=dict)  # grade id -> text
    helpers: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def rebuild(release: NotebookNode, submitted: NotebookNode, topic: str) -> NotebookNode:
    """The instructor's notebook with the learner's answers in it.

    What had to be found by other means than its label is said in the notebook's metadata under `KEY`. Unreadable
    when nothing in the submission belongs to this notebook.
    """
    exercises = {exercise.grade_id: exercise for exercise in exercises_of(topic)}
    answers = _collect(release, submitted, exercises)
    rebuilt = copied(release)
    for cell in rebuilt.cells:
        grade_id = _grade_id(cell)
        if grade_id in answers.solutions:
            cell.source = answers.solutions[grade_id]
        elif grade_id in exercises:
            cell.source = f"# There was no answer to {exercises[grade_id].id} in the submission."
        elif grade_id in answers.written:
            cell.source = answers.written[grade_id]
    if answers.helpers:
        cell = nbformat.v4.new_code_cell("\n\n".join(answers.helpers), metadata={KEY: {"helpers": True}})
        cell.id = "helpers-of-the-submission"
        rebuilt.cells.insert(_first_solution(rebuilt, exercises), cell)
    keep_outputs(rebuilt, submitted)
    rebuilt.metadata[KEY] = {"notes": answers.notes, "topic": topic}
    return rebuilt


@dataclass(frozen=True)
class Runnable:
    """A cell that grading runs; `answers` is the name of the exercise whose answer it holds, if any."""

    source: str
    answers: str = ""


def runnable(rebuilt: NotebookNode) -> list[Runnable]:
    """What of a rebuilt notebook grading runs, in order: given cells, helpers, solutions."""
    cells = []
    for cell in rebuilt.cells:
        marks = cell.metadata.get(KEY, {})
        nbgrader = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code":
            continue
        if marks.get("helpers"):
            cells += [Runnable(ast.unparse(node)) for node in statements(cell.source)]
        elif marks.get("given"):
            cells.append(Runnable(cell.source))
        elif nbgrader.get("solution") and not nbgrader.get("grade"):
            cells.append(Runnable(cell.source, _name_of(str(nbgrader.get("grade_id", "")))))
    return cells


def _name_of(grade_id: str) -> str:
    """The exercise's name in a grade id: `01-one_hot` gives `one_hot`."""
    return grade_id.partition("-")[2]


def _grade_id(cell: NotebookNode) -> str:
    marks = cell.metadata.get("nbgrader")
    return str(marks.get("grade_id", "")) if isinstance(marks, dict) else ""


def _first_solution(notebook: NotebookNode, exercises: dict[str, Exercise]) -> int:
    return next(index for index, cell in enumerate(notebook.cells) if _grade_id(cell) in exercises)


def _collect(release: NotebookNode, submitted: NotebookNode, exercises: dict[str, Exercise]) -> _Answers:
    ours = {cell.source for cell in release.cells if cell.cell_type == "code"}
    stubs = _stubs(release, exercises)
    given = {name for cell in release.cells if cell.metadata.get(KEY, {}).get("given") for name in _bound(cell.source)}
    code = [cell for cell in submitted.cells if cell.cell_type == "code"]
    answers = _Answers()
    labels = {_grade_id(cell) for cell in release.cells} - {""}
    if not any(_grade_id(cell) in labels or set(stubs) & set(definitions(cell.source)) for cell in submitted.cells):
        raise Unreadable("it is another notebook: no cell of it belongs to this one")
    _choose(exercises, stubs, code, answers)
    if not any(_grade_id(cell) in exercises for cell in submitted.cells):
        answers.notes = _all_unlabelled(exercises, answers)
    _written(release, submitted, answers)
    chosen = set(answers.solutions.values())
    others = [cell.source for cell in code if cell.source not in ours and cell.source not in chosen]
    answers.helpers = [ast.unparse(node) for node in needed(others, chosen, given | set(stubs))]
    return answers


def _bound(source: str) -> set[str]:
    return {name for node in statements(source) for name in bound_names(node)}


def _stubs(release: NotebookNode, exercises: dict[str, Exercise]) -> dict[str, ast.stmt]:
    """The untouched definition of each exercise's name."""
    found = {}
    for cell in release.cells:
        exercise = exercises.get(_grade_id(cell))
        if exercise is not None:
            found[exercise.name] = definitions(cell.source)[exercise.name]
    return found


def _choose(exercises: dict[str, Exercise], stubs: dict[str, ast.stmt], code: list[NotebookNode], answers: _Answers) -> None:
    """For each exercise the cell that answers it: the last that defines its name and is no stub, labelled ones
    first; else a labelled one that defines nothing (broken code is the learner's too); else a stub."""
    for grade_id, exercise in exercises.items():
        stub = stubs[exercise.name]
        mine = [cell for cell in code if _grade_id(cell) == grade_id]
        defining = [cell for cell in code if exercise.name in definitions(cell.source)]
        real = [cell for cell in defining if not same_code(definitions(cell.source)[exercise.name], stub)]
        real_mine = [cell for cell in real if _grade_id(cell) == grade_id]
        odd = [cell for cell in mine if cell not in defining and cell.source.strip()]
        picked = (real_mine or real or odd or defining or mine)[-1:]
        if not picked:
            answers.notes.append(f"No cell defines `{exercise.name}`.")
            continue
        answers.solutions[grade_id] = picked[0].source
        if _grade_id(picked[0]) != grade_id:
            answers.notes.append(f"`{exercise.name}` stood in a cell without its label and was found by its name.")
        elif len(mine) > 1:
            answers.notes.append(
                f"The cell of `{exercise.name}` was there {len(mine)} times; the last one that is no stub counts."
            )


def _all_unlabelled(exercises: dict[str, Exercise], answers: _Answers) -> list[str]:
    """One sentence in place of one for each exercise, for a file that went through an editor which drops labels."""
    found = [f"`{exercise.name}`" for grade_id, exercise in exercises.items() if grade_id in answers.solutions]
    lost = [note for note in answers.notes if note.startswith("No cell defines")]
    return [
        "The cells of this file have lost the labels that the course gave them, as happens in some editors. The answers were "
        f"found by their names, and nothing is lost by that: {', '.join(found)}.", *lost,
    ]  # fmt: skip


def _written(release: NotebookNode, submitted: NotebookNode, answers: _Answers) -> None:
    """Take the manually graded answers: by label, by cell id, else what was written below the question, or in its cell."""
    texts = [cell for cell in submitted.cells if cell.cell_type == "markdown"]
    given = {cell.source.strip() for cell in release.cells}
    for index, cell in enumerate(release.cells):
        marks = cell.metadata.get("nbgrader", {})
        if not (marks.get("grade") and marks.get("solution")):
            continue
        grade_id, question = _grade_id(cell), release.cells[index - 1].source.strip()
        picked = [text.source for text in texts if _grade_id(text) == grade_id] or [
            text.source for text in texts if text.get("id") == cell.get("id")
        ]
        real = [text for text in picked if _UNTOUCHED not in text]
        found = real or [text for text in (_below(submitted, question, given), _inside(texts, question)) if text]
        if found and not real:
            answers.notes.append("The written answer stood in a cell without its label and was found by its question.")
        if found or picked:
            answers.written[grade_id] = (found or picked)[0]


def _below(submitted: NotebookNode, question: str, given: set[str]) -> str:
    """The learner's own text between a question and the next cell that the lesson has."""
    places = [at for at, cell in enumerate(submitted.cells) if cell.source.strip() == question]
    own: list[str] = []
    for cell in submitted.cells[places[0] + 1 :] if places else []:
        if _UNTOUCHED in cell.source:
            continue
        if cell.cell_type != "markdown" or cell.source.strip() in given:
            break
        own.append(cell.source)
    return "\n\n".join(own)


def _inside(texts: list[NotebookNode], question: str) -> str:
    """What was written into the question's own cell, or merged with it."""
    longer = [text.source.strip() for text in texts if text.source.strip().startswith(question)]
    return next((text[len(question) :].replace(_UNTOUCHED, "").strip() for text in longer if len(text) > len(question)), "")


def notes_of(rebuilt: NotebookNode) -> list[str]:
    """What had to be said about a rebuilt notebook."""
    marks: Any = rebuilt.metadata.get(KEY, {})
    return list(marks.get("notes", []))


def written(rebuilt: NotebookNode) -> dict[str, bool]:
    """For each manually graded cell: did the learner write something?"""
    found = {}
    for cell in rebuilt.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") and marks.get("solution"):
            found[_grade_id(cell)] = _UNTOUCHED not in cell.source
    return found
