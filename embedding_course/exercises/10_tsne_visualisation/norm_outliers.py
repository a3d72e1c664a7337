"""Rows of odd length: cases and comparison."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, RandomInputs, strided
from ...checking.mismatch import RESULT
from ...messages import Message
from ..drivers import reported_as


def _same_rows(expected: list[int], got: Any, _: Case) -> Mismatch | None:
    """Compare the rows: they may come in any order, each once."""
    if not isinstance(got, list):
        return Comparison().leaf(expected, got, RESULT)
    got = [row.item() if isinstance(row, torch.Tensor) and row.ndim == 0 else row for row in got]
    if not all(type(row) is int for row in got):
        message = Message("The list holds something else than ints: {received}.", received=got[:5])
        return Mismatch("type", message, Message("The list holds something else than ints."))
    missing, extra = sorted(set(expected) - set(got)), sorted(set(got) - set(expected))
    if missing or extra:
        message = Message("The rows are not the outliers: {missing} are missing, and {extra} are none.")
        hidden = Message("The rows are not the outliers: some are missing, and some that are named are none.")
        if not extra:
            hidden = Message("The rows are not all the outliers: some are missing.")
        elif not missing:
            hidden = Message("The rows are not the outliers alone: some that are named are none.")
        return Mismatch("values", message.fill(missing=missing[:5], extra=extra[:5]), hidden)
    return Mismatch("values", Message("Some rows are named twice.")) if len(got) != len(expected) else None


def _outlier_cases(draw: RandomInputs) -> Iterator[Case]:
    def table(lengths: torch.Tensor, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return rows with these norms in random directions."""
        direction = draw.normal(len(lengths), width, dtype=torch.float64)
        return (direction / direction.norm(dim=1, keepdim=True) * lengths[:, None]).to(dtype)

    def lengths(rows: int, middle: float, odd: dict[int, float]) -> torch.Tensor:
        """Return norms within a tenth of `middle`, and the values of `odd` at random positions."""
        common = middle * draw.uniform(rows, low=0.9, high=1.1, dtype=torch.float64)
        for row, value in zip(draw.distinct(len(odd), rows).tolist(), odd.values(), strict=True):
            common[row] = value
        return common

    def case(name: str, weight: torch.Tensor, criterion: str, because: str = "", **options: Any) -> Case:
        return Case(name, {"weight": weight}, criterion, options, because=because)

    def alike(rows: int, width: int, dtype: torch.dtype) -> torch.Tensor:
        """Return a table with one number other than 0 in each row, so that all norms are equal to the last bit.

        The order of the sum then does not matter. The mean of the norms is rounded and differs from them.
        """
        while True:
            lengths = draw.uniform(1, 1, low=0.6, high=3.0, dtype=dtype).expand(rows, 1)
            weight = torch.zeros(rows, width, dtype=dtype).scatter(1, draw.ids((rows, 1), width), lengths)
            norms = weight.norm(dim=1)
            if norms.mean() != norms[0]:
                return weight

    rows, width = draw.choice(((31, 13), (37, 17), (41, 19)))
    yield case("one row that is too long", table(lengths(rows, 5.0, {0: 15.0}), width), "outliers")
    yield case("two rows that are too long", table(lengths(61, 5.0, {0: 11.0, 1: 12.0}), width), "outliers")
    yield case("one row that is too long, one a little long", table(lengths(rows, 5.0, {0: 15.0, 1: 7.0}), width), "outliers",
               "The measure is the standard deviation of all norms.")
    yield case("no outlier", table(lengths(rows, 5.0, {}), width), "outliers", "The list is empty.")
    flat = table(lengths(rows, 5.0, {}), width)
    flat[draw.integer(0, rows - 1)] = torch.zeros(width).index_fill(0, draw.ids(1, width), 5.0)
    yield case("a row along one axis", flat, "outliers", "The norm is the Euclidean one.")
    below = "A row may also be too short: a padding row of zeros is."
    yield case("one row that is too short", table(lengths(rows, 5.0, {0: 0.5}), width), "either side", below)
    zero = table(lengths(rows, 5.0, {}), width)
    zero[draw.integer(0, rows - 1)] = 0.0
    yield case("a row of zeros", zero, "either side", below)
    zeros = table(lengths(61, 5.0, {}), width)
    zeros[draw.distinct(9, 61)] = 0.0
    yield case("nine rows of zeros among 61", zeros, "either side",
               "They take part in mean and standard deviation, and are too many to stand out.")
    yield case("one of each", table(lengths(61, 5.0, {0: 10.0, 1: 0.4}), width), "either side", below)

    few = "Among ten rows or fewer none can lie more than three standard deviations from the mean."
    yield case("ten rows, one very long", table(lengths(10, 5.0, {0: 20.0}), width), "threshold", few)
    yield case("ten rows, threshold 2", table(lengths(10, 5.0, {0: 20.0}), width), "threshold", threshold=2.0).trying(
        "The standard")
    yield case("seven rows, threshold 2.5", table(lengths(7, 5.0, {0: 20.0}), width), "threshold",
               "A threshold is not rounded.", threshold=2.5).trying("The standard")
    yield case("threshold 8", table(lengths(rows, 5.0, {0: 15.0}), width), "threshold", threshold=8.0)
    mixed = lengths(61, 5.0, {0: 25.0, 1: 13.0})
    yield case("threshold 5, one long and one very long row", table(mixed, width), "threshold", threshold=5.0)
    yield case("threshold 1.2", table(lengths(rows, 5.0, {0: 15.0, 1: 14.0}), width), "threshold", threshold=1.2)
    levels = torch.tensor([4.0] * 12 + [6.0] * 12 + [9.0], dtype=torch.float64)  # 0.92, 0.67 and 3 standard deviations
    yield case("threshold 0.8", table(levels[draw.distinct(25, 25)], width), "threshold", threshold=0.8)
    yield case("docstring example", _axes(20, 3, 100.0), "threshold").trying("weight", "returns")

    equal = "When all norms are equal, none stands out."
    for name, dtype in (("all norms equal", torch.float32), ("all norms equal, float64", torch.float64)):
        yield case(name, alike(rows, width, dtype), "any table", equal).trying("empty when all norms", "Norms that differ")
        yield case(f"{name}, a low threshold", alike(23, width, dtype), "any table", equal, threshold=0.5).trying(
            "empty when all norms", "Norms that differ")
    yield case("only zeros", torch.zeros(rows, width), "any table", equal).trying(
        "empty when all norms", "Norms that differ")
    yield case("a single row", draw.normal(1, width), "any table", equal).trying("empty when all norms", "Norms that differ")
    yield case("as many rows as columns", table(lengths(29, 5.0, {0: 15.0}), 29), "any table").trying("weight")
    yield case("not contiguous in memory", strided(table(lengths(rows, 5.0, {0: 15.0}), width)), "any table").trying("weight")
    yield case("float64", table(lengths(rows, 5.0, {0: 15.0}), width, torch.float64), "any table").trying("weight")
    yield case("large numbers", table(lengths(rows, 5000.0, {0: 9000.0}), width), "any table").trying("threshold")
    close = 1e4 + draw.normal(rows, scale=0.2, dtype=torch.float64).clamp(-0.4, 0.4)
    close[draw.integer(0, rows - 1)] = 10003.0
    yield case("long rows of nearly one length", table(close, width), "any table",
               "The mean square less the square of the mean is a difference of large numbers: rounding is all that is left."
               ).trying("threshold")
    yield case("small numbers", table(lengths(37, 0.02, {0: 0.036}), width), "any table",
               "A millionth, added to the standard deviation against division by 0, changes nothing here.",
               threshold=4.8).trying("threshold", "The standard")


def _axes(rows: int, row: int, length: float) -> torch.Tensor:
    """Return one unit vector along each axis, of which the one in this `row` has this norm."""
    table = torch.eye(rows)
    table[row] *= length
    return table


norm_outliers = Exercise(
    id="10.norm_outliers",
    title="Rows of unusual length",
    why="A row with an unusual norm may be padding, a word that was never trained, or damaged data. It also distorts a search "
    "by dot product.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("outliers", 1.5, "rows whose norm is far above the mean norm", tries=("weight", "threshold", "returns")),
        Criterion("either side", 0.5, "rows that are too short count too", tries=("threshold", "returns")),
        Criterion("threshold", 1, "far means more than threshold standard deviations",
                  tries=("threshold", "more than that is an outlier")),
        Criterion("any table", 1, "equal norms, a single row, any floating type, layout and size of numbers"),
    ),
    hints=(
        "Compute one number for each row, its norm. Everything after that works on this list of numbers.",
        "Take the distance of each norm from the mean norm, in either direction, and compare it with threshold times the "
        "standard deviation.",
        "When all norms are equal, rounding may leave a tiny standard deviation instead of 0. Test for this case first.",
        "`nonzero` gives the indices of True as a tensor. Return a list of Python ints.",
    ),
    cases=_outlier_cases,
    run=reported_as("rows"),
    compare=Comparison(rules={"rows": _same_rows}),
)
