"""A submission as a whole has a time: what waits or computes again and again uses it up, and honest work does not notice."""

import time

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of
from grader.engine.fork_server import Learners
from grader.engine.forks import Forks
from grader.engine.time_budget import OutOfTime, TimeBudget, TimeLimits
from grader.marking.hidden_check import USED_UP
from grader.marking.mark import mark
from grader.submission.rebuild import rebuild
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank, perfect

EXERCISES = exercises_of(TOPIC)
SLOWLY = """
def slowly(answer):
    import time
    def late(*args, **options):
        time.sleep(0.7)
        return answer(*args, **options)
    return late
"""


@pytest.fixture
def hurried(learners: Learners):
    """Learners whose submissions have three seconds by the clock."""
    hurried_learners = learners.second_zygote()
    hurried_learners.time_limits = TimeLimits(whole_clock=3.0)
    yield hurried_learners
    hurried_learners.close()


def marked(learners: Forks, notebook: NotebookNode) -> list[Result]:
    return mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7).results


def test_what_is_left_of_an_allowance() -> None:
    budget = TimeBudget(TimeLimits(whole_cpu=10.0, whole_clock=5.0))
    budget.look(waited=4.9, used=9.9)
    for spent in ({"waited": 5.1}, {"used": 10.1}):
        with pytest.raises(OutOfTime):
            budget.look(**spent)
    budget.clock -= 5.1
    with pytest.raises(OutOfTime):
        budget.look()


def test_statements_that_sleep_use_it_up(hurried: Forks) -> None:
    notebook = perfect()
    naps = "\n".join(f"nap{index} = time.sleep(0.5)" for index in range(40))
    notebook.cells.insert(0, nbformat.v4.new_code_cell(f"import time\n{naps}"))
    first = notebook.cells[solution(notebook, EXERCISES[0].grade_id)]
    first.source += "\n_ = " + ", ".join(f"nap{index}" for index in range(40))
    began = time.monotonic()
    results = marked(hurried, notebook)
    assert time.monotonic() - began < 15
    assert {(result.status, result.message, result.score) for result in results} == {("timed out", str(USED_UP), 0.0)}


def test_what_was_judged_before_keeps_its_marks(hurried: Forks) -> None:
    notebook = perfect()
    slow = EXERCISES[2]
    cell = notebook.cells[solution(notebook, slow.grade_id)]
    cell.source += f"\n\n{SLOWLY}\n\n{slow.name} = slowly({slow.name})"
    results = marked(hurried, notebook)
    assert [result.passed for result in results[:2]] == [True, True]
    assert {(result.status, result.message) for result in results[2:]} == {("timed out", str(USED_UP))}


def test_a_second_of_sleep_costs_nothing(learners: Learners) -> None:
    notebook = perfect()
    for exercise in EXERCISES[:3]:
        notebook.cells[solution(notebook, exercise.grade_id)].source += "\n\nimport time\ntime.sleep(1)"
    assert all(result.passed for result in marked(learners, notebook))
