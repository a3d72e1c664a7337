"""A verdict shows nothing that an answer never receives."""

import ast

import pytest

from embedding_course.checking import expected
from embedding_course.checking.exercise import Exercise
from embedding_course.checking.next_step import received_arguments
from embedding_course.exercises import known
from grader.course_source.catalogue import reference_source


def _parameters(exercise: Exercise) -> set[str]:
    """The parameters of the answer: those of the function, or of all methods of the class."""
    (found,) = [
        node
        for node in ast.parse(reference_source(exercise)).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == exercise.name
    ]
    functions = (
        [found] if isinstance(found, ast.FunctionDef) else [one for one in found.body if isinstance(one, ast.FunctionDef)]
    )
    return {entry.arg for one in functions for entry in (*one.args.args, *one.args.kwonlyargs)} - {"self"}


@pytest.mark.parametrize("exercise", known().values(), ids=lambda exercise: exercise.id)
def test_a_verdict_shows_only_what_the_answer_receives(exercise: Exercise) -> None:
    cases = expected.load(exercise).cases
    used = {name for case in cases for name in (*case.args, *case.options)}
    for case in cases:
        assert set(received_arguments(exercise, case)) <= _parameters(exercise), case.name
    assert set(exercise.of_driver) <= used, "a name that no case uses"
