"""Sentences made of names: articles, verbs that agree, and nothing in them that an answer never receives."""

import ast

import pytest

from embedding_course.checking import expected
from embedding_course.checking.exercise import Exercise
from embedding_course.checking.grammar import article
from embedding_course.checking.next_step import received_arguments
from embedding_course.checking.show import kind
from embedding_course.checking.wire_data import DTYPES
from embedding_course.exercises import known
from grader.course_source.catalogue import reference_source


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("int", "an int"), ("float", "a float"), ("bool", "a bool"), ("str", "a str"), ("uint8 tensor", "a uint8 tensor"),
        ("object of a type of its own", "an object of a type of its own"), ("Embedding", "an Embedding"), ("LSTM", "an LSTM"),
        ("NPLM", "an NPLM"), ("ReLU", "a ReLU"), ("UserDict", "a UserDict"), ("ndarray", "an ndarray"),
        ("<list of 3>", "<list of 3>"),
    ],
)  # fmt: skip
def test_an_article_fits_what_follows(text: str, said: str) -> None:
    assert article(text) == said


def test_every_kind_of_tensor_has_its_article() -> None:
    for name in DTYPES:
        said = article(f"{name} tensor of shape (2,)")
        assert said.startswith("an int" if name.startswith("int") else "a ")
    assert article(kind([1, 2])) == "a list of 2" and article(kind(3)) == "an int" and article(kind({})) == "a dict of 0"


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
