"""Cutting the width into heads: cases and comparison."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .gradients import compare_with_gradients, differentiable, with_printed_calls
from .heads import SQUARES, counted, some_sizes


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, heads: int, criterion: str, because: str = "", **options: object) -> Case:
        return Case(name, {"x": x, "heads": heads}, criterion, options, because=because)

    batch, time, heads, width = some_sizes(draw)
    slices = "Head i holds the columns from i * d / h on, d / h of them, for every position."
    yield case("two positions, three heads of two columns", counted(1, 2, 6), 3, "columns", slices)
    yield case("a batch", draw.normal(batch, time, heads * width), heads, "columns", slices).trying("x tensor", "h, how many")
    for name, (b, t, h, w) in SQUARES:
        yield case(name, draw.normal(b, t, h * w), h, "columns", slices)
    yield case("a single head", draw.normal(batch, time, width), 1, "any sizes", "One head holds all columns.").trying(
        "h, how many")
    yield case("heads of one column", draw.normal(batch, time, heads), heads, "any sizes", slices).trying("h, how many")
    yield case("one position", draw.normal(batch, 1, heads * width), heads, "any sizes", slices).trying("x tensor")
    yield case("memory with gaps", strided(draw.normal(batch, time, heads * width)), heads, "any sizes", slices).trying(
        "x tensor")
    yield case("float64", draw.normal(batch, time, heads * width, dtype=torch.float64), heads, "any sizes").trying("x tensor")
    yield case("large values", draw.normal(batch, time, heads * width, scale=1e4), heads, "any sizes")
    yield case("whole numbers", counted(2, 3, 4).long(), 2, "any sizes",
               "Numbers are moved, not computed: ints stay ints.").trying("x tensor")
    yield case("gradients", draw.normal(batch, time, heads * width), heads, "any sizes",
               "Every number of x stands in one head and gets its gradient from there.",
               upstream=[draw.normal(batch, heads, time, width)]).trying("returns")

    yield case("docstring example", torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]]), 2, "any sizes", slices).trying("returns")

    refused = "{} heads cannot share {} columns evenly: the docstring asks for a ValueError."
    for name, h, w in (("two heads, seven columns", 2, 7), ("four heads, six columns", 4, 6),
                       ("more heads than columns", 6, 3)):
        # Two sentences: the heads divide the count of all numbers, and still not the width.
        yield case(name, draw.normal(2, 2 * time, w), h, "no remainder", refused.format(h, w))
    total = draw.choice((2 * 5, 3 * 7))
    yield case("one column too many", draw.normal(2, 3, total + 1), total // 2, "no remainder",
               refused.format(total // 2, total + 1))


split_heads = Exercise(
    id="07.split_heads",
    title="One width, many heads",
    why="Heads are nothing but slices of the width; a wrong cut mixes positions, and no error is raised.",
    difficulty=1,
    minutes=10,
    core=False,
    criteria=(
        Criterion("columns", 0.5, "head i holds its slice of the columns, for each position of each sentence",
                  tries=("returns",)),
        Criterion("any sizes", 0.5, "one head, one column, one position, any layout in memory, whole numbers, and gradients"),
        Criterion("no remainder", 1, "ValueError when the heads do not divide the width", tries=("it divides",)),
    ),
    hints=(
        "Take one sentence of two positions with the columns 0 to 5, and write down what the two heads hold.",
        "Cut only the last axis in two, (B, T, h, d / h): each position keeps its own numbers. Then two axes are swapped.",
        "`reshape` alone cannot put h before T: it never changes the order of the numbers. A remainder of d by h is what "
        "should raise ValueError.",
    ),
    cases=with_printed_calls("split_heads", _cases),
    of_driver=("upstream",),
    run=differentiable("x"),
    compare=compare_with_gradients("x"),
)
