"""The gradient of a lookup: cases and comparison."""

from collections.abc import Iterator
from functools import partial

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .batches import cancelling, dense_gradient, gradient_for, lookup_case, repeated, same_gradient, shuffled_rows


def _cases(draw: RandomInputs) -> Iterator[Case]:
    case = partial(lookup_case, draw)
    length, width = draw.shuffled((2, 3, 5))[:2]
    size = 7
    ids = shuffled_rows(draw, torch.cat([torch.zeros(1, dtype=torch.int64), 1 + draw.distinct(length - 1, size - 2)]))
    yield case("ids without repeats", ids, width, size, "rows",
               "A row that was not looked up has the gradient zero.").trying(
        "The lookup", "num_embeddings", "rows that do not occur")
    yield case("every row once", draw.distinct(width, width), width, width, "rows").trying(
        "The lookup", "grad_output the gradient", "returns")

    yield case("ids that repeat", repeated(draw, 11, size), width, size, "repeats",
               "A row that is used several times gets the sum of the gradients of its uses.").trying("returns")
    example = torch.tensor([[1.0, 0.0], [5.0, 5.0], [2.0, 3.0]])
    yield case("docstring example", torch.tensor([1, 2, 1]), 2, 4, "repeats", grad=example)
    yield case("one id, three times", torch.full((3,), draw.integer(0, size - 1)), width, size, "repeats")
    ids = torch.cat([draw.distinct(4, 5), draw.distinct(1, 4)])
    yield case("as many ids as rows and columns", ids, 5, 5, "repeats")
    ids = repeated(draw, 11, size)
    large = gradient_for(draw, ids, width, scale=1e4)
    yield case("large gradients", ids, width, size, "repeats", grad=large).trying("grad_output the gradient")
    ids, large = cancelling(draw, size, width)
    yield case("float64, large gradients that almost cancel", ids, width, size, "repeats", grad=large).trying("returns")

    batch, time = draw.sizes(2, smallest=3)
    ids = repeated(draw, batch * time, 2).reshape(batch, time)
    yield case("ids of shape (B, T)", ids, width, size, "any shape",
               "A repeat may be in the same sentence or in another one.").trying("int64 tensor", "grad_output the gradient")
    yield case("ids of shape (A, B, T)", draw.ids(draw.sizes(3), 5), width, 5, "any shape").trying("int64 tensor")
    yield case("a single id", draw.ids((), size), width, size, "any shape").trying(
        "also ()", "rows that do not occur")
    yield case("no ids", draw.ids((0,), size), width, size, "any shape").trying(
        "also ()", "num_embeddings", "returns")
    yield case("sentences without words", draw.ids((batch, 0), size), width, size, "any shape").trying(
        "also ()", "rows that do not occur")
    ids = draw.ids((batch, time), size)
    yield case("ids and gradients not contiguous in memory", strided(ids), width, size, "any shape",
               grad=strided(gradient_for(draw, ids, width))).trying("int64 tensor")
    yield case("a table of one row", torch.zeros(batch, dtype=torch.int64), width, 1, "any shape").trying("num_embeddings")
    yield case("vectors of one number", repeated(draw, 11, size), 1, size, "any shape").trying("grad_output the gradient")


embedding_grad = Exercise(
    id="02.embedding_grad",
    title="The gradient of a lookup",
    why="It says which rows of the table learn from a batch, and how much.",
    difficulty=2,
    minutes=17,
    criteria=(
        Criterion("rows", 1.5, "each row that is looked up once gets its gradient, the others get zero"),
        Criterion("repeats", 2.5, "a row that is looked up several times gets the sum", tries=("So dL/dE[i]",)),
        Criterion("any shape", 1, "ids of any shape, none at all included"),
    ),
    hints=(
        "Take ids [1, 2, 1] and gradients a, b, c at the three outputs. On paper, what does row 1 of the table get?",
        "Begin with the shapes: flatten ids to (N,) and grad_output to (N, d). Then there is only one case.",
        "`table[ids] += values` reads and writes every row once. So of two equal ids it adds only one.",
        "Loop over the N positions, or use the torch method that adds at an index.",
    ),
    cases=_cases,
    run=dense_gradient,
    compare=same_gradient,
)
