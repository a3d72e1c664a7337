"""Sentences made of names: articles, verbs that agree, and nothing in them that an answer never receives."""

import ast
import re

import pytest
import torch

from embedding_course.checking import expected
from embedding_course.checking.compare import Comparison
from embedding_course.checking.exercise import Exercise
from embedding_course.checking.grammar import agreeing, article, verb
from embedding_course.checking.next_step import received
from embedding_course.checking.show import kind
from embedding_course.checking.wire_data import DTYPES, NamedParts
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


@pytest.mark.parametrize(
    ("subject", "several"),
    [
        ("the weights", True), ("the logits", True), ("the scores", True), ("the ids afterwards", True),
        ("the weights of the model afterwards", True), ("the tokens that were drawn", True),
        ("the logits in training mode", True),
        ("the loss", False), ("the bias", False), ("the number of tokens", False), ("the gradient of the weights", False),
        ("entry 0 of the scores", False), ("the result", False), ("the null, the mean over five generators", False),
        ("the scale, asked again", False), ("the NDCG", False), ("the weight after one more step", False), ("the losses", True),
        ("the X", False), ("the result[3]", False),
    ],
)  # fmt: skip
def test_a_verb_agrees_with_its_subject(subject: str, several: bool) -> None:
    assert verb(subject, "has", "have") == f"{subject} {'have' if several else 'has'}"


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("your outputs is wrong only there", "your outputs are wrong only there"),
        ("your outputs holds the right numbers", "your outputs hold the right numbers"),
        ("each line of your outputs is wrong", "each line of your outputs is wrong"),
        ("the right one is the mean of your outputs over axis 1", "the right one is the mean of your outputs over axis 1"),
    ],
)
def test_a_relation_agrees_with_the_result_it_speaks_of(sentence: str, said: str) -> None:
    assert agreeing("your outputs", sentence) == said
    assert agreeing("your loss", sentence.replace("outputs", "loss")) == sentence.replace("outputs", "loss")


_WRONG = re.compile(r"\ba (?:int|object|array|id|index|entry)\b|\ban (?:float|bool|list|str|dict)\b")


@pytest.mark.parametrize("exercise", known().values(), ids=lambda exercise: exercise.id)
def test_faults_in_named_parts_are_said_in_grammatical_sentences(exercise: Exercise) -> None:
    """For every part that an exercise compares: what is said when it is missing, of another type or of another shape."""
    shipped = expected.load(exercise)
    parts = {name: part for one in shipped.expected if isinstance(one.value, NamedParts) for name, part in one.value.items()}
    compare = Comparison()
    for name, part in parts.items():
        for other in (None, 3, 3.5, "word", [1], torch.zeros(7, 1, 2)):
            fault = compare.leaf(part, other, f"the {name}")
            assert fault is None or not _WRONG.search(fault.what), fault.what
            plural = verb(f"the {name}", "has", "have").endswith(" have")
            wrong = (" has ", " is ", " holds ") if plural else (" have ", " are ", " hold ")
            assert fault is None or not fault.what.removeprefix(f"the {name}").startswith(wrong), fault.what


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
        assert set(received(exercise, case)) <= _parameters(exercise), case.name
    assert set(exercise.of_driver) <= used, "a name that no case uses"
