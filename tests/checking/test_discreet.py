"""What a hidden verdict repeats of an answer: kinds and numbers of axes, and no word or number of the answer's own."""

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
        ("it is a float32 tensor of shape (3, 2)", Observation("x"), "it is a float32 tensor with 2 axes"),
        ("it is an object of type Seen_7", Observation(OtherObject("Seen_7")), "it is an object of type …"),
        ("the argument `58.29471` was changed", Observation(1, modified=("58.29471",)), "the argument `…` was changed"),
        ("the argument `x` was changed", Observation(1, modified=("x",)), None),
        ("it raised ValueError", Observation(raised=Raised(("ValueError",), "58.29471")), None),
        ("it said 58.294 and 9", Observation(raised=Raised(("ValueError",), "58.294 and 9")), "it said …"),
        ("it is an object of type generator", Observation(OtherObject("generator")), None),
        ("it has shape (3, 47); shape () was expected", Observation([47]), "it has 2 axes; 0 axes was expected"),
        ("it has another size along the axes 0, 1 and 11", Observation(1), None),
        ("it has another size along axis 1 and 47", Observation(1), "it has another size along axis 1 and …"),
        ("it has 7 entries; 5 were expected", Observation([1]), "it has … entries; … were expected"),
        ("it is a list of 47", Observation([1]), "it is a list"),
        ("47 words where 5 were expected", Observation(1), "… words where … were expected"),
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


def test_there_is_an_end_to_words() -> None:
    assert len(discreet("word " * 500, Observation(1), RIGHT, TOPIC)) < 410


def test_own_sentences_stay_as_they_are() -> None:
    """A sentence of the course's own is not cut, whatever numbers and quotes are in it."""
    said = "the round trip errs by more than 0.51 of (max - min) / 255"
    assert discreet(said, Observation(1), RIGHT, find_exercise("09.quantize_uint8").lesson.topic) == said
    lost = "a bool without a graph"
    assert discreet(f"it is {lost}", Observation(lost), RIGHT, "09_contrastive_training").endswith("graph")
