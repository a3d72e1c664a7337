"""What formgrader shows of a submission, its boxes and headings, carries the class's points."""

from pathlib import Path
from typing import Any

import nbformat
from nbgrader.utils import compute_checksum, determine_grade

from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Submission
from grader.classroom.policy.notebook_points import with_points
from grader.classroom.policy.points import Terms
from grader.engine.fork_server import Learners
from grader.marking.submission_task import Task, mark_submission
from tests.support.classes import TOPIC, blank, hand_in, perfect

FIRST, SECOND, THIRD = [exercise for exercise in exercises_of(TOPIC) if exercise.core][:3]
TERMS = Terms(points={FIRST.id: 9.0}, core={SECOND.id: False}, dropped=frozenset({THIRD.id}), written=4.0)


def _written(cells: list[Any]) -> int:
    """Where the written answer stands."""
    return next(at for at, cell in enumerate(cells) if cell.cell_type == "markdown" and "nbgrader" in cell.metadata)


def test_metadata_and_headings_of_the_autograded_file(tmp_path: Path, learners: Learners) -> None:
    path = hand_in(tmp_path, "ada", blank())
    graded = mark_submission(learners, Task(Submission("ada", TOPIC, path.parent), 1, terms=TERMS))
    cells: list[Any] = nbformat.reads(graded.notebook.decode("utf-8"), as_version=4).cells
    marks = {cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader for cell in cells if "nbgrader" in cell.metadata}
    assert [marks[f"{exercise.grade_id}-check"].points for exercise in (FIRST, SECOND, THIRD)] == [9, 0, 0]
    answer = cells[index := _written(cells)]
    assert answer.metadata.nbgrader.points == 4
    assert "(4 points, graded by a person)" in cells[index - 1].source and "(3 points" not in cells[index - 1].source
    text = "\n".join(cell.source for cell in cells)
    assert "9 points in your class" in text and "does not count in your class" in text and "of extra credit" in text
    assert all(cell.metadata.nbgrader.checksum == compute_checksum(cell) for cell in cells if cell.id.endswith("-check"))
    assert determine_grade(answer) == (0, 4), "nbgrader knows an untouched answer by its checksum"


def test_a_written_answer_waits_for_a_person(tmp_path: Path, learners: Learners) -> None:
    path = hand_in(tmp_path, "ada", perfect())
    graded = mark_submission(learners, Task(Submission("ada", TOPIC, path.parent), 1, terms=TERMS))
    cells: list[Any] = nbformat.reads(graded.notebook.decode("utf-8"), as_version=4).cells
    assert determine_grade(cells[_written(cells)]) == (None, 4)


def test_without_terms_nothing_changes() -> None:
    ours = blank()
    assert with_points(ours, Terms()) is ours
