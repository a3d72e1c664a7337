"""What the hidden check makes of what comes back: of memory that ran out, and of answers that return the same."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from embedding_course.checking.codec import encode_observation
from embedding_course.checking.observation import Observation, Raised
from embedding_course.exercises import find_exercise
from grader.course_source.prepared import Prepared
from grader.course_source.verdict_cache import VerdictCache, key_of
from grader.engine import wire
from grader.marking.hidden_check import check

_ORDINARY = Observation(raised=Raised(("RuntimeError",), "Class values must be non-negative."))
_MEMORY = Observation(raised=Raised(("RuntimeError",), "DefaultCPUAllocator: can't allocate memory"))


def _says(seen: Sequence[Observation], cells: Sequence[str] = ()) -> Any:
    """A learner whose answer does that, in a cell of that text, and leaves its arguments as they are."""
    packed = []
    for observation, case in zip(seen, Prepared(find_exercise("01.one_hot"), 1).cases, strict=True):
        tensors: list = []
        observation = replace(observation, after={**case.args, **case.options})
        packed.append(wire.read_content(wire.pack(encode_observation(observation, tensors), tensors)))
    return SimpleNamespace(observe_packed=lambda question, count: iter(packed[:count]), cells=list(cells))


@pytest.mark.parametrize(("first", "second", "status"), [(_MEMORY, _ORDINARY, "out of memory"), (_ORDINARY, _MEMORY, "wrong")])
def test_the_remark_on_memory_belongs_to_the_case_that_decided(first: Observation, second: Observation, status: str) -> None:
    ready = Prepared(find_exercise("01.one_hot"), 1)
    seen = [first, second, *ready.expected[2:]]
    result = check(_says(seen), ready.exercise, 1, ready)
    assert result.case == ready.cases[0].name
    assert (result.status == "out of memory") is (status == "out of memory")
    assert ("more memory" in result.message) is (status == "out of memory")


def test_right_answers_that_return_the_same_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = Prepared(find_exercise("01.one_hot"), 1)
    judged = []
    inner = ready.judge
    monkeypatch.setattr(ready, "judge", lambda *given, **more: judged.append(given) or inner(*given, **more))
    first = check(_says(ready.expected), ready.exercise, 1, ready)
    again = check(_says(ready.expected), ready.exercise, 1, ready)
    assert first.passed and again is first and len(judged) == 1


def test_of_wrong_answers_that_return_the_same_each_is_judged() -> None:
    """What is said of one may come of how it is written, so that no other one is told it."""
    ready = Prepared(find_exercise("01.one_hot"), 1)
    seen = [Observation(raised=Raised(("TypeError",), "unsupported")), *ready.expected[1:]]
    wrong = check(_says(seen, ["def one_hot(ids, size):\n    return nothing"]), ready.exercise, 1, ready)
    again = check(_says(seen, ["def one_hot(ids, size):\n    return ids + ''"]), ready.exercise, 1, ready)
    assert not wrong.passed and not again.passed and wrong is not again


def test_what_differs_in_a_bit_is_judged_anew() -> None:
    """A right answer, and the same one with a last case that is wrong: a verdict must not be lent to that."""
    ready = Prepared(find_exercise("01.one_hot"), 1)
    assert check(_says(ready.expected), ready.exercise, 1, ready).passed
    assert not check(_says([*ready.expected[:-1], Observation(value=1)]), ready.exercise, 1, ready).passed


def test_where_one_answer_ends_and_the_next_begins_counts() -> None:
    ready = Prepared(find_exercise("01.one_hot"), 1)
    right = check(_says(ready.expected), ready.exercise, 1, ready)
    before = VerdictCache()
    before.keep(key_of([b"ab", b"c"]), right)
    assert before.find(key_of([b"ab", b"c"])) is right
    assert before.find(key_of([b"a", b"bc"])) is None and before.find(key_of([b"abc"])) is None


def test_verdicts_are_kept_up_to_a_most() -> None:
    ready = Prepared(find_exercise("01.one_hot"), 1)
    right = check(_says(ready.expected), ready.exercise, 1, ready)
    before = VerdictCache()
    keys = [key_of([bytes([number % 256, number // 256])]) for number in range(1_000)]
    for key in keys:
        before.keep(key, right)
    assert 10 <= sum(before.find(key) is not None for key in keys) <= 100


def test_equal_verdicts_are_held_once() -> None:
    """Each right answer has a verdict of its own, made of the same words: a class of thousands must not fill the memory."""
    before = VerdictCache()
    keys = [key_of([bytes([number])]) for number in range(3)]
    for key in keys:
        ready = Prepared(find_exercise("01.one_hot"), 1)
        before.keep(key, check(_says(ready.expected), ready.exercise, 1, ready))
    first, *others = (before.find(key) for key in keys)
    assert first is not None and all(other is first for other in others)


def _sent(ready: Prepared, after: Any) -> Any:
    """A learner with the right results, who says of the arguments after the call what `after` makes of a case."""
    packed = []
    for observation, case in zip(ready.expected, ready.cases, strict=True):
        tensors: list = []
        tree = encode_observation(replace(observation, after=after(case)), tensors)
        packed.append(wire.read_content(wire.pack({**tree, "modified": []}, tensors)))
    return SimpleNamespace(observe_packed=lambda question, count: iter(packed[:count]), cells=[])


@pytest.mark.parametrize("exercise", ["01.one_hot", "02.embedding_grad"])
def test_who_says_that_nothing_was_changed_has_to_show_it(exercise: str) -> None:
    """Right results, and `modified` empty in each: what counts are the arguments that come back."""
    ready = Prepared(find_exercise(exercise), 1)

    def overwritten(case: Any) -> dict[str, Any]:
        given = {**case.args, **case.options}
        return {**given, next(iter(given)): None}

    assert check(_sent(ready, lambda case: {**case.args, **case.options}), ready.exercise, 1, ready).passed
    for claim in (lambda case: None, lambda case: {}, overwritten):
        result = check(_sent(ready, claim), ready.exercise, 1, ready)
        assert not result.passed and result.stage == "property" and "changed" in f"{result.diagnosis} {result.message}"
