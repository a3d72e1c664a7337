"""Spearman's correlation: cases and comparison."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided
from ..drivers import reported_as
from .measures import CLOSE


def _numbers(*values: float, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.tensor(values, dtype=dtype)


def _repeated(draw: RandomInputs, count: int, low: int = 0) -> torch.Tensor:
    """Return numbers from four whole numbers, of which `low` is the smallest, each at least twice."""
    return torch.cat([torch.arange(4).repeat(2), draw.ids(count - 8, 4)])[draw.distinct(count, count)].float() + low


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, a: torch.Tensor, b: torch.Tensor, criterion: str, because: str = "") -> Case:
        order = draw.distinct(len(a), len(a))
        return Case(name, {"a": a[order], "b": b[order]}, criterion, because=because)

    def steps(count: int) -> torch.Tensor:
        return torch.linspace(-1, 1, count)[draw.distinct(count, count)]

    count = draw.integer(9, 17)
    rank = "Only the order counts: the values are replaced by their ranks."
    yield case("no ties", steps(count), steps(count) ** 3, "order", rank)
    yield case("one value far out", torch.cat([steps(count), _numbers(1000)]), steps(count + 1), "order", rank)
    yield case("many values", steps(41), steps(41).exp(), "order", rank)
    line = steps(count)
    yield case("falling, on a curve", line, -(3 * line).exp() - 2 * draw.uniform(count), "order", rank)

    ties = "Equal values share the mean of the ranks that they take up."
    yield case("ties in the first", _repeated(draw, count), steps(count), "ties", ties)
    yield case("ties in the second", steps(count), _repeated(draw, count), "ties", ties)
    yield case("ties in both", _repeated(draw, count), _repeated(draw, count), "ties", ties)
    yield case("yes or no", steps(7), _numbers(1, 1, 0, 1, 0, 0, 0), "ties", ties)
    yield case("ties among negative numbers", _repeated(draw, count, -5), _repeated(draw, count, -2), "ties", ties)
    uneven = _numbers(0, 1, 1, 2, 2, 2, 3, 5), _numbers(0, 2, 2, 2, 3, 5, 5, 1)
    yield case("groups of different sizes", *uneven, "ties", ties)
    yield Case("docstring example 2", {"a": _numbers(1, 2, 2), "b": _numbers(1, 2, 3)}, "ties")

    line = _numbers(-2, -1, -0.3, 0.2, 0.5, 1, 4)
    yield case("the same order on a curve", line, line.exp(), "numbers", "Only the order counts: the correlation is 1.").trying(
        "returns")
    yield case("the opposite order", line, -line.exp(), "numbers").trying("returns")
    yield case("no correlation", _numbers(1, 2, 3, 4), _numbers(2, 4, 1, 3), "numbers", "The ranks give exactly 0.").trying(
        "returns")
    yield case("two values", _numbers(0.3, 0.7), _numbers(2.0, 1.0), "numbers").trying("a, b (N,)")
    tiny = 0.5 + _numbers(1e-10, 3e-10, 2e-10, 6.5, 1.5, dtype=torch.float64)
    yield case("float64, very close values among others", tiny, steps(5).double(), "numbers",
               "Close is not equal; in float32 they would be ties.").trying("a, b (N,)")
    yield case("large values", 1e4 * steps(count), steps(count), "numbers").trying("a, b (N,)")
    yield case("float64", _repeated(draw, count).double(), steps(count).double(), "numbers").trying("a, b (N,)")
    yield Case("gaps in memory", {"a": strided(draw.normal(count)), "b": strided(_repeated(draw, count))}, "numbers").trying(
        "a, b (N,)")
    yield Case("docstring example", {"a": _numbers(1, 2, 3), "b": _numbers(10, 90, 20)}, "numbers").trying(
        "The smallest", "The result")


spearman = Exercise(
    id="09.spearman",
    title="Spearman's correlation",
    why="The benchmark of sentence similarity asks only whether a model ranks pairs as people do; ties are common there.",
    difficulty=2,
    minutes=16,
    core=False,
    criteria=(
        Criterion("order", 1, "the correlation of the ranks, not of the values", tries=("The smallest", "The result")),
        Criterion("ties", 1, "equal values have the mean of their ranks", tries=("equal values", "The result")),
        Criterion("numbers", 0.5, "close values in float64, large ones, any memory layout"),
    ),
    hints=(
        "Two steps: replace the values by their ranks, then compute the usual correlation of the ranks.",
        "argsort says which value comes at each rank, not which rank each value has.",
        "The mean rank of a value: how many are smaller, and half of how many are equal. Comparing all with all gives "
        "both, without sorting.",
    ),
    cases=_cases,
    run=reported_as("correlation"),
    compare=Comparison(rounding={"correlation": CLOSE}),
)
