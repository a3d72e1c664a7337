"""What the hidden check says where an answer runs out of memory: of the case that decided, and of no other."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from embedding_course.checking.observation import Observation, Raised
from embedding_course.exercises import find_exercise
from grader.course_source.prepared import Prepared
from grader.marking.hidden_check import check

_ORDINARY = Observation(raised=Raised(("RuntimeError",), "Class values must be non-negative.", ""))
_MEMORY = Observation(raised=Raised(("RuntimeError",), "DefaultCPUAllocator: can't allocate memory", ""))


@pytest.mark.parametrize(("first", "second", "status"), [(_MEMORY, _ORDINARY, "out of memory"), (_ORDINARY, _MEMORY, "wrong")])
def test_the_remark_on_memory_belongs_to_the_case_that_decided(first: Observation, second: Observation, status: str) -> None:
    ready = Prepared(find_exercise("01.one_hot"), 1)
    seen = [first, second, *ready.expected[2:]]
    learner = SimpleNamespace(observe=lambda question, count: iter(seen), cells=[])
    result = check(learner, ready.exercise, 1, ready)  # type: ignore[arg-type]
    assert result.case == ready.cases[0].name
    assert (result.status == "out of memory") is (status == "out of memory")
    assert ("more memory" in result.message) is (status == "out of memory")
