"""What an answer can make the trusted side do grows with the size of what came back, and not with its square."""

import sys
from types import FrameType
from typing import Any

import pytest

from embedding_course.checking.call_fault import modified_fault
from embedding_course.checking.case import Case
from embedding_course.checking.compare import Comparison
from embedding_course.checking.mismatch import RESULT
from embedding_course.checking.observation import Observation
from embedding_course.checking.redact import redact, vocabulary
from embedding_course.checking.relations.claim import Pair
from embedding_course.checking.relations.sequences import list_arranged

WORDS = vocabulary(Case("one", {}, "all"))


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

    def count_call(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(count_call)
    try:
        call()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("count", [40_000, 400])
def test_of_many_names_of_an_answer_none_is_shown_and_few_are_looked_at(count: int) -> None:
    mismatch = modified_fault(Observation(1, modified=tuple(_words(count))))
    text: list[str] = []
    assert _steps(lambda: text.append(str(redact(mismatch.message, WORDS)))) < 1_000
    assert "w0" not in text[0] and len(text[0]) < 200


def test_comparing_a_list_takes_steps_in_proportion_to_it() -> None:
    def compare(count: int) -> int:
        return _steps(lambda: Comparison().leaf(_words(count), _words(count + 1), RESULT))

    few, many = compare(1_000), compare(4_000)
    assert many < 5 * few


def test_repeats_are_found_without_comparing_all_with_all() -> None:
    Word.compared = 0
    list(list_arranged(Pair([Word(text) for text in _words(2_000)], [Word(text) for text in _words(1_999)])))
    assert Word.compared < 20 * 2_000
