"""Put a learner's cells into the instructor's notebook, in the order in which they stand in the submission.

The rebuilt notebook holds every cell of the lesson, with the learner's answers in the places of the stubs, and every code cell
of the learner's own. Deleted, duplicated, relabelled, retyped, split and merged cells cost nothing: a cell of the lesson that
is missing is put back, and an answer is known by its name where its label is gone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.intake.answers import Choice, choose
from embedding_course.checking.intake.cells import KEY, OWN, Cell, cells_of, digest_of, label_of
from embedding_course.checking.intake.graded_order import Placed, graded_order
from embedding_course.checking.intake.newer_syntax import python_of
from embedding_course.checking.intake.statements import broken_parts, definitions
from embedding_course.checking.intake.steps import Step, steps
from embedding_course.checking.intake.stubs import own_text
from embedding_course.exercises import exercises_of
from embedding_course.messages import Listing, Message
from embedding_course.subject.lessons import LESSONS

from .bounds import Unreadable, check_cells, within_time
from .notebook_copies import copied
from .outputs import keep_outputs
from .written_answers import defused


@dataclass
class _Answers:
    """What was taken from a submission.

    Attributes
    ----------
    placed
        The cells in the order of grading.
    written
        The written answers, by the labels of their cells.
    notes
        Sentences about answers that had to be found by other means than their label.
    """

    placed: Sequence[Placed]
    written: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def rebuild(release: NotebookNode, submitted: NotebookNode, topic: str) -> NotebookNode:
    """Return the instructor's notebook with the learner's cells in it.

    Notes in the notebook's metadata under `KEY` say which cells were found by other means than their label.

    Parameters
    ----------
    release : NotebookNode
        Released notebook of the instructor.
    submitted : NotebookNode
        Notebook that the learner handed in.
    topic : str
        Name of the notebook.

    Raises
    ------
    Unreadable
        If nothing in the submission belongs to this notebook, or it holds more than can be read.
    """
    try:
        with within_time():
            check_cells(submitted)
            return _rebuild(release, submitted, topic)
    except (RecursionError, MemoryError, UnicodeError) as error:
        message = Message("its cells cannot be read ({error}): something in them is nested too deeply")
        raise Unreadable(message.fill(error=type(error).__name__)) from None


def _rebuild(release: NotebookNode, submitted: NotebookNode, topic: str) -> NotebookNode:
    exercises = {exercise.grade_id: exercise for exercise in exercises_of(topic)}
    answers = _collect(release, submitted, exercises)
    rebuilt = copied(NotebookNode({**release, "cells": []}))
    for number, placed in enumerate(answers.placed):
        rebuilt.cells.append(
            _own_cell(placed.cell, number) if placed.lesson is None else _lesson_cell(placed, release, exercises)
        )
    for cell in rebuilt.cells:
        if label_of(cell) in answers.written:
            cell.source = defused(answers.written[label_of(cell)])
    keep_outputs(rebuilt, submitted)
    rebuilt.metadata[KEY] = {"notes": answers.notes, "topic": topic, "written_with": python_of(submitted.metadata)}
    return rebuilt


def _lesson_cell(placed: Placed, release: NotebookNode, exercises: dict[str, Exercise]) -> NotebookNode:
    """Return a cell of the lesson; an exercise's holds the learner's answer."""
    assert placed.lesson is not None
    lesson_cell, cell = copied(release.cells[placed.lesson]), placed.cell
    exercise = exercises.get(label_of(lesson_cell))
    if exercise is not None:
        lesson_cell.source = cell.source or f"# There was no answer to {exercise.id} in the submission."
        lesson_cell.metadata[KEY] = {"place": cell.number, **({"repeated": True} if cell.role == "repeated" else {})}
    elif cell.number and lesson_cell.cell_type == "code":
        lesson_cell.metadata[KEY] = {**lesson_cell.metadata.get(KEY, {}), "place": cell.number}
    return lesson_cell


def _own_cell(cell: Cell, number: int) -> NotebookNode:
    """Return a cell of the learner's own, or a second copy of one of the lesson's."""
    marks: dict[str, Any] = {"place": cell.number}
    if cell.role in ("given", "demonstration"):
        marks["given" if cell.role == "given" else "demonstration"] = True if cell.role == "given" else digest_of(cell.source)
    return nbformat.v4.new_code_cell(cell.source, metadata={KEY: marks}, id=f"{OWN}{number}")


def runnable(rebuilt: NotebookNode) -> list[Step]:
    """Return what of a rebuilt notebook is run and checked in grading, in order."""
    return steps(cells_of(rebuilt, rebuilt=True))


def _collect(release: NotebookNode, submitted: NotebookNode, exercises: dict[str, Exercise]) -> _Answers:
    lesson, cells = cells_of(release), cells_of(submitted)
    _check_topic(lesson, cells, exercises)
    choices = choose(cells, exercises.values())
    answers = _Answers(graded_order(lesson, cells, choices), notes=_notes(choices))
    if not any(cell.grade_id in exercises for cell in cells):
        answers.notes = _all_unlabelled(choices)
    _written(release, submitted, answers)
    return answers


def _check_topic(lesson: Sequence[Cell], cells: Sequence[Cell], exercises: dict[str, Exercise]) -> None:
    """Raise Unreadable unless at least one cell belongs to this notebook.

    A cell belongs to it by the label of an exercise or its check, or by an exercise's name. Labels that other notebooks have
    too do not count.
    """
    labels = {cell.grade_id for cell in lesson if cell.grade_id.removesuffix("-check") in exercises}
    names = {exercise.name for exercise in exercises.values()}
    code = [cell for cell in cells if cell.kind == "code"]
    if any(cell.grade_id in labels for cell in cells) or any(names & definitions(cell.source).keys() for cell in code):
        return
    if any(choice.cell is not None for choice in choose(cells, exercises.values())):
        return
    other = _topic_of(cells)
    if other:
        message = Message("it is notebook {number}, handed in under the name of this one; hand it in under its own name")
        raise Unreadable(message.fill(number=other))
    raise Unreadable(Message("it is another notebook: no cell of it belongs to this one"))


def _topic_of(cells: Sequence[Cell]) -> str:
    """Return the notebook to which most labels belong, or an empty string."""
    labels = [cell.grade_id.removesuffix("-check") for cell in cells]
    counts = {
        lesson.topic: sum(label in {exercise.grade_id for exercise in exercises_of(lesson.topic)} for label in labels)
        for lesson in LESSONS
        if lesson.written
    }
    best = max(counts, key=lambda topic: counts[topic], default="")
    return best if best and counts[best] else ""


NO_CELL = Message("No cell defines `{name}`.")


def _note(choice: Choice) -> Message | None:
    """Return a note on how an answer was found, or None if it was found by its label."""
    name, times = choice.exercise.name, len(choice.labelled)
    if choice.cell is None:
        return NO_CELL.fill(name=name)
    if choice.retyped:
        kind = "Markdown" if choice.retyped == "markdown" else "raw"
        message = Message(
            "The answer to `{name}` stood in a {kind} cell, into which a key turns a code cell; it was graded as code."
        )
        return message.fill(name=name, kind=kind)
    if choice.by_name:
        return Message("`{name}` stood in a cell without its label and was found by its name.", name=name)
    if times > 1:
        message = Message("The cell of `{name}` was there {times} times; the last one that is no stub counts.", name=name)
        return message.fill(times=times)
    lines = [str(part.line) for part in broken_parts(choice.cell.source)] if name in definitions(choice.cell.source) else []
    if lines:
        return Message.plural(
            "In the cell of `{name}`, line {lines} could not be read as Python; the rest of that cell was graded.",
            "In the cell of `{name}`, lines {lines} could not be read as Python; the rest of that cell was graded.",
            len(lines),
            name=name,
            lines=Listing(lines),
        )
    return None


def _all_unlabelled(choices: Sequence[Choice]) -> list[str]:
    """Return one sentence in place of one for each exercise, for a file that went through an editor which drops labels."""
    names = [f"`{choice.exercise.name}`" for choice in choices if choice.cell is not None]
    by_name_alone = {choice.exercise.name for choice in choices if choice.cell and choice.by_name and not choice.retyped}
    message = Message(
        "The cells of this file have lost the labels that the course gave them, as happens in some editors. The answers were "
        "found by their names, and nothing is lost by that: {names}.",
        names=", ".join(names),
    )
    return [str(message), *_notes([choice for choice in choices if choice.exercise.name not in by_name_alone])]


def _notes(choices: Sequence[Choice]) -> list[str]:
    return [str(note) for choice in choices if (note := _note(choice))]


def _written(release: NotebookNode, submitted: NotebookNode, answers: _Answers) -> None:
    """Take the manually graded answers by label, by cell id, or else from below the question or inside its cell.

    A cell whose type was changed to code or raw is read as the text that it holds.
    """
    texts = [cell for cell in submitted.cells if cell.cell_type == "markdown"]
    given = {cell.source.strip() for cell in release.cells}
    for index, cell in enumerate(release.cells):
        marks = cell.metadata.get("nbgrader", {})
        if not (marks.get("grade") and marks.get("solution")):
            continue
        grade_id, question = label_of(cell), release.cells[index - 1].source.strip()
        picked = [candidate for candidate in submitted.cells if label_of(candidate) == grade_id] or [
            candidate for candidate in submitted.cells if candidate.get("id") == cell.get("id")
        ]
        real = [candidate for candidate in picked if own_text(candidate.source)]
        if real:
            answers.written[grade_id] = own_text(real[0].source)
            if real[0].cell_type != "markdown":
                message = Message("The written answer stood in a {kind} cell; it was read as text.", kind=real[0].cell_type)
                answers.notes.append(str(message))
            continue
        answer_text = next((text for text in (_below(submitted, question, given), _inside(texts, question)) if text), "")
        if answer_text:
            message = Message("The written answer stood in a cell without its label and was found by its question.")
            answers.notes.append(str(message))
        if answer_text or picked:
            answers.written[grade_id] = answer_text or picked[0].source


def _below(submitted: NotebookNode, question: str, given: set[str]) -> str:
    """Return the learner's own text between a question and the next cell that the lesson has."""
    positions = [at for at, cell in enumerate(submitted.cells) if cell.source.strip() == question]
    own: list[str] = []
    for cell in submitted.cells[positions[0] + 1 :] if positions else []:
        if not own_text(cell.source):
            continue
        if cell.cell_type != "markdown" or cell.source.strip() in given:
            break
        own.append(own_text(cell.source))
    return "\n\n".join(own)


def _inside(texts: list[NotebookNode], question: str) -> str:
    """Return what was written into the question's own cell, or merged with it."""
    longer = [text.source.strip() for text in texts if text.source.strip().startswith(question)]
    return next((own_text(text[len(question) :]) for text in longer if len(text) > len(question)), "")


def notes_of(rebuilt: NotebookNode) -> list[str]:
    """Return the notes on a rebuilt notebook."""
    marks: Any = rebuilt.metadata.get(KEY, {})
    return list(marks.get("notes", []))


def written_with(rebuilt: NotebookNode) -> str:
    """Return the version of Python that the submission says it was written with, or an empty string."""
    return str(rebuilt.metadata.get(KEY, {}).get("written_with", ""))


def written(rebuilt: NotebookNode) -> dict[str, bool]:
    """Return for each manually graded cell whether the learner wrote something."""
    answered_by_label = {}
    for cell in rebuilt.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") and marks.get("solution"):
            answered_by_label[label_of(cell)] = bool(own_text(cell.source))
    return answered_by_label
