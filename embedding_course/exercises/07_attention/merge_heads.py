"""Joining heads again: cases and comparison."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .gradients import compare_with_gradients, differentiable, with_printed_calls
from .heads import SQUARES, counted, some_sizes


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, because: str = "", **options: object) -> Case:
        return Case(name, {"x": x}, criterion, options, because=because)

    batch, time, heads, width = some_sizes(draw)
    beside = "Position t gets the numbers of its heads side by side, head 0 first."
    split = counted(1, 2, 6).reshape(1, 2, 3, 2).permute(0, 2, 1, 3).contiguous()
    yield case("three heads, two positions, two columns", split, "side by side", beside)
    yield case("a batch", draw.normal(batch, heads, time, width), "side by side", beside).trying("x tensor")
    for name, (b, t, h, w) in SQUARES:
        yield case(name, draw.normal(b, h, t, w), "side by side", beside)

    yield case("a single head", draw.normal(batch, 1, time, width), "any sizes").trying("x tensor")
    yield case("heads of one column", draw.normal(batch, heads, time, 1), "any sizes").trying("x tensor")
    yield case("one position", draw.normal(batch, heads, 1, width), "any sizes")
    yield case("one sentence, one head", draw.normal(1, 1, time, width), "any sizes")
    yield case("all sizes 1", draw.normal(1, 1, 1, 1), "any sizes")
    yield case("memory with gaps", strided(draw.normal(batch, heads, time, width)), "any sizes").trying("x tensor")
    yield case("heads that are a view", draw.normal(batch, heads, time, width), "any sizes",
               "Axes need not lie in memory in the order in which they are counted.", turned=True).trying("x tensor")
    yield case("float64", draw.normal(batch, heads, time, width, dtype=torch.float64), "any sizes").trying("x tensor")
    yield case("large values", draw.normal(batch, heads, time, width, scale=1e4), "any sizes")
    whole = counted(2, 3, 4).long().reshape(2, 3, 2, 2).transpose(1, 2).contiguous()
    yield case("whole numbers", whole, "any sizes", "Numbers are moved, not computed: ints stay ints.").trying("x tensor")
    yield case("docstring example", torch.tensor([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]]), "any sizes", beside).trying("returns")
    yield case("gradients", draw.normal(batch, heads, time, width), "any sizes",
               "Every number of x stands at one position of the result and gets its gradient from there.",
               upstream=[draw.normal(batch, time, heads * width)]).trying("returns")


merge_heads = Exercise(
    id="07.merge_heads",
    title="Heads side by side",
    why="The way back must undo the cut exactly, or the next layer takes the numbers of one word for those of another.",
    difficulty=1,
    minutes=7,
    core=False,
    criteria=(
        Criterion("side by side", 1, "the inverse of split_heads: each position gets its heads side by side",
                  tries=("returns",)),
        Criterion("any sizes", 1, "one head, one column, one position, any memory layout, and gradients"),
    ),
    hints=(
        "Undo the two steps of `split_heads`, the last one first.",
        "Before the two axes h and d / h can become one, they have to stand next to each other.",
        "After a transpose the numbers do not lie in order in memory, and `view` refuses them; `reshape` and `flatten` "
        "copy where they must.",
    ),
    cases=with_printed_calls("merge_heads", _cases),
    of_driver=("turned", "upstream"),
    run=differentiable("x"),
    compare=compare_with_gradients("x"),
)
