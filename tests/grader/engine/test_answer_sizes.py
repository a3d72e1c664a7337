"""The bounds on what a learner's process may send leave honest work far below them."""

from collections.abc import Callable
from typing import Any

import pytest

from embedding_course.checking.codec import encode_observation
from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.observe import fresh, observe
from embedding_course.exercises import find_exercise, known
from grader.course_source.catalogue import callable_of, mistakes_of, reference, right_forms_of
from grader.course_source.prepared import Prepared
from grader.engine import wire
from grader.engine.learner_proxy import _MAX_OBSERVED_BYTES


def weights(asked: Exercise, answer: Callable[..., Any]) -> list[int]:
    """What each observation of this answer weighs on the wire."""
    sizes = []
    for case in Prepared(asked, 3).cases:
        tensors: list = []
        own = Case(case.name, fresh(dict(case.args)), case.criterion, fresh(dict(case.options)))
        tree = encode_observation(observe(asked, answer, own, own=True), tensors)
        sizes.append(wire.read_content(wire.pack(tree, tensors)).weight)
    return sizes


#: The one wrong answer whose texts are of thousands of letters.
_LONG_TEXTS = ("01.bpe_decode", "zeros_for_bytes")
#: Its answers hold the weights of twelve layers, some two hundred tensors.
_MANY_TENSORS = "11.translate_names"


def far_below(each: list[int], of: tuple[str, str] = ("", "")) -> bool:
    """True where no answer comes near the bounds: the arguments travel back with each, in 07.TinyLM all weights among them."""
    margin, total_margin = (9, 6) if of == _LONG_TEXTS else (5, 3) if of[0] == _MANY_TENSORS else (15, 6)
    return max(each) <= wire.ANSWER / margin and sum(each) <= _MAX_OBSERVED_BYTES / total_margin


@pytest.mark.parametrize("name", known())
def test_right_answers(name: str) -> None:
    asked = find_exercise(name)
    assert far_below(weights(asked, reference(asked)), (name, ""))


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("01.bpe_decode", "zeros_for_bytes"),
        ("01.one_hot", "returns_a_list"),
        ("09.warmup_cosine", "a_list_of_rates"),
        ("07.causal_mask", "scores_to_add"),
    ],
)
def test_the_heaviest_of_the_known_wrong_answers(name: str, slug: str) -> None:
    asked = find_exercise(name)
    (mistake,) = (candidate for candidate in mistakes_of(asked) if candidate.slug == slug)
    assert far_below(weights(asked, callable_of(mistake.source, asked)), (name, slug))


@pytest.mark.long
@pytest.mark.parametrize("name", known())
def test_all_that_are_known(name: str) -> None:
    asked = find_exercise(name)
    for candidate in right_forms_of(asked):
        assert far_below(weights(asked, callable_of(candidate.source, asked)), (name, "")), candidate
    for candidate in mistakes_of(asked):
        assert far_below(weights(asked, callable_of(candidate.source, asked)), (name, candidate.slug)), candidate
