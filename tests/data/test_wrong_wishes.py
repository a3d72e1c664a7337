"""A wish that no dataset can fulfil is refused with the values that are allowed."""

from collections.abc import Callable
from typing import Any

import pytest

from embedding_course.data import language_reference
from embedding_course.data.micro import micro_language

#: Whatever hands out rows of a split: (split, size, seed).
DRAWN: dict[str, Callable[..., Any]] = {
    "pairs": lambda *wish: micro_language().pairs(*wish),
    "sentences": lambda *wish: micro_language().sentences("english", *wish),
    "paraphrases": lambda *wish: micro_language().paraphrases(*wish),
    "occurrences": lambda *wish: micro_language().occurrences("bat", *wish),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (("dev",), "no split 'dev': there are train, valid, test"),
        (("test", 10**9), "a whole number from 0 to [1-9]"),
        (("test", -1), "size -1 of 'test': None, or a whole number from 0"),
        (("test", 2.5), "size 2.5 of 'test'"),
        (("test", 2, -1), "seed -1: a whole number from 0 on"),
        (("test", 2, "x"), "seed 'x': a whole number from 0 on"),
    ],
    ids=str,
)
def test_refused(name: str, wish: tuple[Any, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        DRAWN[name](*wish)


@pytest.mark.parametrize("name", DRAWN)
def test_granted(name: str) -> None:
    assert DRAWN[name]("test", 0) == []
    assert len(DRAWN[name]("test", 3, 1)) == 3
    assert DRAWN[name]("test", 3, 1) == DRAWN[name]("test", 3, 1) != DRAWN[name]("test", 3, 2)


@pytest.mark.parametrize("size", [-1, 3, 10**7, 2.5, "many"])
def test_a_vocabulary_that_cannot_be_made(size: Any) -> None:
    with pytest.raises(ValueError, match=r"a whole number from 4 to \d"):
        language_reference.vocabulary(size)


def test_an_unknown_language_or_word() -> None:
    with pytest.raises(ValueError, match="no language 'french': there are chinese and english"):
        micro_language().sentences("french")
    with pytest.raises(ValueError, match="'dog' is not among the words with several senses"):
        micro_language().occurrences("dog")
