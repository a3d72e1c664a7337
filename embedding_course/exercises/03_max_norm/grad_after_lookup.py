"""The gradient after a clipped lookup: cases and comparison."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, NamedParts, RandomInputs, show, strided
from ...checking.sparse_results import dense, in_parts
from ...messages import Message
from .tables import limit, small_limit, table
from .traces import gradient_at, like_before


def _run(
    candidate: Callable[..., Any],
    weight: torch.Tensor,
    ids: torch.Tensor,
    grad_fn: Mapping[str, Any],
    max_norm: float,
) -> NamedParts:
    """Call the answer with the gradient function cubic * out³ + slope * out + offset, and report the gradient it returns.

    The report also says whether the weight takes a gradient afterwards.
    """
    cubic, slope, offset = grad_fn["cubic"], grad_fn["slope"], grad_fn["offset"]

    def gradient(out: torch.Tensor) -> torch.Tensor:
        return cubic * out**3 + slope * out + offset

    result = candidate(weight, ids, gradient, max_norm)
    return NamedParts({"gradient": in_parts(result), "gradient at weight afterwards": gradient_at(weight)})


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        weight: torch.Tensor,
        ids: torch.Tensor,
        max_norm: float,
        criterion: str,
        because: str = "",
        cubic: float = 0.0,
        slope: float | torch.Tensor = 0.0,
        offset: float | torch.Tensor = 0.0,
    ) -> Case:
        grad_fn = {"cubic": cubic, "slope": slope, "offset": offset}
        terms = ((cubic, " * out**3"), (slope, " * out"), (offset, ""))
        body = " + ".join(f"{show(factor)}{power}" for factor, power in terms if not _is_zero(factor))
        call = f"grad_after_lookup({show(weight)}, {show(ids)}, lambda out: {body}, {max_norm})"
        args = {"weight": weight, "ids": ids, "grad_fn": grad_fn, "max_norm": max_norm}
        return Case(name, args, criterion, call=call, because=because)

    def offsets(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return a random number, away from 0, for each number of `out`, so that no two positions have the same gradient."""
        return draw.uniform(*shape, low=0.5, high=3.0, dtype=dtype)

    width, length = draw.sizes(2, smallest=3)
    rows = draw.choice([size for size in (5, 7, 11) if size not in (width, length)])
    count = min(length, rows - 1)
    top = limit(draw)
    ids = draw.distinct(count, rows)
    yield case("short rows, the gradient is 2 * out", table(draw, rows, width, top, long=False), ids, top, "its place",
               "Rows that were not looked up have gradient 0.", slope=2.0).trying(
        "also afterwards", "rows that were not looked")
    yield case("short rows, a different gradient at each position", table(draw, rows, width, top, long=False), ids, top,
               "its place", offset=offsets(count, width)).trying("and returns")
    ids = draw.distinct(width - 1, width)
    yield case("as many rows as columns", table(draw, width, width, top, long=False), ids, top, "its place",
               slope=-1.5, offset=offsets(width - 1, width)).trying("(V, d) gradient")

    ids = draw.distinct(count, rows)
    clipped = "The table is clipped before anything is computed from it, and clipping itself is not differentiated."
    yield case("long rows, the gradient is 2 * out", table(draw, rows, width, top, long=True), ids, top, "clipped row",
               clipped, slope=2.0).trying("Return the gradient that PyTorch", "For the loss")
    yield case("long and short rows", table(draw, rows, width, top), draw.distinct(rows, rows), top, "clipped row",
               clipped, cubic=0.5, slope=-1.0, offset=offsets(rows, width)).trying(
        "Return the gradient that PyTorch", "The lookup is", "`weight` as its table",
        "also afterwards", "(V, d) gradient")
    square = table(draw, width, width, top)
    yield case("as many rows as columns, long and short ones", square, draw.distinct(width, width), top, "clipped row",
               clipped, slope=2.0).trying("(V, d) floating")
    yield case("long rows, a gradient that does not depend on out", table(draw, rows, width, top, long=True), ids, top,
               "clipped row", offset=offsets(count, width)).trying("`weight` as its table")

    small = small_limit(draw)
    yield case("max_norm far below 1", table(draw, rows, width, small), draw.distinct(rows, rows), small, "clipped row",
               "A row of length 0.5 is too long here.", slope=2.0, offset=offsets(rows, width)).trying(
        "The lookup is", "max_norm the greatest", "PyTorch first clips row (3, 4)")
    example = torch.tensor([[3.0, 4.0], [1.0, 2.0]])
    yield case("docstring example", example, torch.tensor([0]), 1.0, "clipped row", clipped, slope=2.0).trying(
        "rows that were not looked", "For the loss", "PyTorch first clips row (3, 4)")

    added = "Every occurrence of an id adds its own gradient to the row."
    ids = torch.tensor(draw.shuffled(draw.distinct(rows // 2, rows).tolist() * 2))
    yield case("repeated ids", table(draw, rows, width, top), ids, top, "repeats", added, slope=2.0).trying(
        "Return the gradient that PyTorch", "ids int64", "takes the whole")
    ids = torch.tensor(draw.shuffled([*ids.tolist(), int(ids[0])]))
    yield case("repeated ids, another gradient at each", table(draw, rows, width, top), ids, top, "repeats", added,
               slope=offsets(len(ids), 1), offset=offsets(len(ids), width)).trying(
        "The lookup is", "and returns")
    ids = draw.ids((), rows).expand(length).clone()
    yield case("one id, many times", table(draw, rows, width, top, long=True), ids, top, "repeats", added,
               slope=0.7, offset=offsets(length, width)).trying("ids int64", "The gradient of the loss at")

    for name, shape in (("ids of shape (B, T)", (2, 3)), ("ids of shape (A, B, T)", (3, 1, 2)), ("a single id", ())):
        top = limit(draw)
        because = f"`out` has the shape of ids and then the width: {(*shape, width)}."
        yield case(name, table(draw, rows, width, top), draw.ids(shape, rows), top, "any ids", because,
                   slope=0.5, offset=offsets(*shape, width)).trying(
            "ids int64", "takes the whole", "rows that were not looked", "The gradient of the loss at")
    yield case("no ids", table(draw, rows, width, top), draw.ids((0,), rows), top, "any ids", slope=2.0).trying(
        "ids int64", "(V, d) gradient")
    gaps = strided(draw.ids((3, 2), rows))
    yield case("ids and weight with gaps in memory", strided(table(draw, rows, width, top)), gaps, top, "any ids",
               slope=2.0, offset=offsets(3, 2, width)).trying("ids int64")
    weight = table(draw, rows, width, top, close=True)
    yield case("rows close to max_norm", weight, draw.distinct(rows, rows), top, "any ids",
               "A row that is a little too long is clipped as well.", slope=2.0).trying(
        "`weight` as its table", "max_norm the greatest")
    weight = table(draw, rows, width, top)
    ids = draw.ids(length, rows)
    weight[int(ids[0])] = 0.0
    yield case("a row of zeros", weight, ids, top, "any ids", "A row of zeros is not clipped.",
               slope=2.0, offset=offsets(length, width)).trying("PyTorch first clips row (3, 4)")
    weight = table(draw, rows, width, 12.5, dtype=torch.float64)  # torch adds 1e-7 to the norm: of no account here
    yield case("float64", weight, ids, 12.5, "any ids", slope=0.3,
               offset=offsets(length, width, dtype=torch.float64)).trying("(V, d) floating")
    yield case("large values", table(draw, rows, width, 2500.0), ids, 2500.0, "any ids", slope=-3.0).trying("(V, d) floating")


def _is_zero(factor: float | torch.Tensor) -> bool:
    return not isinstance(factor, torch.Tensor) and factor == 0


grad_after_lookup = Exercise(
    id="03.grad_after_lookup",
    title="The gradient after a clipped lookup",
    why="PyTorch takes the gradient at the clipped row, and no gradient flows through the clipping. "
    "Differentiating the formula of the clip gives another gradient.",
    difficulty=3,
    minutes=15,
    criteria=(
        Criterion("its place", 1.5, "each looked-up row has the gradient of its position in out, all others have 0"),
        Criterion("clipped row", 2.5, "the gradient is taken at the clipped row, and not through the norm"),
        Criterion("repeats", 1.5, "every occurrence of an id adds its gradient"),
        Criterion(
            "any ids", 1.5, "ids of any shape, zero rows, rows close to max_norm, float64, large values, any memory layout"
        ),
    ),
    hints=(
        "First ask what `out` is. With max_norm it is not weight[ids].",
        "The gradient at out is grad_fn(out), for the whole of out at once. You need not differentiate anything else.",
        "From out to the table it is the backward pass of a lookup, as in notebook 02: add each vector to the row of "
        "its id. The clipped copy takes the place of the table.",
        "Clip the looked-up rows of a copy, index it with ids and call grad_fn. Then `index_add_` the result, as one "
        "vector a row, into zeros of the weight's shape.",
    ),
    cases=_cases,
    run=_run,
    compare=Comparison(rules={
        "gradient": dense("gradient"),
        "gradient at weight afterwards": like_before(
            Message("The weight came without requires_grad, and requires it after the call.")
        ),
    }),
    uses=("renorm_rows", "lookup_with_max_norm_"),
)
