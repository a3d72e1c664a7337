"""What a hidden verdict repeats of an answer: sizes and kinds, and no word of the answer's own."""

from __future__ import annotations

import pytest

from embedding_course.checking.discreet import discreet
from embedding_course.checking.observation import Observation, Raised
from embedding_course.checking.wire_data import NamedParts, OtherObject
from embedding_course.exercises import find_exercise

RIGHT = Observation(NamedParts({"output": 1.0}))
TOPIC = "06_positional_encoding"


@pytest.mark.parametrize(
    ("said", "got", "repeated"),
    [
        ("the new table holds only 0.12345", Observation("only 0.12345"), "the new table holds …"),
        ("the new table holds only zeros", Observation("only zeros"), None),
        ("`direct` is a Seen_7 without a weight", Observation("a Seen_7 without a weight"), "`direct` is …"),
        ("it is a float32 tensor of shape (3, 2)", Observation("float32 tensor of shape (3, 2)"), None),
        ("it is an object of type Seen_7", Observation(OtherObject("Seen_7")), "it is an object of type …"),
        ("the argument `58.29471` was changed", Observation(1, modified=("58.29471",)), "the argument `…` was changed"),
        ("the argument `x` was changed", Observation(1, modified=("x",)), None),
        ("it raised ValueError", Observation(raised=Raised(("ValueError",), "58.29471")), None),
        ("it said 58.294 and 9", Observation(raised=Raised(("ValueError",), "58.294 and 9")), "it said …"),
        ("it is an object of type generator", Observation(OtherObject("generator")), None),
        ("shape (3, 47); shape (47, 3) was expected", Observation([47]), None),
        ("it gave [['ab', 'cd']]", Observation([["ab", "cd"]]), "it gave …"),
        ("it gave ('a', 'b')", Observation("ab"), "it gave (…, …)"),
        ("there is a `hidden.weight`", Observation({"hidden.weight": 1}), None),
        ("there is a `seen_7.weight`", Observation({"seen_7.weight": 1}), "there is a `…`"),
        ("the output is wrong", Observation({"output": 1}), None),
        ("it has 582947 entries", Observation([1]), "it has … entries"),
        ("it gave 0.582947", Observation([0.582947]), "it gave …"),
    ],
)  # fmt: skip
def test_what_is_repeated(said: str, got: Observation, repeated: str | None) -> None:
    assert discreet(said, got, RIGHT, TOPIC) == (said if repeated is None else repeated)


def test_there_is_an_end_to_numbers_and_words() -> None:
    assert discreet(str(tuple(range(40))), Observation(1), RIGHT, TOPIC).count(",") <= 20
    assert len(discreet("word " * 500, Observation(1), RIGHT, TOPIC)) < 410


def test_own_sentences_stay_as_they_are() -> None:
    """A sentence of the course's own is not cut, whatever numbers and quotes are in it."""
    said = "the round trip errs by more than 0.51 of (max - min) / 255"
    assert discreet(said, Observation(1), RIGHT, find_exercise("09.quantize_uint8").lesson.topic) == said
    lost = "a bool without a graph"
    assert discreet(f"it is {lost}", Observation(lost), RIGHT, "09_contrastive_training").endswith("graph")
