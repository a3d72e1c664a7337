"""Small exercises and helpers for the tests of the framework; they stand in no notebook."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import torch

from embedding_course.checking.compare import Comparison
from embedding_course.checking.exercise import Case, Criterion, Exercise
from embedding_course.checking.fingerprint import Fingerprint, trace
from embedding_course.checking.judge import judge
from embedding_course.checking.observation import Observation
from embedding_course.checking.observe import observe
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.checking.result import Result


def sample(cases: Callable[[RandomInputs], Iterable[Case]], criteria: Iterable[Criterion] = (), **settings: Any) -> Exercise:
    """An exercise with nothing in it but what is said."""
    return Exercise(
        id=settings.pop("id", "01.sample"),
        title="Sample <one>",
        why="For the tests.",
        difficulty=1,
        minutes=1,
        criteria=tuple(criteria) or (Criterion("all", 2, "everything is right"),),
        hints=("a", "b"),
        cases=cases,
        **settings,
    )


def double_cases(draw: RandomInputs) -> Iterator[Case]:
    yield Case("a row", {"x": draw.normal(3)}, "rows")
    yield Case("a matrix", {"x": draw.normal(2, 3)}, "rows")
    yield Case("nothing", {"x": torch.zeros(0)}, "edges")
    yield Case("negative zero is refused", {"x": None}, "edges", because="None is no tensor.")


double = sample(
    double_cases,
    [Criterion("rows", 2, "rows are doubled"), Criterion("edges", 1, "odd inputs")],
    compare=Comparison(dtype="floating"),
)


def double_reference(x: Any) -> torch.Tensor:
    if x is None:
        raise ValueError("None")
    return 2 * x


def double_squared(x: Any) -> torch.Tensor:
    """A mistake: the square instead of the double."""
    if x is None:
        raise ValueError("None")
    return x * x


def double_squared_print(seed: int = 1) -> Fingerprint:
    """The fingerprint of `double_squared`."""
    seen = observations(double, double_squared, seed)
    right = observations(double, double_reference, seed)
    kept = tuple(map(partial(trace, double), cases_of(double, seed), right, seen))
    return Fingerprint("squared", "This is the square.", "Try 3: its double is 6.", kept)


def cases_of(exercise: Exercise, seed: int = 1) -> tuple[Case, ...]:
    return tuple(exercise.cases(RandomInputs(seed, exercise.id)))


def observations(exercise: Exercise, answer: Callable[..., Any], seed: int = 1) -> list[Observation]:
    return [observe(exercise, answer, case) for case in cases_of(exercise, seed)]


def verdict(
    exercise: Exercise,
    reference: Callable[..., Any],
    answer: Callable[..., Any],
    fingerprints: Callable[[], Iterable[Fingerprint]] = tuple,
    **settings: Any,
) -> Result:
    """The verdict on `answer`, judged against `reference`."""
    right, seen = observations(exercise, reference), observations(exercise, answer)
    return judge(exercise, cases_of(exercise), right, seen, fingerprints, **settings)


def criteria(result: Result) -> Mapping[str, float]:
    return {criterion.name: criterion.earned for criterion in result.criteria}
