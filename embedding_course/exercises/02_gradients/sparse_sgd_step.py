"""One sparse step by hand: what an optimizer does to the rows of a batch."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs, strided


def _run(candidate: Callable[..., Any], weight: torch.Tensor, *args: Any) -> NamedParts:
    """Report the table and the memory that it had: `weight.data = ...` changes the one and not the other."""
    memory = weight.view_as(weight)
    candidate(weight, *args)
    return NamedParts({"weight afterwards": weight, "memory of weight afterwards": memory})


def _almost_cancelling(draw: RandomInputs, rows: torch.Tensor, size: int, width: int) -> Case:
    """Return a case with large steps from large weights to small ones, so that rounding to float32 shows."""
    rows = torch.cat([rows, torch.arange(size)])
    grads = draw.normal(len(rows), width, dtype=torch.float64, scale=1e4)
    weight = draw.normal(size, width, dtype=torch.float64)
    for row, grad in zip(rows.tolist(), grads, strict=True):
        weight[row] += 0.5 * grad
    args = {"weight": weight, "rows": rows, "grads": grads, "lr": 0.5}
    return Case("float64, steps that almost cancel the table", args, "any table")


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        rows: torch.Tensor,
        size: int,
        width: int,
        criterion: str,
        *,
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        gaps: bool = False,
        because: str = "",
    ) -> Case:
        weight = draw.normal(size, width, dtype=dtype, scale=scale)
        grads = draw.normal(len(rows), width, dtype=dtype, scale=scale)
        if gaps:
            weight, rows, grads = strided(weight), strided(rows), strided(grads)
        lr = round(draw.rng.uniform(0.3, 0.7), 3)
        args = {"weight": weight, "rows": rows, "grads": grads, "lr": lr}
        return Case(name, args, criterion, because=because)

    size, width = 7, draw.choice((2, 3, 5))
    count = draw.choice([prime for prime in (2, 3, 5) if prime != width])
    distinct = torch.cat([torch.tensor([0, size - 1]), 1 + draw.distinct(count - 2, size - 2)])
    yield case("rows without repeats", distinct[draw.distinct(count, count)], size, width, "one step").trying(
        "Each rows[k]", "Other rows", "changed in place", "int64 tensor", "lr the learning")
    yield case("every row once", draw.distinct(5, 5), 5, 5, "one step").trying("Each rows[k]")

    again = torch.cat([torch.tensor([0, size - 1, 0]), draw.ids(8, size)])[draw.distinct(11, 11)]
    yield case("rows that repeat", again, size, width, "repeats",
               because="Each occurrence moves its row: two gradients at one row add up.").trying(
        "they may repeat", "grads tensor")
    example = {"weight": torch.zeros(3, 2), "rows": torch.tensor([2, 0, 2]), "grads": torch.ones(3, 2), "lr": 0.5}
    yield Case("docstring example", example, "repeats")
    yield case("one row, three times", torch.full((3,), draw.integer(0, size - 1)), size, width, "repeats")
    as_many = torch.cat([draw.distinct(4, 5), draw.distinct(1, 4)])
    yield case("as many rows given as the table has", as_many, 5, 5, "repeats")

    yield case("a single row", draw.ids(1, size), size, width, "any table").trying("Each rows[k]", "Other rows")
    yield case("no rows", draw.ids((0,), size), size, width, "any table", because="Nothing moves.").trying(
        "Other rows", "they may repeat")
    yield case("float64", again, size, width, "any table", dtype=torch.float64).trying("grads tensor")
    yield _almost_cancelling(draw, again, size, width).trying("grads tensor")
    yield case("large numbers", again, size, width, "any table", scale=1e4).trying("lr the learning")
    yield case("a table of one row", torch.zeros(count, dtype=torch.int64), 1, width, "any table").trying("int64 tensor")
    yield case("vectors of one number", again, size, 1, "any table").trying("grads tensor")
    yield case("a table with gaps in memory", again, size, width, "any table", gaps=True,
               because="The table itself must change, not a contiguous copy of it.").trying("changed in place")


sparse_sgd_step_ = Exercise(
    id="02.sparse_sgd_step_",
    title="One sparse step",
    why="Training a table of millions of rows is fast only if a step touches just the rows of the batch.",
    difficulty=1,
    minutes=10,
    core=False,
    criteria=(
        Criterion("one step", 1, "the rows given move against their gradients, in place, the others stay"),
        Criterion("repeats", 1, "a row that is given several times moves by the sum", tries=("a row that is given",)),
        Criterion("any table", 1, "any floating type and memory layout, also when a single row or none is given"),
    ),
    hints=(
        "Gradient descent: subtract lr times the gradient from the row, only for the rows given.",
        "In place means: change the caller's tensor. `weight = weight - ...` makes a new tensor.",
        "`weight[rows] -= ...` writes each row once. So of two gradients at one row only one counts.",
        "`embedding_grad` needs a method that adds at an index. Its name with an underscore at the end works in place.",
    ),
    cases=_cases,
    run=_run,
    changes=("weight",),
)
