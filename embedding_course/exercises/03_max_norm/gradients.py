"""What max_norm does to gradients: cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...gradient_rules import gradient_rules, has_graph
from ...plain import Parts, strided
from ...show import show
from .tables import limit, table

__all__ = ["grad_after_lookup", "tied_scores"]


def _run_grad(
    candidate: Callable[..., Any],
    weight: torch.Tensor,
    ids: torch.Tensor,
    grad_fn: Mapping[str, Any],
    max_norm: float,
) -> Any:
    """Call with a gradient that is built here, cubic * out³ + slope * out + offset; say also whether the result is dense
    (sparse tensors travel as dense ones), and whether the weight still is a plain tensor."""
    cubic, slope, offset = grad_fn["cubic"], grad_fn["slope"], grad_fn["offset"]

    def gradient(out: torch.Tensor) -> torch.Tensor:
        return cubic * out**3 + slope * out + offset

    result = candidate(weight, ids, gradient, max_norm)
    layout = "dense" if not isinstance(result, torch.Tensor) or result.layout is torch.strided else "sparse"
    plain = not weight.requires_grad
    return Parts({"gradient": result, "layout of the gradient": layout, "requires_grad of weight kept": plain})


def _stays_plain(_: Any, kept: Any, __: Case) -> Fault | None:
    said = "weight came without requires_grad, and requires it after the call"
    return None if kept is True else Fault("property", said)


def _grad_cases(draw: Draw) -> Iterator[Case]:
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

    def places(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """A number for each number of `out`, away from 0: no two places have the same gradient."""
        return draw.uniform(*shape, low=0.5, high=3.0, dtype=dtype)

    width, length = draw.sizes(2, smallest=3)
    rows = draw.choice([size for size in (5, 7, 11) if size not in (width, length)])
    count = min(length, rows - 1)
    top = limit(draw)
    ids = draw.distinct(count, rows)
    yield case("short rows, the gradient is 2 * out", table(draw, rows, width, top, long=False), ids, top, "its place",
               "Rows that were not looked up have gradient 0.", slope=2.0)  # fmt: skip
    yield case("short rows, a gradient of its own at every place", table(draw, rows, width, top, long=False), ids, top,
               "its place", offset=places(count, width))  # fmt: skip
    ids = draw.distinct(width - 1, width)
    yield case("as many rows as columns", table(draw, width, width, top, long=False), ids, top, "its place",
               slope=-1.5, offset=places(width - 1, width))  # fmt: skip

    ids = draw.distinct(count, rows)
    clipped = "The table is clipped before anything is computed from it, and clipping itself is not differentiated."
    yield case("long rows, the gradient is 2 * out", table(draw, rows, width, top, long=True), ids, top, "clipped row",
               clipped, slope=2.0)  # fmt: skip
    yield case("long and short rows", table(draw, rows, width, top), draw.distinct(rows, rows), top, "clipped row",
               clipped, cubic=0.5, slope=-1.0, offset=places(rows, width))  # fmt: skip
    square = table(draw, width, width, top)
    yield case("as many rows as columns, long and short ones", square, draw.distinct(width, width), top, "clipped row",
               clipped, slope=2.0)  # fmt: skip
    weight = table(draw, rows, width, top, close=True)
    yield case("rows close to max_norm", weight, draw.distinct(rows, rows), top, "clipped row",
               "A row that is a little too long is clipped as well.", slope=2.0)  # fmt: skip
    yield case("long rows, a gradient that does not depend on out", table(draw, rows, width, top, long=True), ids, top,
               "clipped row", offset=places(count, width))  # fmt: skip

    yield case("max_norm far below 1", table(draw, rows, width, 0.2), draw.distinct(rows, rows), 0.2, "clipped row",
               "A row of length 0.5 is too long here.", slope=2.0, offset=places(rows, width))  # fmt: skip

    added = "Every occurrence of an id adds its own gradient to the row."
    ids = torch.tensor(draw.shuffled(draw.distinct(rows // 2, rows).tolist() * 2))
    yield case("repeated ids", table(draw, rows, width, top), ids, top, "repeats", added, slope=2.0)
    ids = torch.tensor(draw.shuffled([*ids.tolist(), int(ids[0])]))
    yield case("repeated ids, another gradient at each", table(draw, rows, width, top), ids, top, "repeats", added,
               slope=places(len(ids), 1), offset=places(len(ids), width))  # fmt: skip
    ids = draw.ids((), rows).expand(length).clone()
    yield case("one id, many times", table(draw, rows, width, top, long=True), ids, top, "repeats", added,
               slope=0.7, offset=places(length, width))  # fmt: skip

    for name, shape in (("ids of shape (B, T)", (2, 3)), ("ids of shape (A, B, T)", (3, 1, 2)), ("a single id", ())):
        top = limit(draw)
        because = f"`out` has the shape of ids and then the width: {(*shape, width)}."
        yield case(name, table(draw, rows, width, top), draw.ids(shape, rows), top, "any ids", because,
                   slope=0.5, offset=places(*shape, width))  # fmt: skip
    yield case("no ids", table(draw, rows, width, top), draw.ids((0,), rows), top, "any ids", slope=2.0)
    gaps = strided(draw.ids((3, 2), rows))
    yield case("ids and weight with gaps in memory", strided(table(draw, rows, width, top)), gaps, top, "any ids",
               slope=2.0, offset=places(3, 2, width))  # fmt: skip
    weight = table(draw, rows, width, top)
    ids = draw.ids(length, rows)
    weight[int(ids[0])] = 0.0
    yield case("a row of zeros", weight, ids, top, "any ids", "A row of zeros is not clipped.",
               slope=2.0, offset=places(length, width))  # fmt: skip
    weight = table(draw, rows, width, 12.5, dtype=torch.float64)  # torch adds 1e-7 to the norm: of no account here
    yield case("float64", weight, ids, 12.5, "any ids", slope=0.3,
               offset=places(length, width, dtype=torch.float64))  # fmt: skip
    yield case("large values", table(draw, rows, width, 2500.0), ids, 2500.0, "any ids", slope=-3.0)


def _is_zero(factor: float | torch.Tensor) -> bool:
    return not isinstance(factor, torch.Tensor) and factor == 0


grad_after_lookup = Exercise(
    id="03.grad_after_lookup",
    title="The gradient after a clipped lookup",
    why="The gradient belongs to the clipped row, and none flows through the clipping: training sees another function "
    "than the one that a reader of the formula would differentiate.",
    difficulty=3,
    minutes=15,
    criteria=(
        Criterion("its place", 1, "each looked-up row has the gradient of its place in out, all others have 0"),
        Criterion("clipped row", 2, "the gradient is taken at the clipped row, and not through the norm"),
        Criterion("repeats", 1, "every occurrence of an id adds its gradient"),
        Criterion("any ids", 1, "ids of any shape, zero rows, float64, large values, any memory layout"),
    ),
    hints=(
        "First ask what `out` is: with max_norm it is not weight[ids].",
        "The gradient at out is grad_fn(out), for the whole of out at once. Nothing else needs to be differentiated.",
        "From out back to the table it is the lookup's backward pass of notebook 02: add each vector to the row that "
        "its id names. The clipped copy counts as the table itself.",
        "Clip the looked-up rows of a copy, index it with ids, call grad_fn, and `index_add_` the result (flattened to "
        "one vector a row) into zeros of the weight's shape.",
    ),
    cases=_grad_cases,
    run=_run_grad,
    compare=Same(rules={"requires_grad of weight kept": _stays_plain}),
    uses=("renorm_rows", "lookup_with_max_norm_"),
)


def _run_tied(
    candidate: Callable[..., Any],
    table: torch.Tensor,
    ids: torch.Tensor,
    max_norm: float,
    norm_type: float = 2.0,
    grad_output: torch.Tensor | None = None,
) -> Any:
    """Build the embedding, ask for scores, and with `grad_output` report what arrives at the table that was there."""
    rows, width = table.shape
    embedding = torch.nn.Embedding(rows, width, max_norm=max_norm, norm_type=norm_type, _weight=table.clone())
    weight = embedding.weight
    scores = candidate(embedding, ids)
    parts = Parts({"scores": scores})
    if grad_output is not None:
        parts["graph"] = bool(getattr(scores, "requires_grad", False))
        if parts["graph"]:
            scores.backward(grad_output)
        parts["gradient of embedding.weight"] = weight.grad
    return parts


def _tied_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        weight: torch.Tensor,
        ids: torch.Tensor,
        max_norm: float,
        criterion: str,
        because: str = "",
        norm_type: float = 2.0,
        backward: bool = False,
    ) -> Case:
        args = {"table": weight, "ids": ids, "max_norm": max_norm}
        options: dict[str, Any] = {} if norm_type == 2.0 else {"norm_type": norm_type}
        made = f"max_norm={max_norm}" + "".join(f", {key}={value}" for key, value in options.items())
        call = f"tied_scores(embedding, {show(ids)}) with embedding.weight = {show(weight)}, {made}"
        if backward:
            options["grad_output"] = draw.normal(len(ids), len(weight), dtype=weight.dtype)
            call += " and then scores.backward(...)"
        return Case(name, args, criterion, options, call, because)

    batch, time = draw.shuffled((2, 3))
    rows, width = draw.shuffled((5, 7))
    top = limit(draw)

    def some(long: bool | None) -> torch.Tensor:
        return table(draw, rows, width, top, long)

    yield case("short rows", some(False), draw.ids((batch, time), rows), top, "scores")
    yield case("as many words as columns", table(draw, width, width, top, long=False), draw.ids((batch, time), width),
               top, "scores")  # fmt: skip
    yield case("short rows, one sentence", some(False), draw.ids((1, time), rows), top, "scores")
    yield case("short rows, as many sentences as words", some(False), draw.ids((rows, time), rows), top, "scores")
    yield case("short rows, repeated words", some(False), draw.ids((batch, 1), rows).repeat(1, time), top, "scores")

    both = "The looked-up rows are short on both sides of the product; the other rows keep their length."
    yield case("long rows", some(True), draw.distinct(4, rows).reshape(2, 2), top, "clipped", both)
    yield case("long and short rows", some(None), draw.ids((batch, time), rows), top, "clipped", both)
    yield case("one word a sentence", some(True), draw.distinct(batch, rows).reshape(batch, 1), top, "clipped", both)
    yield case("max_norm far below 1", table(draw, rows, width, 0.2), draw.ids((batch, time), rows), 0.2, "clipped",
               "A row of length 0.5 is too long here.")  # fmt: skip
    yield case("rows close to max_norm", table(draw, rows, width, top, close=True), draw.ids((batch, time), rows), top,
               "clipped", "A row that is a little too long is clipped as well.")  # fmt: skip
    yield case("ids with gaps in memory", some(True), strided(draw.ids((batch, time), rows)), top, "clipped")
    double = table(draw, rows, width, 12.5, dtype=torch.float64)  # torch adds 1e-7 to the norm: of no account here
    yield case("float64", double, draw.ids((batch, time), rows), 12.5, "clipped")
    large = table(draw, rows, width, 300.0)
    yield case("large values", large, draw.ids((batch, time), rows), 300.0, "clipped")
    for name, norm_type in (("the sum of absolute values", 1.0), ("the largest absolute value", float("inf")),
                            ("the cubic norm", 3.0), ("the norm of power 1.5", 1.5)):  # fmt: skip
        weight = table(draw, rows, width, top, long=True, norm_type=norm_type)
        because = f"With norm_type={norm_type} the length of a row is {name}."
        yield case(name, weight, draw.ids((batch, time), rows), top, "clipped", because, norm_type)

    arrives = "A gradient arrives by the lookup and by the product with the table, and none through the norm."
    ids = draw.ids((batch, time), rows)
    yield case("gradient, short rows", some(False), ids, top, "gradient", arrives, backward=True)
    yield case("gradient, long rows", some(True), draw.distinct(4, rows).reshape(2, 2), top, "gradient", arrives,
               backward=True)  # fmt: skip
    yield case("gradient, long and short rows, repeated words", some(None),
               torch.cat([draw.ids((batch, time), rows), draw.ids((batch, 1), rows).repeat(1, 2)], dim=1), top,
               "gradient", arrives, backward=True)  # fmt: skip
    yield case("gradient, one word in one sentence", some(True), draw.ids((1, 1), rows), top, "gradient", arrives,
               backward=True)  # fmt: skip
    double = table(draw, width, width, 12.5, dtype=torch.float64)
    yield case("gradient, float64", double, draw.ids((batch, time), width), 12.5, "gradient", arrives, backward=True)


tied_scores = Exercise(
    id="03.tied_scores",
    title="One table at both ends",
    why="Tied input and output embeddings are common, and max_norm writes to the table between its two uses.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("scores", 1, "the mean of the looked-up vectors times every row of the table"),
        Criterion("clipped", 1, "looked-up rows are clipped wherever they are used, other rows are not"),
        Criterion("gradient", 2, "backward reaches the table by both of its uses, and not through the norm"),
    ),
    hints=(
        "Which of the two uses of the table must come first, if the second one is to see the clipped rows?",
        "Calling `embedding(ids)` clips the rows in `embedding.weight` itself; what you compute from the weight "
        "afterwards sees the clipped ones, and a `clone()` from before does not.",
        "What autograd saved of the weight must not be written to before backward. So do all the lookups first, in one "
        "call, and multiply with the table once, at the end.",
        "Mean over the words (dim=1) of what the lookup returned, then a matrix product with the weight's transpose.",
    ),
    cases=_tied_cases,
    run=_run_tied,
    compare=Same(rules={"graph": has_graph("tensor of scores"), **gradient_rules("embedding.weight")}),
    uses=("renorm_rows", "lookup_with_max_norm_"),
)
