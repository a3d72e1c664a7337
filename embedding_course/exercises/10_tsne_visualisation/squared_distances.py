"""Squared distances: cases and comparison."""

from collections.abc import Iterator
from dataclasses import replace

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, NamedParts, Observation, RandomInputs, strided
from ...messages import Message
from ..drivers import reported_as
from ..rules import required

_MANY = 40


class _WithPromises(Comparison):
    """Among many points, look also at what rounding may do to two promises (among few it may not).

    Both follow from the result, so they are worked out here, where no answer can say what it likes.
    """

    def seen(self, observation: Observation, case: Case) -> Observation:
        count, value = len(case.args["x"]), observation.value
        result = value.get("result") if isinstance(value, dict) else None
        if count < _MANY or not isinstance(result, torch.Tensor) or result.shape != (count, count):
            return observation
        parts = {"result": result, "smallest distance": result.min(), "diagonal": result.diagonal()}
        return replace(observation, value=NamedParts(parts))


_RULES = {
    "smallest distance": required(lambda got: not bool((got < 0).any()), Message("Some squared distances are negative.")),
    "diagonal": required(
        lambda got: not bool((got != 0).any()), Message("The distance of a point to itself is not exactly 0.")
    ),
}


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x}, criterion, because=because)

    rows, width = draw.sizes(2, smallest=3)
    yield case("a few points", draw.normal(rows, width), "distances")
    yield case("as many points as columns", draw.normal(width, width), "distances")
    yield case("points in the plane", draw.normal(rows, 2), "distances")
    yield case("more points", draw.normal(23, width), "distances")
    yield case("docstring example", torch.tensor([[0.0, 0.0], [3.0, 4.0]]), "distances")

    # Enough points, far enough from the origin: rounding makes some of |a|² + |b|² - 2ab negative, and some diagonal not 0.
    base = draw.normal(_MANY, width + 2, scale=30.0)
    copies = base[draw.distinct(_MANY, _MANY)]
    near = copies + draw.normal(_MANY, width + 2, scale=1e-5)
    rounding = "Rounding may make a computed square a little negative, or a point's distance to itself a little more than 0."
    yield case("many near-duplicates", torch.cat([base, near]), "rounding", rounding)
    yield case("many exact duplicates", torch.cat([base, copies]), "rounding", rounding)
    yield case("many near-duplicates, float64", torch.cat([base, near]).double(), "rounding", rounding)

    yield case("one point", draw.ids((1, width), 9).float(), "any points").trying("x tensor", "tensor of shape (n, n)")
    yield case("no points", torch.zeros(0, width), "any points").trying("x tensor")
    yield case("numbers instead of vectors", draw.normal(rows, 1), "any points").trying("x tensor")
    yield case("not contiguous in memory", strided(draw.normal(rows, width)), "any points").trying("x tensor")
    yield case("float64", draw.normal(rows, width, dtype=torch.float64), "any points").trying("tensor of shape (n, n)")
    yield case("large numbers", draw.normal(rows, width, scale=2500.0), "any points").trying("tensor of shape (n, n)")
    small = draw.normal(7, width, scale=3e-4)
    yield case("small numbers", small, "any points", "A small distance is not 0.").trying("tensor of shape (n, n)")
    points = torch.cat([small, small[draw.distinct(2, 7)]])
    yield case("small numbers, some points twice", points, "any points",
               "The distance of two equal points is 0, nothing more.").trying("never negative")
    far = 1000 + draw.normal(rows, width)
    yield case("points far from the origin", far, "any points",
               "In |a|² + |b|² - 2ab large numbers nearly cancel; without the mean of all points they are small.").trying(
        "The points")
    yield case("float64, close points far from 0", 10 + 1e-2 * draw.normal(rows, width, dtype=torch.float64), "any points",
               "float32 has no room for the decimals of such numbers.").trying("The points", "tensor of shape (n, n)")


squared_distances = Exercise(
    id="10.squared_distances",
    title="All distances at once",
    why="t-SNE begins with this matrix (section 5). A distance that rounding makes negative becomes nan under a root.",
    difficulty=1,
    minutes=11,
    criteria=(
        Criterion("distances", 1.5, "the squared Euclidean distance of every point to every other",
                  tries=("x tensor", "tensor of shape (n, n)")),
        Criterion("rounding", 1.5, "no negative number, and a diagonal of exact zeros", tries=("never negative",)),
        Criterion("any points", 1, "one point, none, points far away, any floating type, layout and size of numbers"),
    ),
    hints=(
        "For one pair you subtract, square and sum over the dimensions. Broadcasting does it for all pairs at once.",
        "Either give the points two different axes, so that they subtract to (n, n, d); or use |a|² + |b|² - 2ab.",
        "The second way needs less memory but rounds: try what it gives for a point and itself.",
        "With the second way subtract the mean of all points first, or small distances are lost far from the origin. "
        "Then clamp at 0 and write 0 into the diagonal.",
    ),
    cases=_cases,
    by_products=("diagonal", "smallest distance"),
    run=reported_as("result"),
    compare=_WithPromises(rules=_RULES),
)
