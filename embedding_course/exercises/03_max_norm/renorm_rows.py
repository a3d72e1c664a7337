"""Clipping rows: cases and comparison."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .tables import CLOSE, limit, one_long_row, small_limit, table


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, weight: torch.Tensor, max_norm: float, criterion: str, because: str = "", **options: Any) -> Case:
        return Case(name, {"weight": weight, "max_norm": max_norm}, criterion, options, because=because)

    rows, width = draw.sizes(2, smallest=5)
    top = limit(draw)
    yield case("long and short rows", table(draw, rows, width, top), top, "length").trying(
        "Shorten every row", "leave the other rows", "returns")
    yield case("no row is too long", table(draw, rows, width, top, long=False), top, "length",
               "A row that is short enough stays as it is.").trying("leave the other rows")
    yield case("every row is too long", table(draw, rows, width, top, long=True), top, "length").trying(
        "Shorten every row", "a shortened")
    yield case("as many rows as columns", table(draw, width, width, top), top, "length").trying("Shorten every row", "weight")
    yield case("one row too long among short ones", one_long_row(draw, rows, width, top), top, "length",
               "Each row is measured by itself.").trying("Shorten every row")
    small = small_limit(draw)
    yield case("max_norm far below 1", table(draw, rows, width, small), small, "length",
               "A row of length 0.5 is too long here.").trying("max_norm the greatest", "a shortened")
    yield case("docstring example", torch.tensor([[3.0, 4.0], [0.3, 0.4]]), 1.0, "length").trying("Shorten every row")

    power = draw.choice((1.25, 1.5, 2.5, 3.5))
    for name, norm_type in (("the sum of absolute values", 1.0), ("the largest absolute value", float("inf")),
                            ("the cubic norm", 3.0), ("the norm of another power", power),
                            ("a norm_type that is an int", 1)):
        top = limit(draw)
        weight = table(draw, rows, width, top, norm_type=norm_type)
        because = f"With norm_type={norm_type} no row may be longer than max_norm in that norm."
        yield case(name, weight, top, "norm types", because, norm_type=norm_type)

    top = limit(draw)
    weight = table(draw, rows, width, top)
    weight[draw.integer(0, rows - 1)] = 0.0
    yield case("a row of zeros", weight, top, "any table", "A row of zeros has norm 0, and stays a row of zeros.").trying(
        "rows of zeros")
    yield case("rows close to max_norm", table(draw, rows, width, top, close=True), top, "any table", CLOSE).trying(
        "leave the other rows", "max_norm the greatest")
    yield case("a single row", table(draw, 1, width, top, long=True), top, "any table").trying("returns")
    yield case("a single column", table(draw, rows, 1, top), top, "any table").trying("weight")
    yield case("no rows", torch.zeros(0, width), top, "any table").trying("rows of zeros")
    yield case("a table with gaps in memory", strided(table(draw, rows, width, top)), top, "any table").trying("weight")
    yield case("max_norm is an int", table(draw, rows, width, 2), 2, "any table").trying("max_norm the greatest")
    yield case("float64", table(draw, rows, width, top, dtype=torch.float64), top, "any table").trying("weight", "returns")
    large = table(draw, rows, width, 2500.0)
    yield case("large values", large, 2500.0, "any table").trying("weight")
    yield case("large values, small max_norm", large.clone(), 1.5, "any table").trying("max_norm the greatest")


renorm_rows = Exercise(
    id="03.renorm_rows",
    title="Shorten the rows that are too long",
    why="This is all that max_norm does to a row. The rest of the notebook asks which rows, and when.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("length", 2, "rows longer than max_norm come down to it in their own direction, others stay"),
        Criterion("norm types", 2, "the length is measured in the norm that norm_type names",
                  tries=("norm_type", "a shortened")),
        Criterion("any table", 2, "rows close to max_norm, zero rows, one row, no row, float64, any values and memory layout"),
    ),
    hints=(
        "Multiply each row by one factor: 1 for a short row, less than 1 for a long one.",
        "`torch.linalg.vector_norm(weight, ord=..., dim=..., keepdim=True)` returns the norm of every row, for every "
        "norm_type. With `keepdim=True` you can multiply whole rows by the result.",
        "The factor is max_norm / norm, but never more than 1. For a row of zeros it must not become 0 / 0.",
        "Raise norms below max_norm to max_norm (`clamp`). Then max_norm / norm is 1 for exactly those rows.",
    ),
    cases=_cases,
)
