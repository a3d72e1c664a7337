"""Put a learner's answers into the instructor's notebook.

Only three things are taken from a submission: the sources of solution cells (by their nbgrader id, else by the name
they define), the written answers, and from every other cell those statements that bind or change a name which the answers
need. Deleted, duplicated, reordered, relabelled, split and merged cells then cost nothing, and nothing else of
the submission is ever run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.grammar import in_a_row
from embedding_course.checking.intake.answers import Choice, choose, helpers
from embedding_course.checking.intake.cells import KEY, cells_of, label_of
from embedding_course.checking.intake.statements import broken_parts, definitions
from embedding_course.checking.intake.steps import Step, steps
from embedding_course.exercises import exercises_of

from .bounds import Unreadable, check_cells, within_time
from .nodes import copied
from .outputs import keep_outputs
from .written_answers import defused

__all__ = ["notes_of", "rebuild", "runnable", "written"]

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
    when nothing in the submission belongs to this notebook, and when it holds more than can be read.
    """
    try:
        with within_time():
            check_cells(submitted)
            return _rebuild(release, submitted, topic)
    except (RecursionError, MemoryError, UnicodeError) as error:
        raise Unreadable(f"its cells cannot be read ({type(error).__name__}): something in them is nested too deeply") from None


def _rebuild(release: NotebookNode, submitted: NotebookNode, topic: str) -> NotebookNode:
    exercises = {exercise.grade_id: exercise for exercise in exercises_of(topic)}
    answers = _collect(release, submitted, exercises)
    rebuilt = copied(release)
    for cell in rebuilt.cells:
        grade_id = label_of(cell)
        if grade_id in answers.solutions:
            cell.source = answers.solutions[grade_id]
        elif grade_id in exercises:
            cell.source = f"# There was no answer to {exercises[grade_id].id} in the submission."
        elif grade_id in answers.written:
            cell.source = defused(answers.written[grade_id])
    if answers.helpers:
        cell = nbformat.v4.new_code_cell("\n\n".join(answers.helpers), metadata={KEY: {"helpers": True}})
        cell.id = "helpers-of-the-submission"
        rebuilt.cells.insert(_first_solution(rebuilt, exercises), cell)
    keep_outputs(rebuilt, submitted)
    rebuilt.metadata[KEY] = {"notes": answers.notes, "topic": topic}
    return rebuilt


def runnable(rebuilt: NotebookNode) -> list[Step]:
    """What of a rebuilt notebook grading runs, in order."""
    return steps(cells_of(rebuilt))


def _first_solution(notebook: NotebookNode, exercises: dict[str, Exercise]) -> int:
    return next(index for index, cell in enumerate(notebook.cells) if label_of(cell) in exercises)


def _collect(release: NotebookNode, submitted: NotebookNode, exercises: dict[str, Exercise]) -> _Answers:
    lesson, cells = cells_of(release), cells_of(submitted)
    names = {exercise.name for exercise in exercises.values()}
    labels = {cell.grade_id for cell in lesson} - {""}
    known = any(cell.grade_id in labels for cell in cells)
    if not known and not any(names & definitions(cell.source).keys() for cell in cells if cell.kind == "code"):
        raise Unreadable("it is another notebook: no cell of it belongs to this one")
    choices = choose(cells, exercises.values())
    found = {choice.exercise.grade_id: choice.cell.source for choice in choices if choice.cell is not None}
    answers = _Answers(found, notes=[note for choice in choices if (note := _note(choice))])
    if not any(cell.grade_id in exercises for cell in cells):
        answers.notes = _all_unlabelled(exercises, answers)
    _written(release, submitted, answers)
    answers.helpers = [one.text for _, one in helpers(cells, choices, lesson)]
    return answers


def _note(choice: Choice) -> str:
    """What is to be said of how an answer was found, if anything."""
    name, times = choice.exercise.name, len(choice.labelled)
    if choice.cell is None:
        return f"No cell defines `{name}`."
    if choice.by_name:
        return f"`{name}` stood in a cell without its label and was found by its name."
    if times > 1:
        return f"The cell of `{name}` was there {times} times; the last one that is no stub counts."
    lines = [str(one.line) for one in broken_parts(choice.cell.source)] if name in definitions(choice.cell.source) else []
    if lines:
        where = f"line{'s' if len(lines) > 1 else ''} {in_a_row(lines)}"
        return f"In the cell of `{name}`, {where} could not be read as Python; the rest of that cell was graded."
    return ""


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
        grade_id, question = label_of(cell), release.cells[index - 1].source.strip()
        picked = [text.source for text in texts if label_of(text) == grade_id] or [
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
            found[label_of(cell)] = _UNTOUCHED not in cell.source
    return found
