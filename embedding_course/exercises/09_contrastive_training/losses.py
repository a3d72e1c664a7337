"""Contrastive losses over pairs: cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...gradient_rules import gradient_rules, has_graph
from ...plain import Parts, strided
from ...show import show

__all__ = ["bundle", "clip_loss", "crossed", "info_nce", "loss_of", "printed_call", "same_loss", "unequal_lengths"]


def loss_of(*names: str) -> Callable[..., Parts]:
    """A driver for losses whose parameters have these names; with `learns`, those get a gradient, which is reported."""

    def run(candidate: Callable[..., Any], *args: Any, learns: Sequence[str] = (), **options: Any) -> Parts:
        given = {**dict(zip(names, args, strict=False)), **options}
        for name in learns:
            given[name].requires_grad_()
        loss = candidate(*args, **options)
        parts = Parts({"loss": loss})
        if learns:
            parts["graph"] = isinstance(loss, torch.Tensor) and loss.requires_grad
            if parts["graph"] and loss.ndim == 0:
                loss.backward()
            parts.update({f"gradient of {name}": given[name].grad for name in learns})
        return parts

    return run


def _loss(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    """Within rounding; a loss of 0 may come out as a little more or less."""
    if not isinstance(got, torch.Tensor):
        return Same().leaf(expected, got, "the loss")
    double = expected.dtype == torch.float64
    limit = (1e-6 if double else 1e-4) * float(expected.abs()) + (1e-9 if double else 1e-6)
    return Same().leaf(expected, got, "the loss", limit)


def same_loss(*names: str) -> Same:
    return Same(rules={"loss": _loss, "graph": has_graph("loss"), **gradient_rules(*names)})


def printed_call(name: str, args: dict[str, Any], options: dict[str, Any], learns: Sequence[str]) -> str:
    given = [show(value) for value in args.values()] + [f"{key}={show(value)}" for key, value in options.items()]
    said = f"{name}({', '.join(given)})"
    return said + (f" and then backward(), where {' and '.join(learns)} require{'s' * (len(learns) == 1)} grad"
                   if learns else "")  # fmt: skip


def unequal_lengths(draw: Draw, rows: torch.Tensor) -> torch.Tensor:
    """The same directions with lengths from 0.3 to 50: a dot product is then far from a cosine."""
    sizes = torch.logspace(-0.5, 1.7, len(rows), dtype=rows.dtype)[draw.distinct(len(rows), len(rows))]
    return rows / torch.linalg.vector_norm(rows, dim=1, keepdim=True) * sizes[:, None]


def crossed(draw: Draw, rows: int, width: int, own: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Two sets of vectors: row i of the second has the cosine 0.95 with another row of the first, and with row i
    0.32 (or, with own=-1, -0.32)."""
    first = torch.linalg.qr(draw.normal(width, rows))[0].T
    return 2 * first, 3 * first.roll(1, 0) + own * first + 0.01 * draw.normal(rows, width)


def bundle(draw: Draw, rows: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """(rows, width) vectors around one direction, and that direction."""
    middle = draw.normal(1, width)
    middle = middle / middle.norm()
    spread = draw.normal(rows, width)
    return middle + 0.2 * spread / torch.linalg.vector_norm(spread, dim=1, keepdim=True), middle


def _info_nce_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        queries: torch.Tensor,
        positives: torch.Tensor,
        scale: float | torch.Tensor,
        criterion: str,
        because: str = "",
        learns: Sequence[str] = (),
        by_position: torch.Tensor | None = None,
        **options: Any,
    ) -> Case:
        args = {"queries": queries, "positives": positives, "scale": scale}
        if by_position is not None:
            args["negatives"] = by_position
        call = printed_call("info_nce", args, options, learns)
        if learns:
            options["learns"] = list(learns)
        return Case(name, args, criterion, options, call, because)

    def pair(rows: int, width: int, **more: Any) -> tuple[torch.Tensor, torch.Tensor]:
        return draw.normal(rows, width, **more), draw.normal(rows, width, **more)

    rows, width, extra = draw.shuffled((3, 5, 7))
    others = "For each query every positive of the batch is a candidate, and its own is the right one."
    yield case("a batch of two", *pair(2, 3), 3.0, "in-batch", others)
    yield case("a larger batch", *pair(rows, width), 5.0, "in-batch", others)
    yield case("as many rows as columns", *pair(5, 5), 4.0, "in-batch")
    long, far = (unequal_lengths(draw, part) for part in pair(rows, width))
    yield case("vectors of very different lengths", long, far, 4.0, "in-batch", "A cosine does not depend on lengths.")
    yield case("one row alone", *pair(1, width), 3.0, "in-batch", "There is nothing to mistake it for: the loss is 0.")
    yield case("a small scale", *pair(rows, width), 0.5, "in-batch")

    shared = "The negatives are candidates for every row, beside the positives of the other rows."
    yield case("shared negatives", *pair(rows, width), 4.0, "negatives", shared, negatives=draw.normal(extra, width))
    yield case("as many negatives as rows", *pair(rows, width), 4.0, "negatives", shared,
               by_position=draw.normal(rows, width))  # fmt: skip
    yield case("as many negatives as rows and columns", *pair(5, 5), 4.0, "negatives", negatives=draw.normal(5, 5))
    yield case("one negative for all", *pair(rows, width), 4.0, "negatives", negatives=draw.normal(1, width))
    yield case("one row and negatives", *pair(1, width), 3.0, "negatives", negatives=draw.normal(extra, width))
    long = unequal_lengths(draw, draw.normal(extra, width))
    yield case("negatives of very different lengths", *pair(rows, width), 4.0, "negatives", negatives=long)
    yield case("an empty tensor of negatives", *pair(rows, width), 4.0, "negatives", negatives=draw.normal(0, width))
    yield case("negatives=None", *pair(rows, width), 4.0, "negatives", negatives=None)
    gaps = strided(draw.normal(extra, width))
    yield case("negatives with gaps in memory", *pair(rows, width), 4.0, "negatives", negatives=gaps)
    queries, positives, far = (draw.normal(size, width, dtype=torch.float64, scale=10.0) for size in (rows, rows, extra))
    yield case("negatives, float64", queries, positives, 1.0, "negatives", negatives=far)
    queries, positives = pair(5, 3)
    positives[3] = positives[1]
    far = torch.cat([positives[:1], draw.normal(2, 3)])
    yield case("two equal positives, and a negative equal to a third", queries, positives, 4.0, "negatives",
               "Candidates are told apart by their place, not by their values: all take part.", negatives=far)  # fmt: skip
    yield case("gradient of the negatives", *pair(rows, width), 4.0, "negatives", "They come from the encoder as well.",
               ("queries", "positives", "negatives"), negatives=draw.normal(extra, width))  # fmt: skip

    yield case("scale 100, another row's positive is the nearest", *crossed(draw, 3, width), 100.0, "numbers",
               "exp(95) is more than float32 can hold; softmax does not need it.")  # fmt: skip
    positives, middle = bundle(draw, rows, width)
    queries = torch.cat([-middle, middle.expand(rows - 1, width)]) + 0.05 * draw.normal(rows, width)
    yield case("scale 100, one query opposite to all positives", queries, positives, 100.0, "numbers",
               "Each row has a largest logit of its own; one row's may lie far below another's.")  # fmt: skip
    yield case("scale 100, each positive unlike its query", *crossed(draw, 3, width, own=-1.0), 100.0, "numbers",
               "The share of such a positive, exp(-126), is 0 in float32; its logarithm need not be infinite.")  # fmt: skip
    yield case("large vectors", *pair(rows, width, scale=1e4), 5.0, "numbers")
    yield case("short vectors", *pair(rows, width, scale=2.4e-4), 5.0, "numbers", "Short vectors have a direction too.")
    same = draw.normal(rows, width)
    beside = same[:1] + 0.05 * draw.normal(1, width)
    yield case("scale 100, each positive equal to its query", same, same.clone(), 100.0, "numbers",
               "A cosine may be 1.", negatives=beside)  # fmt: skip
    around, middle = bundle(draw, 2 * rows, width)
    aside = torch.linalg.qr(torch.cat([middle, draw.normal(1, width)]).T)[0].T[1:]  # at right angles to the middle
    beyond = aside - 2 * middle
    yield case("scale 100, all positives opposite, a negative beside the queries", -around[:rows], around[rows:], 100.0,
               "numbers", "The largest logit of a row may be that of a negative.", negatives=beyond)  # fmt: skip
    near = bundle(draw, 2 * rows, width)[0].double()  # their cosines differ little: in float32 the loss would be coarse
    yield case("float64, scale 100, all vectors alike", near[:rows], near[rows:], 100.0, "numbers")
    queries, positives = pair(rows, width)
    yield case("gaps in memory", strided(queries), strided(positives), 5.0, "numbers")
    yield case("the scale is a tensor", *pair(rows, width), torch.tensor(6.0), "numbers")

    yield case("gradient, queries and positives", *pair(rows, width), 4.0, "gradient", learns=("queries", "positives"))
    learned = "The scale may be learned too."
    yield case("gradient, the scale", *pair(rows, width), torch.tensor(6.0), "gradient", learned, ("scale",))
    yield case("gradient, the scale, with negatives", *pair(rows, width), torch.tensor(6.0), "gradient", learned, ("scale",),
               negatives=draw.normal(extra, width))  # fmt: skip
    double = torch.tensor(60.0, dtype=torch.float64)
    yield case("gradient, everything, float64", near[:rows], near[rows:], double, "gradient", learned,
               ("queries", "positives", "scale"))  # fmt: skip
    yield case("gradient, scale 100", *crossed(draw, 3, width), 100.0, "gradient", learns=("queries", "positives"))
    yield case("gradient, scale 100, a negative beside the queries", -around[:rows], around[rows:], 100.0, "gradient",
               learns=("queries", "negatives"), negatives=beyond)  # fmt: skip
    same = draw.normal(rows, width)
    yield case("gradient, each positive equal to its query", same, same.clone(), 2.0, "gradient",
               "Where a cosine is 1 its gradient is finite.", ("queries", "positives"))  # fmt: skip
    yield case("gradient, one row alone", *pair(1, width), 4.0, "gradient", "It is 0, but the loss has a graph all the same.",
               ("queries", "positives"))  # fmt: skip


info_nce = Exercise(
    id="09.info_nce",
    title="InfoNCE with in-batch negatives",
    why="This one loss trains most sentence encoders, retrievers and recommenders: each row's positive is, for free, "
    "every other row's negative.",
    difficulty=2,
    minutes=18,
    criteria=(
        Criterion("in-batch", 3, "cosine times scale, each row against all positives, averaged over the rows"),
        Criterion("negatives", 1, "extra negatives are further candidates for every row, and learn too"),
        Criterion("numbers", 1, "scale 100, large vectors, float64, a scale that is a tensor"),
        Criterion("gradient", 1, "backward reaches vectors and scale"),
    ),
    hints=(
        "Write the table of all cosines first: row i for query i, column j for positive j. Which entry of row i should win?",
        "Each row is now a classification with N classes, and the loss is the usual one for classes. Extra negatives "
        "are M more columns of the same table, which are never right.",
        "Normalise all vectors, stack the negatives under the positives, one matrix product, times scale; then the "
        "cross-entropy of torch, in which row i has class i. It looks after large logits by itself.",
    ),
    cases=_info_nce_cases,
    run=loss_of("queries", "positives", "scale", "negatives"),
    compare=same_loss("queries", "positives", "scale", "negatives"),
)


def _clip_loss_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, logits: torch.Tensor, criterion: str, because: str = "", learns: bool = False) -> Case:
        needs = ["logits"] if learns else []
        call = printed_call("clip_loss", {"logits": logits}, {}, needs)
        return Case(name, {"logits": logits}, criterion, {"learns": needs} if learns else {}, call, because)

    def some(size: int, **more: Any) -> torch.Tensor:
        return draw.normal(size, size, **{"scale": 2.0, **more})

    size = draw.choice((5, 7))
    both = "An image looks for its text along a row, a text for its image along a column."
    yield case("two pairs", some(2), "both ways", both)
    yield case("three pairs", some(3), "both ways", both)
    yield case("more pairs", some(size), "both ways")
    yield case("one pair", some(1), "both ways", "There is nothing to mistake it for: the loss is 0.")

    # Steps of 250: every softmax is one-hot to the last bit, so no rounding is in doubt.
    ladder = torch.linspace(-1000, 1000, 9)[draw.distinct(9, 9)].reshape(3, 3)
    yield case("logits from -1000 to 1000", ladder, "numbers", "exp(1000) is inf in every floating type.")
    levels = torch.tensor([900.0, -900.0, 0.0])[draw.distinct(3, 3)]
    yield case("rows on very different levels", levels[:, None] + some(3), "numbers",
               "Each row and each column has a largest logit of its own.")  # fmt: skip
    yield case("columns on very different levels", levels + some(3), "numbers")
    # Between two float32 numbers: rounding would take the same from every pair's own logit.
    fine = 900 + (8 * some(size, dtype=torch.float64)).round() / 8 + 2.5e-5 * torch.eye(size, dtype=torch.float64)
    yield case("float64, all logits near 900", fine, "numbers",
               "float32 has no room for the decimals of such numbers.")  # fmt: skip
    yield case("gaps in memory", strided(some(size)), "numbers")

    yield case("gradient, three pairs", some(3), "gradient", learns=True)
    yield case("gradient, more pairs, float64", some(size, dtype=torch.float64), "gradient", learns=True)
    yield case("gradient, one pair", some(1), "gradient", "It is 0, but the loss has a graph all the same.", learns=True)
    yield case("gradient, rows on different levels", 0.11 * levels[:, None] + some(3), "gradient", learns=True)


clip_loss = Exercise(
    id="09.clip_loss",
    title="The loss in both directions",
    why="With two towers, say images and texts, a match must be found from either side: CLIP averages both searches.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("both ways", 1, "the mean of the loss along rows and the loss along columns"),
        Criterion("numbers", 1, "logits up to 1000 in size, float64, any memory layout"),
        Criterion("gradient", 1, "backward reaches the logits"),
    ),
    hints=(
        "The logits come ready, cosines and scale included. Row i and column i both belong to pair i.",
        "Along the rows it is a cross-entropy with class i for row i. What do you do to the table to ask the columns?",
        "The cross-entropy of the table and of its transpose, with the same classes; half of their sum.",
    ),
    cases=_clip_loss_cases,
    run=loss_of("logits"),
    compare=same_loss("logits"),
)
