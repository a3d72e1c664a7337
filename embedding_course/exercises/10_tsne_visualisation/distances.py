"""Squared distances: cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided

__all__ = ["squared_distances"]

_MANY = 40


def _run(candidate: Callable[..., Any], x: torch.Tensor) -> Parts:
    """Call; among many points, look also at the two promises that rounding breaks (among few it may not)."""
    result = candidate(x)
    parts = Parts({"result": result})
    if len(x) >= _MANY and isinstance(result, torch.Tensor) and result.shape == (len(x), len(x)):
        parts["never negative"] = not bool((result < 0).any())
        parts["zero diagonal"] = not bool((result.diagonal() != 0).any())
    return parts


def _holds(sentence: str) -> Callable[[Any, Any, Case], Fault | None]:
    def rule(_: Any, got: Any, __: Case) -> Fault | None:
        return None if got is True else Fault("property", sentence)

    return rule


def _cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x}, criterion, because=because)

    rows, width = draw.sizes(2, smallest=3)
    yield case("a few points", draw.normal(rows, width), "distances")
    yield case("as many points as columns", draw.normal(width, width), "distances")
    yield case("points in the plane", draw.normal(rows, 2), "distances")

    # Enough points, far enough from the origin: rounding makes some of |a|² + |b|² - 2ab negative, and some diagonal not 0.
    base = draw.normal(_MANY, width + 2, scale=30.0)
    copies = base[draw.distinct(_MANY, _MANY)]
    near = copies + draw.normal(_MANY, width + 2, scale=1e-5)
    rounding = "Rounding may make a computed square a little negative, or a point's distance to itself a little more than 0."
    yield case("many near-duplicates", torch.cat([base, near]), "rounding", rounding)
    yield case("many exact duplicates", torch.cat([base, copies]), "rounding", rounding)
    yield case("many near-duplicates, float64", torch.cat([base, near]).double(), "rounding", rounding)

    yield case("one point", draw.ids((1, width), 9).float(), "any points")
    yield case("no points", torch.zeros(0, width), "any points")
    yield case("numbers instead of vectors", draw.normal(rows, 1), "any points")
    yield case("not contiguous in memory", strided(draw.normal(rows, width)), "any points")
    yield case("float64", draw.normal(rows, width, dtype=torch.float64), "any points")
    yield case("large numbers", draw.normal(rows, width, scale=2500.0), "any points")
    yield case("small numbers", draw.normal(rows, width, scale=1e-3), "any points", "A small distance is not 0.")
    yield case("float64, close points far from 0", 10 + 1e-2 * draw.normal(rows, width, dtype=torch.float64), "any points",
               "float32 has no room for the decimals of such numbers.")  # fmt: skip


squared_distances = Exercise(
    id="10.squared_distances",
    title="All distances at once",
    why="Every map begins with this matrix, and a distance that rounding made negative becomes nan under the first root.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("distances", 1, "the squared Euclidean distance of every point to every other"),
        Criterion("rounding", 1, "no negative number, and a diagonal of exact zeros"),
        Criterion("any points", 1, "one point, none, any floating type, layout and size of numbers"),
    ),
    hints=(
        "For one pair: subtract, square, sum over the columns. How do you get all pairs without a loop?",
        "Either give the points two different axes, so that they subtract to (n, n, d); or use |a|² + |b|² - 2ab.",
        "The second way is cheap in memory, and rounds: what does it give for a point and itself?",
        "After the second way, put a lower bound of 0 under everything and write 0 into the diagonal.",
    ),
    cases=_cases,
    run=_run,
    compare=Same(
        rules={
            "never negative": _holds("some squared distances are negative"),
            "zero diagonal": _holds("the distance of a point to itself is not exactly 0"),
        }
    ),
)
