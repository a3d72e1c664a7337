"""What an optimizer does to a table: one sparse step by hand, and which rows move at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided


def _run_step(candidate: Callable[..., Any], weight: torch.Tensor, *args: Any) -> Parts:
    """Report the table and the memory that it had: `weight.data = ...` changes the one and not the other."""
    memory = weight.view_as(weight)
    candidate(weight, *args)
    return Parts({"weight afterwards": weight, "memory of weight afterwards": memory})


def _almost_cancelling(draw: Draw, rows: torch.Tensor, size: int, width: int) -> Case:
    """Large steps that lead from large weights to small ones: rounding to float32 on the way would show."""
    rows = torch.cat([rows, torch.arange(size)])
    grads = draw.normal(len(rows), width, dtype=torch.float64, scale=1e4)
    weight = draw.normal(size, width, dtype=torch.float64)
    for row, grad in zip(rows.tolist(), grads, strict=True):
        weight[row] += 0.5 * grad
    args = {"weight": weight, "rows": rows, "grads": grads, "lr": 0.5}
    return Case("float64, steps that almost cancel the table", args, "any table")


def _sparse_sgd_step_cases(draw: Draw) -> Iterator[Case]:
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
    yield case("rows without repeats", distinct[draw.distinct(count, count)], size, width, "step")
    yield case("every row once", draw.distinct(5, 5), 5, 5, "step")
    yield case("a single row", draw.ids(1, size), size, width, "step")

    again = torch.cat([torch.tensor([0, size - 1, 0]), draw.ids(8, size)])[draw.distinct(11, 11)]
    yield case("rows that repeat", again, size, width, "repeats",
               because="Each occurrence moves its row: two gradients at one row add up.")  # fmt: skip
    yield case("one row, three times", torch.full((3,), draw.integer(0, size - 1)), size, width, "repeats")
    as_many = torch.cat([draw.distinct(4, 5), draw.distinct(1, 4)])
    yield case("as many rows given as the table has", as_many, 5, 5, "repeats")

    yield case("no rows", draw.ids((0,), size), size, width, "any table", because="Nothing moves.")
    yield case("float64", again, size, width, "any table", dtype=torch.float64)
    yield _almost_cancelling(draw, again, size, width)
    yield case("large numbers", again, size, width, "any table", scale=1e4)
    yield case("a table of one row", torch.zeros(count, dtype=torch.int64), 1, width, "any table")
    yield case("vectors of one number", again, size, 1, "any table")
    yield case("a table with gaps in memory", again, size, width, "any table", gaps=True,
               because="The table itself must change, not a contiguous copy of it.")  # fmt: skip


sparse_sgd_step_ = Exercise(
    id="02.sparse_sgd_step_",
    title="One sparse step",
    why="A table of millions of rows is trained by touching only the few rows of the batch.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("step", 1, "the rows given move against their gradients, in place, the others stay"),
        Criterion("repeats", 1, "a row that is given several times moves by the sum"),
        Criterion("any table", 1, "any floating type and memory layout, also when no rows are given"),
    ),
    hints=(
        "Plain gradient descent: a row becomes itself minus lr times its gradient. Only the rows given take part.",
        "In place: the name `weight` must go on meaning the caller's tensor. `weight = weight - ...` makes another one.",
        "`weight[rows] -= ...` writes each row once, so of two gradients at one row only one counts.",
        "You have met a method that adds at an index in `embedding_grad`; its name with an underscore works in place.",
    ),
    cases=_sparse_sgd_step_cases,
    run=_run_step,
    changes=("weight",),
)


OPTIMIZERS = ("sgd", "sparse-adam", "sgd-momentum", "adam", "adamw")
_CRITERION = {
    "sgd": "no memory", "sparse-adam": "no memory", "sgd-momentum": "memory", "adam": "memory", "adamw": "decay",
}  # fmt: skip
_BECAUSE = {
    "sgd": "A gradient of zero is a step of zero.",
    "sparse-adam": "It only ever touches the rows that are in the batch.",
    "sgd-momentum": "Momentum keeps rows going that it has seen; the others have none.",
    "adam": "Its averages keep rows going that it has seen; for the others they are zero.",
    "adamw": "Weight decay shrinks the whole table at each step.",
}


def _histories(draw: Draw, size: int) -> Iterator[tuple[str, list[torch.Tensor]]]:
    """Batches over a table in which some rows are seen early, some late, some in between, and two never."""
    order = draw.distinct(size, size)
    early, both, late = order[:2], order[2:4], order[4:6]
    shuffled = torch.cat([early, both, early[:1]])[draw.distinct(5, 5)]
    yield "one step", [shuffled]
    yield "rows of an earlier batch", [shuffled, both, torch.cat([both, late])]
    yield "a row that appears in the last step only", [early, early, torch.cat([late[:1], early])]
    yield "the last batch is empty", [torch.cat([early, late]), both, order[:0]]
    yield "the first batch is empty", [order[:0], early, late]
    yield "batches of many shapes", [
        torch.cat([early, both, late]).reshape(2, 3), order[0].reshape(()), strided(order[2:6].reshape(2, 2)),
        order[:0].reshape(2, 0), order[1:5].reshape(2, 1, 2),
    ]  # fmt: skip


def _moved_rows_cases(draw: Draw) -> Iterator[Case]:
    def case(optimizer: str, what: str, history: Sequence[torch.Tensor], size: int, criterion: str = "") -> Case:
        args = {"optimizer": optimizer, "history": list(history), "num_embeddings": size}
        because = _BECAUSE[optimizer] if history else "Without a step nothing moves."
        return Case(f"{optimizer}: {what}", args, criterion or _CRITERION[optimizer], because=because)

    size = draw.choice((11, 13))
    for optimizer in OPTIMIZERS:
        for what, history in _histories(draw, size):
            yield case(optimizer, what, history, size)
        yield case(optimizer, "row 0 and the last row", [torch.tensor([0, size - 1]), torch.tensor([3])], size)
        yield case(optimizer, "a table as large as the batch", [torch.tensor([4, 2, 2, 1, 4]), torch.tensor([1])], 5)
    nothing = torch.zeros(0, dtype=torch.int64)
    for optimizer in OPTIMIZERS:
        yield case(optimizer, "no steps", [], size, "nothing seen")
        yield case(optimizer, "steps whose batches are empty", [nothing, nothing.reshape(3, 0)], size, "nothing seen")


moved_rows = Exercise(
    id="02.moved_rows",
    title="Which rows move?",
    why="“Rows outside the batch are never updated” is widely believed; it depends on the optimizer, and on when you look.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("no memory", 1, "plain SGD and SparseAdam: rows of all batches so far"),
        Criterion("memory", 1, "momentum and Adam, which remember earlier gradients"),
        Criterion("decay", 1, "AdamW, whose weight decay needs no gradient"),
        Criterion("nothing seen", 1, "no steps at all, and steps whose batches are empty"),
    ),
    hints=(
        "Ask of a single row: was there any step at which this optimizer changed it? Later steps do not bring it back.",
        "Momentum and Adam move a row on after its batch has gone. But can they move one that never had a gradient?",
        "AdamW also multiplies each weight by 1 - lr * 0.01 at each step. Which rows does that need to have seen?",
        "An empty batch still ends in a step: its gradient is a whole table of zeros. A history without steps has none.",
    ),
    cases=_moved_rows_cases,
)
