"""Whatever comes back is judged: no observation ends the judge, and none puts words of its own into a hidden verdict."""

import itertools
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from embedding_course.checking.codec import decode_observation, encode_observation
from embedding_course.checking.judge import judge
from embedding_course.checking.observation import Observation, Place, Raised
from embedding_course.checking.redact import redact, vocabulary
from embedding_course.checking.wire_data import NamedParts, OtherObject
from embedding_course.exercises import find_exercise, known
from embedding_course.messages import Message
from grader.course_source.catalogue import mistakes_of
from grader.course_source.prepared import Prepared

#: Hidden values as a learner's code might write them down.
WORD, NUMBER, LARGE = "Told_5829471_by", 58294.71, 582947136
#: A size that an answer chooses. In what is said of a hidden case it may stand nowhere.
SIZE = 8293
#: Their mistakes take minutes to try: `make test-all` does.
HEAVY = {"07.TinyLM", "07.leaks", "08.TextEncoder"}
SECRETS = (str(SIZE), WORD, "5829471", "58294.71", "582947136", "5.829e", "T', 'o', 'l")


def _cost(name: str) -> pytest.MarkDecorator:
    return pytest.mark.long if name in HEAVY else pytest.mark.slow


@cache
def ready(name: str) -> Prepared:
    return Prepared(find_exercise(name), 3)


def values() -> Iterator[Any]:
    """What a hostile process might send in place of any value."""
    yield from (
        None,
        True,
        WORD,
        "",
        NUMBER,
        LARGE,
        float("nan"),
        OtherObject(WORD),
        OtherObject("Tensor"),
        {},
        [],
        np.array([NUMBER]),
    )
    yield from (
        [WORD],
        [[WORD]],
        [WORD] * 9,
        {WORD: 1},
        {(WORD, LARGE): [WORD]},
        [NUMBER, LARGE],
        [[LARGE, NUMBER]],
        {"a": OtherObject(WORD)},
    )
    yield from (torch.tensor(NUMBER), torch.tensor([LARGE]), torch.zeros(0), torch.zeros(2, 3, 4, 5), torch.tensor(True))
    yield from (torch.zeros(0, SIZE), torch.zeros(SIZE, 1, 0), [0] * SIZE, dict.fromkeys(range(SIZE), 0), "x" * SIZE)
    yield from (
        torch.full((2, 3), float("inf")),
        torch.zeros(3, dtype=torch.bfloat16),
        [torch.zeros(2)],
        NamedParts({WORD: WORD}),
    )


def observations(right: Observation) -> Iterator[Observation]:
    """The right observation, spoilt in every way."""
    for value in values():
        yield Observation(value)
        if isinstance(right.value, NamedParts):
            for name in right.value:
                yield Observation(NamedParts({**right.value, name: value}))
    for name in ("ValueError", "MemoryError", WORD):
        yield Observation(raised=Raised((name, WORD), WORD, Place(LARGE, WORD, WORD, WORD, SIZE)), modified=(WORD,))
    yield Observation(right.value, right.raised, (WORD, "582", "947"))
    if isinstance(right.value, NamedParts):
        yield Observation(NamedParts(itertools.islice(right.value.items(), 1)))
        yield Observation(NamedParts({**right.value, WORD: WORD}))


def form(right: Observation) -> object:
    """Results of one form are spoilt in the same ways."""
    if isinstance(right.value, bool):
        return right.value
    return type(right.value), tuple(right.value) if isinstance(right.value, dict) else ()


@pytest.mark.parametrize(
    ("most", "name"),
    [pytest.param(2, name, id=f"some-{name}") for name in known()]
    + [pytest.param(100, name, id=f"all-{name}", marks=_cost(name)) for name in known()],
)
def test_every_answer_is_judged_and_none_speaks(name: str, most: int) -> None:
    """One case of each criterion and of each form of result; the first two are spoilt, or every one."""
    prepared = ready(name)
    forms = {
        (case.criterion, form(right)): (case, right)
        for case, right in reversed(list(zip(prepared.cases, prepared.expected, strict=True)))
    }
    cases, expected = zip(*reversed(forms.values()), strict=True)
    for index in range(min(most, len(cases))):
        for seen in observations(expected[index]):
            got = [*expected[:index], through_the_wire(seen), *expected[index + 1 :]]
            reply = msgspec.json.encode(judge(prepared.exercise, cases, expected, got, hidden=True)).decode()
            assert not [secret for secret in SECRETS if secret in reply], (cases[index].name, seen, reply)


def through_the_wire(seen: Observation) -> Observation:
    tensors: list[torch.Tensor] = []
    return decode_observation(encode_observation(seen, tensors), tensors)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_cost(name)) for name in known()])
def test_what_is_said_of_known_wrong_answers_stays_as_it_is(name: str) -> None:
    prepared = ready(name)
    asked = prepared.exercise
    for mistake in mistakes_of(asked):
        for index, (right, case) in enumerate(zip(prepared.expected, prepared.cases, strict=True)):
            seen = prepared.mistaken(mistake, index)
            fault = asked.compare(right, seen, case)
            if fault:
                message = fault.hidden or fault.message
                assert _words_of(redact(message, vocabulary(case))) == _words_of(message), mistake.slug


def _words_of(message: Message) -> str:
    """Return a sentence without its numbers and keys, most of which depend on the case."""
    return re.sub(r"(?:…|'[^']*'|\d+(?:\.\d+)?(?:e[+-]?\d+)?)+", "…", str(message))
