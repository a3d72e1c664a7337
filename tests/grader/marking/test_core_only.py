"""A learner who left the further sections out earns all points of a core exercise that builds on them."""

import sys
import types

import pytest

from embedding_course import check
from embedding_course.exercises import exercises_of, find_exercise
from grader.course_source.catalogue import reference_source
from grader.course_source.lesson import given_cells
from grader.engine.fork_server import Learners
from grader.marking.mark import mark
from grader.submission.rebuild import rebuild
from tests.redteam.honest import solution
from tests.support.classes import blank, perfect

TOPIC = "08_pooling"
ENCODER = find_exercise("08.TextEncoder")
FURTHER = [exercise for exercise in exercises_of(TOPIC) if not exercise.core]
STUB = "raise NotImplementedError()"


@pytest.fixture
def scope(monkeypatch: pytest.MonkeyPatch) -> dict:
    """Return the names of a kernel in which the core of the lesson is right."""
    module = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    for cell in given_cells(TOPIC):
        exec(cell, vars(module))
    for number, exercise in enumerate(exercise for exercise in exercises_of(TOPIC) if exercise.core):
        exec(compile(reference_source(exercise), f"<cell {number}>", "exec"), vars(module))
    return vars(module)


def leave_stubs(scope: dict) -> None:
    for exercise in FURTHER:
        source = f"def {exercise.name}(token_embeddings, attention_mask):\n    {STUB}"
        exec(compile(source, f"<cell {exercise.name}>", "exec"), scope)


def test_the_encoder_needs_exercises_of_the_further_section() -> None:
    assert {exercise.name for exercise in FURTHER} & set(ENCODER.uses) == {"pool_max", "pool_weighted"}


@pytest.mark.parametrize("stubs", [True, False], ids=["stubs", "cells that were not run"])
def test_public_points_of_the_core_only(stubs: bool, scope: dict, capsys: pytest.CaptureFixture) -> None:
    if stubs:
        leave_stubs(scope)
    assert check(ENCODER.id) == ENCODER.points
    output = capsys.readouterr().out
    assert "cases were not tried: they need `pool_max`" in output and "The grader lends" in output
    assert stubs == ("pool_max" in scope)


def test_another_fault_is_not_blamed_on_what_was_left_out(scope: dict, capsys: pytest.CaptureFixture) -> None:
    leave_stubs(scope)
    source = reference_source(ENCODER).replace("return F.normalize(self.pool(x, mask), dim=1)", "return self.pool(x, mask)")
    exec(compile(source, "<cell 99>", "exec"), scope)
    assert check(ENCODER.id) < ENCODER.points
    output = capsys.readouterr().out
    assert "is not right yet, and this exercise calls it" not in output and "F.normalize" in output


def test_a_stub_of_the_core_is_not_left_out(scope: dict) -> None:
    exec(compile(f"def pool_mean(token_embeddings, attention_mask):\n    {STUB}", "<cell 98>", "exec"), scope)
    assert check(ENCODER.id) < ENCODER.points


def test_hidden_points_of_the_core_only(learners: Learners) -> None:
    notebook, untouched = perfect(TOPIC), blank(TOPIC)
    for exercise in FURTHER:
        stub = untouched.cells[solution(untouched, exercise.grade_id)].source
        notebook.cells[solution(notebook, exercise.grade_id)].source = stub
    results = mark(learners, rebuild(blank(TOPIC), notebook, TOPIC), TOPIC, seed=7, only=ENCODER.id).results
    result = next(result for result in results if result.exercise == ENCODER.id)
    assert result.score == ENCODER.points, result.message
