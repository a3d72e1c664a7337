"""One table at both ends: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, show, strided
from ...messages import Message
from .tables import limit, small_limit, table


def _run(
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
    parts = NamedParts({"scores": scores})
    if grad_output is not None:
        if scores.requires_grad:
            scores.retain_grad()
            scores.backward(grad_output)
        parts["gradient at the scores"] = scores.grad
        parts["gradient of embedding.weight"] = weight.grad
    return parts


def _arrives(part: Message, why: Message) -> Callable[[Any, Any, Case], Mismatch | None]:
    """Return the rule for a gradient that must arrive; `why` says what may be wrong if none does."""

    def rule(expected: torch.Tensor, got: Any, _: Case) -> Mismatch | None:
        return Mismatch("property", why) if got is None else Comparison().leaf(expected, got, part)

    return rule


def _cases(draw: RandomInputs) -> Iterator[Case]:
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

    yield case("short rows", some(False), draw.ids((batch, time), rows), top, "scores").trying("ids (B, T)")
    yield case("as many words as columns", table(draw, width, width, top, long=False), draw.ids((batch, time), width),
               top, "scores")
    yield case("short rows, as many sentences as words", some(False), draw.ids((rows, time), rows), top, "scores")
    twice = torch.stack([draw.distinct(2, rows)[[0, 1, 0]] for _ in range(batch)])
    yield case("short rows, repeated words", some(False), twice, top, "scores",
               "A word that occurs twice counts twice in the mean.").trying("ids (B, T)")

    both = "The looked-up rows are short on both sides of the product; the other rows keep their length."
    yield case("long rows", some(True), draw.distinct(4, rows).reshape(2, 2), top, "clipped", both).trying(
        "as if the looked-up", "rows that were not looked", "The table may be clipped")
    yield case("long and short rows", some(None), draw.ids((batch, time), rows), top, "clipped", both).trying(
        "as if the looked-up", "rows that were not looked")
    small = small_limit(draw)
    yield case("max_norm far below 1", table(draw, rows, width, small), draw.ids((batch, time), rows), small, "clipped",
               "A row of length 0.5 is too long here.")
    example = torch.tensor([[3.0, 4.0], [5.0, 0.0]])
    yield case("docstring example", example, torch.tensor([[0, 0]]), 1.0, "clipped", both).trying(
        "as if the looked-up", "rows that were not looked")
    power = draw.choice((1.25, 1.5, 2.5, 3.5))
    for name, norm_type in (("the sum of absolute values", 1.0), ("the largest absolute value", float("inf")),
                            ("the cubic norm", 3.0), ("the norm of another power", power)):
        weight = table(draw, rows, width, top, long=True, norm_type=norm_type)
        because = f"With norm_type={norm_type} the length of a row is {name}."
        yield case(name, weight, draw.ids((batch, time), rows), top, "clipped", because, norm_type)

    arrives = "A gradient arrives by the lookup and by the product with the table, and none through the norm."
    ids = draw.ids((batch, time), rows)
    yield case("gradient, short rows", some(False), ids, top, "gradient", arrives, backward=True).trying("A backward")
    yield case("gradient, long rows", some(True), draw.distinct(4, rows).reshape(2, 2), top, "gradient", arrives,
               backward=True).trying("and not through", "The table may be clipped")
    yield case("gradient, long and short rows, repeated words", some(None),
               torch.cat([draw.ids((batch, time), rows), draw.ids((batch, 1), rows).repeat(1, 2)], dim=1), top,
               "gradient", arrives, backward=True).trying("A backward")

    yield case("one sentence", some(None), draw.ids((1, time), rows), top, "any table").trying("ids (B, T)")
    yield case("one word a sentence", some(True), draw.distinct(batch, rows).reshape(batch, 1), top, "any table", both).trying(
        "ids (B, T)")
    yield case("ids with gaps in memory", some(True), strided(draw.ids((batch, time), rows)), top, "any table").trying(
        "ids (B, T)")
    yield case("rows close to max_norm", table(draw, rows, width, top, close=True), draw.ids((batch, time), rows), top,
               "any table", "A row that is a little too long is clipped as well.").trying("as if the looked-up")
    weight = some(True)
    ids = draw.ids((batch, time), rows)
    weight[int(ids[0, 0])] = 0.0
    yield case("a row of zeros", weight, ids, top, "any table", "A row of zeros is not clipped.", backward=True)
    double = table(draw, rows, width, 12.5, dtype=torch.float64)  # torch adds 1e-7 to the norm: of no account here
    yield case("float64", double, draw.ids((batch, time), rows), 12.5, "any table").trying("embedding nn.Embedding")
    large = table(draw, rows, width, 300.0)
    yield case("large values", large, draw.ids((batch, time), rows), 300.0, "any table")
    yield case("gradient, one word in one sentence", some(True), draw.ids((1, 1), rows), top, "any table", arrives,
               backward=True).trying("and not through")
    double = table(draw, width, width, 12.5, dtype=torch.float64)
    yield case("gradient, float64", double, draw.ids((batch, time), width), 12.5, "any table", arrives, backward=True).trying(
        "A backward")


tied_scores = Exercise(
    id="03.tied_scores",
    title="One table at both ends",
    why="Many models use one table for input and output, and max_norm writes to it between the two uses.",
    difficulty=2,
    minutes=14,
    core=False,
    criteria=(
        Criterion("scores", 1, "the mean of the looked-up vectors times every row of the table", tries=("(B, V): the mean",)),
        Criterion("clipped", 1, "looked-up rows are clipped wherever they are used, other rows are not",
                  tries=("embedding nn.Embedding",)),
        Criterion("gradient", 1.5, "backward reaches the table by both of its uses, and not through the norm"),
        Criterion("any table", 0.5, "one sentence, one word, zero rows, rows close to max_norm, float64, large values"),
    ),
    hints=(
        "The product must see the clipped rows. Which of the two uses of the table must come first?",
        "`embedding(ids)` clips the rows in `embedding.weight` itself. What you compute from the weight afterwards uses "
        "the clipped rows. A `clone()` from before does not.",
        "Nothing may write to the weight between its product and the backward pass. So do all lookups first, in one "
        "call, and multiply by the table once, at the end.",
        "Take the mean of the looked-up vectors over the words (dim=1), then the matrix product with the transposed weight.",
    ),
    cases=_cases,
    of_driver=("table", "max_norm", "norm_type", "grad_output"),
    run=_run,
    compare=Comparison(rules={
        "gradient at the scores": _arrives(
            Message("the gradient at the scores"),
            Message("The scores carry no graph, so nothing can flow back: were they detached?"),
        ),
        "gradient of embedding.weight": _arrives(
            Message("the gradient of embedding.weight"),
            Message("No gradient reaches embedding.weight: does it end in a copy, or in another parameter?"),
        ),
    }),
    uses=("renorm_rows", "lookup_with_max_norm_"),
)
