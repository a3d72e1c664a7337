"""Cutting the width into heads and joining them again: cases and comparison."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided
from .gradients import compare_with_gradients, differentiable, told

__all__ = ["merge_heads", "split_heads"]


def _sizes(draw: Draw) -> tuple[int, int, int, int]:
    """B, T, h and d / h: distinct primes."""
    batch, time, heads, width = draw.shuffled((2, 3, 5, 7))
    return batch, time, heads, width


_SQUARES = (
    ("as many heads as positions", (2, 3, 3, 5)),
    ("as many heads as columns in each", (2, 5, 3, 3)),
    ("as many positions as columns in each head", (2, 3, 5, 3)),
    ("as many heads as sentences", (3, 2, 3, 5)),
    ("sizes that are all equal", (3, 3, 3, 3)),
)


def _counted(batch: int, time: int, width: int) -> torch.Tensor:
    """Every number tells its place: 100 for the sentence, 10 for the position, 1 for the column."""
    places = torch.meshgrid(torch.arange(batch), torch.arange(time), torch.arange(width), indexing="ij")
    return (100 * places[0] + 10 * places[1] + places[2]).float()


def _split_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, heads: int, criterion: str, because: str = "", **options: object) -> Case:
        return Case(name, {"x": x, "heads": heads}, criterion, options, because=because)

    batch, time, heads, width = _sizes(draw)
    slices = "Head i holds the columns from i * d / h on, d / h of them, for every position."
    yield case("two positions, three heads of two columns", _counted(1, 2, 6), 3, "columns", slices)
    yield case("a batch", draw.normal(batch, time, heads * width), heads, "columns", slices)
    for name, (b, t, h, w) in _SQUARES:
        yield case(name, draw.normal(b, t, h * w), h, "columns", slices)
    yield case("a single head", draw.normal(batch, time, width), 1, "columns", "One head holds all columns.")
    yield case("heads of one column", draw.normal(batch, time, heads), heads, "columns", slices)
    yield case("one position", draw.normal(batch, 1, heads * width), heads, "columns", slices)
    yield case("memory with gaps", strided(draw.normal(batch, time, heads * width)), heads, "columns", slices)
    yield case("float64", draw.normal(batch, time, heads * width, dtype=torch.float64), heads, "columns")
    yield case("large values", draw.normal(batch, time, heads * width, scale=1e4), heads, "columns")
    yield case("whole numbers", _counted(2, 3, 4).long(), 2, "columns", "Numbers are moved, not computed: ints stay ints.")
    yield case("gradients", draw.normal(batch, time, heads * width), heads, "columns",
               "Every number of x stands in one head and gets its gradient from there.",
               upstream=[draw.normal(batch, heads, time, width)])  # fmt: skip

    refused = "{} heads cannot share {} columns evenly: the docstring asks for a ValueError."
    for name, h, w in (("two heads, seven columns", 2, 7), ("four heads, six columns", 4, 6),
                       ("more heads than columns", 6, 3)):  # fmt: skip
        # Two sentences: the heads divide the count of all numbers, and still not the width.
        yield case(name, draw.normal(2, 2 * time, w), h, "no remainder", refused.format(h, w))
    total = draw.choice((2 * 5, 3 * 7))
    yield case("one column too many", draw.normal(2, 3, total + 1), total // 2, "no remainder",
               refused.format(total // 2, total + 1))  # fmt: skip


split_heads = Exercise(
    id="07.split_heads",
    title="One width, many heads",
    why="Heads are nothing but slices of the width; a wrong cut mixes positions, and no error tells of it.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("columns", 1, "head i holds its slice of the columns, for each position of each sentence"),
        Criterion("no remainder", 1, "ValueError when the heads do not divide the width"),
    ),
    hints=(
        "Take one sentence of two positions with the columns 0 to 5, and write down what the two heads hold.",
        "Cut only the last axis in two, (B, T, h, d / h): each position keeps its own numbers. Then two axes change places.",
        "`reshape` alone cannot put h before T: it never changes the order of the numbers. A remainder of d by h is what "
        "should raise ValueError.",
    ),
    cases=told("split_heads", _split_cases),
    run=differentiable("x"),
    compare=compare_with_gradients("x"),
)


def _merge_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, because: str = "", **options: object) -> Case:
        return Case(name, {"x": x}, criterion, options, because=because)

    batch, time, heads, width = _sizes(draw)
    beside = "Position t gets the numbers of its heads side by side, head 0 first."
    split = _counted(1, 2, 6).reshape(1, 2, 3, 2).permute(0, 2, 1, 3).contiguous()
    yield case("three heads, two positions, two columns", split, "side by side", beside)
    yield case("a batch", draw.normal(batch, heads, time, width), "side by side", beside)
    for name, (b, t, h, w) in _SQUARES:
        yield case(name, draw.normal(b, h, t, w), "side by side", beside)

    yield case("a single head", draw.normal(batch, 1, time, width), "any sizes")
    yield case("heads of one column", draw.normal(batch, heads, time, 1), "any sizes")
    yield case("one position", draw.normal(batch, heads, 1, width), "any sizes")
    yield case("one sentence, one head", draw.normal(1, 1, time, width), "any sizes")
    yield case("all sizes 1", draw.normal(1, 1, 1, 1), "any sizes")
    yield case("memory with gaps", strided(draw.normal(batch, heads, time, width)), "any sizes")
    yield case("heads that are a view", draw.normal(batch, heads, time, width), "any sizes",
               "Axes need not lie in memory in the order in which they are counted.", turned=True)  # fmt: skip
    yield case("float64", draw.normal(batch, heads, time, width, dtype=torch.float64), "any sizes")
    yield case("large values", draw.normal(batch, heads, time, width, scale=1e4), "any sizes")
    whole = _counted(2, 3, 4).long().reshape(2, 3, 2, 2).transpose(1, 2).contiguous()
    yield case("whole numbers", whole, "any sizes", "Numbers are moved, not computed: ints stay ints.")
    yield case("gradients", draw.normal(batch, heads, time, width), "any sizes",
               "Every number of x stands at one place of the result and gets its gradient from there.",
               upstream=[draw.normal(batch, time, heads * width)])  # fmt: skip


merge_heads = Exercise(
    id="07.merge_heads",
    title="Heads side by side",
    why="The way back must undo the cut exactly, or the next layer reads one word's numbers as another's.",
    difficulty=1,
    minutes=6,
    criteria=(
        Criterion("side by side", 1, "the inverse of split_heads: each position gets its heads side by side"),
        Criterion("any sizes", 1, "one head, one column, one position, any memory layout, and gradients"),
    ),
    hints=(
        "Undo the two steps of `split_heads`, the last one first.",
        "Before the two axes h and d / h can become one, they have to stand next to each other.",
        "After a transpose the numbers do not lie in order in memory, and `view` refuses them; `reshape` and `flatten` "
        "copy where they must.",
    ),
    cases=told("merge_heads", _merge_cases),
    run=differentiable("x"),
    compare=compare_with_gradients("x"),
)
