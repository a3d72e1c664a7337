"""What honest people do to notebooks must not cost a mark."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import nbformat
import pytest
from classes import blank, perfect
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from grader.attack.honest import TOPIC, VARIANTS, ids_lost, solution
from grader.engine.learners import Learners
from grader.marking import mark
from grader.submission.rebuild import notes_of, rebuild

EXERCISES = exercises_of(TOPIC)
FIRST = EXERCISES[0]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.__name__)
def test_no_mark_is_lost(variant: Callable[[NotebookNode], None], learners: Learners) -> None:
    notebook = perfect()
    variant(notebook)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = nbformat.reads(nbformat.writes(notebook), as_version=4)
    results = mark(learners, rebuild(blank(), read, TOPIC), TOPIC, seed=7)
    lost = {result.exercise: result.message for result in results if not result.passed}
    assert not lost


def test_what_was_found_by_name_is_said() -> None:
    notebook = perfect()
    ids_lost(notebook)
    assert any(f"`{FIRST.name}`" in note for note in notes_of(rebuild(blank(), notebook, TOPIC)))


def test_a_deleted_answer_loses_only_itself(learners: Learners) -> None:
    notebook = perfect()
    last = EXERCISES[-1]
    del notebook.cells[solution(notebook, last.grade_id)]
    results = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7)
    assert {result.exercise for result in results if not result.passed} == {last.id}
    assert results[-1].stage == "name missing"


@pytest.mark.parametrize(
    "ending", ["import os; os._exit(3)", "import sys; sys.exit()", "raise SystemExit", "import os; os.kill(os.getpid(), 9)"]
)
def test_an_answer_that_ends_the_process_loses_only_itself(ending: str, learners: Learners) -> None:
    notebook = perfect()
    last = EXERCISES[-1]
    notebook.cells[solution(notebook, last.grade_id)].source = f"def {last.name}(*args, **options):\n    {ending}"
    results = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7)
    assert {result.exercise for result in results if not result.passed} == {last.id}
    assert results[-1].score == 0


def test_a_cell_that_ends_the_process_loses_only_itself(learners: Learners) -> None:
    notebook = perfect()
    last = EXERCISES[-1]
    notebook.cells[solution(notebook, last.grade_id)].source = "import os\nos._exit(1)"
    results = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7)
    assert {result.exercise for result in results if not result.passed} == {last.id}
