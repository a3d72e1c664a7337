"""What honest people do to notebooks must not cost a mark."""

import warnings
from collections.abc import Callable
from functools import partial

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from grader.engine.fork_server import Learners
from grader.engine.learner_proxy import TimeLimits
from grader.engine.sandbox import Level
from grader.marking.mark import mark
from grader.submission.rebuild import notes_of, rebuild
from tests.redteam.honest import IN_ONE_CELL, TOPIC, WHOLE, ids_lost, solution
from tests.support.classes import blank, perfect

EXERCISES = exercises_of(TOPIC)
FIRST = EXERCISES[0]


def as_read(notebook: NotebookNode) -> NotebookNode:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nbformat.reads(nbformat.writes(notebook), as_version=4)


@pytest.mark.parametrize("variant", WHOLE, ids=lambda variant: variant.__name__)
def test_no_mark_is_lost(variant: Callable[[NotebookNode], None], learners: Learners) -> None:
    notebook = perfect()
    variant(notebook)
    results = mark(learners, rebuild(blank(), as_read(notebook), TOPIC), TOPIC, seed=7).results
    lost = {result.exercise: result.message for result in results if not result.passed}
    assert not lost


class Hasty:
    """Learners with a short time limit: what lasts, lasts for ever."""

    def __init__(self, learners: Learners) -> None:
        self.level: Level = learners.level
        self.how, self.runner = learners.how, learners.runner
        self.time_limits = TimeLimits(cpu=1.5, clock=10.0)
        self.start = partial(learners.start, time_limits=self.time_limits)


@pytest.mark.parametrize("variant", IN_ONE_CELL, ids=lambda variant: variant.__name__)
def test_the_answer_does_what_it_does_in_its_own_notebook(variant: Callable[[NotebookNode], None], learners: Learners) -> None:
    """State of the learner's own cells, and lines that fail where nobody is at the keyboard: all about the first answer."""
    notebook = perfect()
    variant(notebook)
    (result,) = mark(Hasty(learners), rebuild(blank(), as_read(notebook), TOPIC), TOPIC, seed=7, only=FIRST.id).results
    assert result.passed, result.message


def test_a_method_set_on_an_answers_class_afterwards_is_taken(learners: Learners) -> None:
    topic = "08_pooling"
    (encoder,) = [exercise for exercise in exercises_of(topic) if exercise.name == "TextEncoder"]
    notebook = perfect(topic)
    cell = notebook.cells[solution(notebook, encoder.grade_id)]
    assert "def forward(" in cell.source
    cell.source = cell.source.replace("def forward(", "def forward_later(")
    index = notebook.cells.index(cell)
    notebook.cells.insert(index + 1, nbformat.v4.new_code_cell("TextEncoder.forward = TextEncoder.forward_later"))
    (result,) = mark(learners, rebuild(blank(topic), as_read(notebook), topic), topic, seed=7, only=encoder.id).results
    assert result.passed, result.message


def test_what_was_found_by_name_is_said() -> None:
    notebook = perfect()
    ids_lost(notebook)
    assert any(f"`{FIRST.name}`" in note for note in notes_of(rebuild(blank(), notebook, TOPIC)))


def test_a_deleted_answer_loses_only_itself(learners: Learners) -> None:
    notebook = perfect()
    last = EXERCISES[-1]
    del notebook.cells[solution(notebook, last.grade_id)]
    results = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7).results
    assert {result.exercise for result in results if not result.passed} == {last.id}
    assert results[-1].stage == "name missing"


@pytest.mark.parametrize(
    "ending", ["import os; os._exit(3)", "import sys; sys.exit()", "raise SystemExit", "import os; os.kill(os.getpid(), 9)"]
)
def test_an_answer_that_ends_the_process_loses_only_itself(ending: str, learners: Learners) -> None:
    notebook = perfect()
    last = EXERCISES[-1]
    notebook.cells[solution(notebook, last.grade_id)].source = f"def {last.name}(*args, **options):\n    {ending}"
    results = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7).results
    assert {result.exercise for result in results if not result.passed} == {last.id}
    assert results[-1].score == 0


def test_a_cell_that_ends_the_process_loses_only_itself(learners: Learners) -> None:
    notebook = perfect()
    last = EXERCISES[-1]
    notebook.cells[solution(notebook, last.grade_id)].source = "import os\nos._exit(1)"
    results = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7).results
    assert {result.exercise for result in results if not result.passed} == {last.id}
