"""Forgers are paid where an exercise lets them, which the audit then says, and nowhere else."""

import random
from collections.abc import Iterator

import torch

from embedding_course.checking.exercise import Case, Criterion, Exercise
from embedding_course.checking.expected import PUBLIC_SEED, Expectation
from embedding_course.checking.observe import observe
from embedding_course.checking.random_inputs import RandomInputs
from grader.quality.forgers import Attempt, forgers
from grader.quality.forgers.inputs import distance, traits
from tests.support.samples import sample


def _paid(exercise: Exercise, answer, seed: int = 1) -> set[str]:
    """The names of the forgers that earn points in this exercise."""
    cases, public = list(exercise.cases(RandomInputs(seed))), tuple(exercise.cases(RandomInputs(PUBLIC_SEED)))
    shipped = Expectation(public, tuple(observe(exercise, answer, case) for case in public), ())
    right = [observe(exercise, answer, case) for case in cases]
    attempt = Attempt(exercise, shipped, cases, right, random.Random(seed))
    return {
        name
        for name, seen in forgers(attempt)
        if all(exercise.compare(*pair) is None for pair in zip(right, seen, cases, strict=True))
    }


def _fixed(draw: RandomInputs) -> Iterator[Case]:
    yield Case("one", {"x": torch.tensor([1.0, 2.0])}, "all")
    yield Case("two", {"x": torch.tensor([1.0, 5.0])}, "all")


def _drawn(draw: RandomInputs) -> Iterator[Case]:
    yield Case("one", {"x": draw.normal(5)}, "all")
    yield Case("two", {"x": draw.normal(3)}, "all")


def _flagged(draw: RandomInputs) -> Iterator[Case]:
    for number in draw.shuffled(range(6)):
        yield Case(f"member {number}", {"numbers": draw.normal(3), "broken": number % 2 == 0}, "all")


def test_a_check_of_fixed_inputs_pays_replay() -> None:
    exercise = sample(_fixed, [Criterion("all", 1, "")])
    assert "replay" in _paid(exercise, lambda x: x.sum())  # the nearest input's answer is the same, and said once


def test_a_check_of_drawn_inputs_pays_nobody() -> None:
    assert not _paid(sample(_drawn, [Criterion("all", 1, "")]), lambda x: x.sum())


def test_a_flag_among_the_inputs_is_read() -> None:
    exercise = sample(_flagged, [Criterion("all", 1, "")])
    assert "same form" in _paid(exercise, lambda numbers, broken: broken)


def test_a_constant_result_pays_whoever_says_it() -> None:
    exercise = sample(_drawn, [Criterion("all", 1, "")])
    assert "ones" in _paid(exercise, lambda x: 1.0)


def test_equal_inputs_are_nearest_and_another_form_is_far() -> None:
    case, other_case = Case("", {"x": torch.ones(3)}, ""), Case("", {"x": torch.ones(2)}, "")
    assert distance(case, case) == 0 and distance(case, other_case) == 1
    assert 0 < distance(case, Case("", {"x": torch.tensor([1.0, 1.0, 2.0])}, "")) < 1


def test_traits_tell_patterns_of_tensors_and_values_of_flags() -> None:
    case_traits = traits(Case("", {"mixing": torch.eye(3).tril(), "rate": 0.5}, ""))
    assert case_traits[".rate"] == 0.5
    assert case_traits[".mixing lower triangle"] and case_traits[".mixing whole"] and not case_traits[".mixing all zero"]
