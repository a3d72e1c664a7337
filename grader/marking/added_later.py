"""Exercises that were added to a notebook after a student got it: nothing of them is in the file, and nothing is missing."""

import re
from collections.abc import Iterator

import msgspec
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises.index import Entry, entries_of
from embedding_course.messages import Message

from ..classroom.grade_record import GradeRecord
from ..submission.rebuild import NO_CELL

_HEADING = re.compile(r"^###\s+Exercise\s+(\d\d\.\w+)", re.MULTILINE)


def without_added_later(record: GradeRecord, submitted: NotebookNode) -> GradeRecord:
    """Return the record without exercises of which the submitted file has no cell: no heading, no answer, no check.

    They count neither for nor against the student, and a note says so. A file that lost the labels or the headings of most
    of its cells says nothing of what was handed out; then the record stays as it is.
    """
    open_ones = {
        result.exercise for result in record.results if result.status == "not attempted" and result.stage == "name missing"
    }
    entries = {exercise.id: exercise for exercise in entries_of(record.topic)}
    if not open_ones:
        return record
    labels, headings = _what_is_there(submitted)
    complete = [exercise for exercise in entries.values() if _labels(exercise) <= labels and exercise.id in headings]
    added = [name for name in open_ones if not _labels(entries[name]) & labels and name not in headings]
    if not added or 2 * len(complete) < len(entries):
        return record
    missing = {str(NO_CELL.fill(name=entries[name].name)) for name in added}
    later = Message(
        "{exercise} is not in this notebook: it was added after the notebook was handed out. It is not counted here."
    )
    notes = [note for note in record.notes if note not in missing]
    notes += [str(later.fill(exercise=name)) for name in sorted(added)]
    return msgspec.structs.replace(
        record,
        notes=notes,
        added_later=sorted(added),
        results=[verdict for verdict in record.results if verdict.exercise not in added],
        unweighted=[verdict for verdict in record.unweighted if verdict.exercise not in added],
    )


def _labels(exercise: Entry) -> set[str]:
    return {exercise.grade_id, f"{exercise.grade_id}-check"}


def _what_is_there(notebook: NotebookNode) -> tuple[set[str], set[str]]:
    """Return the labels of a notebook's cells, and the exercises that its headings name."""
    cells = list(_cells(notebook))
    headings = {name for _, text in cells for name in _HEADING.findall(text)}
    return {label for label, _ in cells if label}, headings


def _cells(notebook: NotebookNode) -> Iterator[tuple[str, str]]:
    for cell in notebook.cells:
        marks = cell.get("metadata", {}).get("nbgrader", {})
        label = marks.get("grade_id", "") if isinstance(marks, dict) else ""
        text = cell.get("source", "")
        yield str(label), text if isinstance(text, str) and cell.get("cell_type") == "markdown" else ""
