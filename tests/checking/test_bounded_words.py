"""What an answer can make the trusted side do grows with the size of what came back, and not with its square."""

import sys
from types import FrameType
from typing import Any

import pytest

from embedding_course.checking import discreet as words
from embedding_course.checking.compare import modified_fault
from embedding_course.checking.discreet import discreet
from embedding_course.checking.observation import Observation
from embedding_course.checking.relations.claim import Pair
from embedding_course.checking.relations.sequences import list_arranged

TOPIC = "01_onehot_vs_lookup"
RIGHT = Observation(["a", "b", "a"])


class Word(str):
    """A word that counts how often it is compared with another one."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        type(self).compared += 1
        return str.__eq__(self, other)  # type: ignore[arg-type]

    __hash__ = str.__hash__


def _words(count: int) -> list[str]:
    return [f"w{number:05}" for number in range(count)]


def _steps(call: Any) -> int:
    """Return how many functions, ours and Python's, a call enters."""
    count = 0

    def count_one(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(count_one)
    try:
        call()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("count", [40_000, 400])
def test_a_sentence_of_an_answers_own_words_is_not_looked_through(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """40,000 names in a list, all of them in the sentence: none is replaced on its own, and none is repeated."""
    looked: list[str] = []
    monkeypatch.setattr(words, "_is_own", lambda text, own: looked.append(text) or False)
    got = Observation(1, modified=tuple(_words(count)))
    said = discreet(modified_fault(got).what, got, RIGHT, TOPIC)
    assert not looked
    assert "w0" not in said


def test_many_pieces_of_a_sentence_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short sentence, and all of its pieces as words of the answer."""
    looked: list[str] = []
    monkeypatch.setattr(words, "_is_own", lambda text, own: looked.append(text) or False)
    said = "the result has wrong values in some of its entries, which are many"
    pieces = [said[start : start + length] for length in range(1, 30) for start in range(len(said) - length)]
    discreet(said, Observation(pieces), RIGHT, TOPIC)
    assert len(looked) <= 500


def test_what_is_said_of_a_list_takes_steps_in_proportion_to_it() -> None:
    def told(count: int) -> int:
        got = Observation(_words(count))
        return _steps(lambda: discreet("the result has other entries", got, RIGHT, TOPIC))

    told(10)  # reads the course's own text
    few, many = told(1_000), told(4_000)
    assert many < 5 * few


def test_repeats_are_found_without_comparing_all_with_all() -> None:
    Word.compared = 0
    list(list_arranged(Pair([Word(text) for text in _words(2_000)], [Word(text) for text in _words(1_999)])))
    assert Word.compared < 20 * 2_000
