"""InfoNCE with in-batch negatives: cases."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .losses import bundle, crossed, loss_of, printed_call, same_loss, unequal_lengths


def _case(
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


def _cases(draw: RandomInputs) -> Iterator[Case]:
    rows, width, extra = draw.shuffled((3, 5, 7))
    yield from _in_batch(draw, rows, width)
    yield from _negatives(draw, rows, width, extra)
    yield from _gradients(draw, rows, width, extra)
    yield from _edges(draw, rows, width, extra)
    yield from _hard_numbers(draw, rows, width)


def _pair(draw: RandomInputs, rows: int, width: int, **more: Any) -> tuple[torch.Tensor, torch.Tensor]:
    return draw.normal(rows, width, **more), draw.normal(rows, width, **more)


def _scale(draw: RandomInputs, low: float = 2.0, high: float = 3.5) -> float:
    """Return a scale that is small enough for each positive's share to be far above the rounding of 1."""
    return round(float(draw.uniform(1, low=low, high=high)), 2)


def _in_batch(draw: RandomInputs, rows: int, width: int) -> Iterator[Case]:
    others = "For each query every positive of the batch is a candidate, and its own is the right one."
    yield _case("a batch of two", *_pair(draw, 2, 3), _scale(draw), "in-batch", others)
    yield _case("a larger batch", *_pair(draw, rows, width), _scale(draw), "in-batch", others).trying("returns")
    yield _case("as many rows as columns", *_pair(draw, 5, 5), _scale(draw), "in-batch")
    long, far = (unequal_lengths(draw, part) for part in _pair(draw, rows, width))
    yield _case("vectors of very different lengths", long, far, _scale(draw), "in-batch",
                "A cosine does not depend on lengths.").trying("the vectors")
    yield _case("a small scale", *_pair(draw, rows, width), _scale(draw, 0.3, 0.7), "in-batch")
    example = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    yield _case("docstring example", example, example.clone(), 1.0, "in-batch")


def _negatives(draw: RandomInputs, rows: int, width: int, extra: int) -> Iterator[Case]:
    def case(name: str, because: str = "", count: int = extra, batch: int = rows, columns: int = width, **more: Any) -> Case:
        negatives = {"by_position" if more.pop("by_position", False) else "negatives": draw.normal(count, columns)}
        return _case(name, *_pair(draw, batch, columns), _scale(draw), "negatives", because, **negatives, **more)

    shared = "The negatives are candidates for every row, beside the positives of the other rows."
    yield case("shared negatives", shared)
    yield case("as many negatives as rows", shared, rows, by_position=True)
    yield case("as many negatives as rows and columns", count=5, batch=5, columns=5)
    yield case("many negatives", shared, 31)
    long = unequal_lengths(draw, draw.normal(extra, width))
    yield _case("negatives of very different lengths", *_pair(draw, rows, width), _scale(draw), "negatives",
                negatives=long).trying("The logit of query", "the vectors")
    example = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    yield _case("docstring example 2", example, example.clone(), 1.0, "negatives", negatives=torch.tensor([[3.0, 3.0]]))


def _gradients(draw: RandomInputs, rows: int, width: int, extra: int) -> Iterator[Case]:
    def case(name: str, scale: float | torch.Tensor, because: str, *learns: str, **options: Any) -> Case:
        return _case(name, *_pair(draw, rows, width), scale, "gradient", because, learns, **options)

    vectors, learned = ("queries", "positives"), "The scale may be learned too."
    yield case("gradient, queries and positives", _scale(draw), "", *vectors).trying("returns")
    yield case("gradient of the negatives", _scale(draw), "They come from the encoder as well.", *vectors, "negatives",
               negatives=draw.normal(extra, width)).trying("returns")
    yield case("gradient, the scale", torch.tensor(_scale(draw)), learned, "scale").trying("scale a number")
    yield case("gradient, the scale, with negatives", torch.tensor(_scale(draw)), learned, "scale",
               negatives=draw.normal(extra, width)).trying("scale a number")
    same = draw.normal(rows, width)
    yield _case("gradient, each positive equal to its query", same, same.clone(), 2.0, "gradient",
                "Where a cosine is 1 its gradient is finite.", vectors)


def _edges(draw: RandomInputs, rows: int, width: int, extra: int) -> Iterator[Case]:
    def case(name: str, scale: float | torch.Tensor, because: str = "", batch: int = rows, **options: Any) -> Case:
        return _case(name, *_pair(draw, batch, width), scale, "edges", because, **options)

    yield case("one row alone", 3.0, "There is nothing to mistake it for: the loss is 0.", 1).trying(
        "queries (N, d)", "row i belongs")
    yield case("gradient, one row alone", 4.0, "It is 0, but the loss has a graph all the same.", 1,
               learns=("queries", "positives")).trying("queries (N, d)", "returns")
    yield case("one row and negatives", _scale(draw), batch=1, negatives=draw.normal(extra, width)).trying(
        "queries (N, d)", "negatives")
    yield case("one negative for all", _scale(draw), negatives=draw.normal(1, width)).trying("negatives")
    yield case("an empty tensor of negatives", _scale(draw), negatives=draw.normal(0, width)).trying("M may be 0")
    yield case("negatives=None", _scale(draw), negatives=None).trying("None means")
    yield case("the scale is an int", draw.integer(2, 9), "A number need not be a float.").trying("scale a number")
    yield case("the scale is a tensor", torch.tensor(_scale(draw))).trying("scale a number")
    queries, positives = _pair(draw, 5, 3)
    positives[3] = positives[1]
    far = torch.cat([positives[:1], draw.normal(2, 3)])
    yield _case("two equal positives, and a negative equal to a third", queries, positives, _scale(draw), "edges",
                "Candidates are told apart by their index, not by their values: all take part.", negatives=far).trying(
        "negatives")
    queries, positives = (strided(part) for part in _pair(draw, rows, width))
    yield _case("gaps in memory", queries, positives, _scale(draw), "edges").trying("queries (N, d)")
    yield case("negatives with gaps in memory", _scale(draw), negatives=strided(draw.normal(extra, width))).trying("negatives")


def _hard_numbers(draw: RandomInputs, rows: int, width: int) -> Iterator[Case]:
    yield _case("large vectors", *_pair(draw, rows, width, scale=1e4), 5.0, "numbers").trying(
        "The logit of query", "the vectors")
    yield _case("short vectors", *_pair(draw, rows, width, scale=2.4e-4), 5.0, "numbers",
                "Short vectors have a direction too.").trying("The logit of query", "the vectors")
    double = [draw.normal(size, width, dtype=torch.float64, scale=10.0) for size in (rows, rows, 7)]
    yield _case("negatives, float64", double[0], double[1], _scale(draw, 0.8, 1.3), "numbers", negatives=double[2]).trying(
        "returns")
    near = bundle(draw, 2 * rows, width)[0].double()  # their cosines differ little: in float32 the loss would be coarse
    yield _case("float64, scale 100, all vectors alike", near[:rows], near[rows:], 100.0, "numbers").trying(
        "up to 100", "returns")
    yield _case("gradient, everything, float64", near[:rows], near[rows:], torch.tensor(60.0, dtype=torch.float64), "numbers",
                learns=("queries", "positives", "scale")).trying("scale a number")
    yield from _scale_100(draw, rows, width)


def _scale_100(draw: RandomInputs, rows: int, width: int) -> Iterator[Case]:
    def case(name: str, queries: torch.Tensor, positives: torch.Tensor, because: str = "", **options: Any) -> Case:
        return _case(name, queries, positives, 100.0, "numbers", because, **options)

    yield case("scale 100, another row's positive is the nearest", *crossed(draw, 3, width),
               "exp(95) is more than float32 can hold; softmax does not need it.").trying("up to 100")
    positives, middle = bundle(draw, rows, width)
    queries = torch.cat([-middle, middle.expand(rows - 1, width)]) + 0.05 * draw.normal(rows, width)
    yield case("scale 100, one query opposite to all positives", queries, positives,
               "Each row has a largest logit of its own; one row's may lie far below another's.").trying("up to 100")
    yield case("scale 100, each positive unlike its query", *crossed(draw, 3, width, own=-1.0),
               "The probability of such a positive, exp(-126), is 0 in float32; its logarithm need not be infinite.").trying(
        "up to 100")
    same = draw.normal(rows, width)
    beside = same[:1] + 0.05 * draw.normal(1, width)
    yield case("scale 100, each positive equal to its query", same, same.clone(), "A cosine may be 1.", negatives=beside)
    around, middle = bundle(draw, 2 * rows, width)
    aside = torch.linalg.qr(torch.cat([middle, draw.normal(1, width)]).T)[0].T[1:]  # at right angles to the middle
    beyond = aside - 2 * middle
    yield case("scale 100, all positives opposite, a negative beside the queries", -around[:rows], around[rows:],
               "The largest logit of a row may be that of a negative.", negatives=beyond)
    yield case("gradient, scale 100", *crossed(draw, 3, width), learns=("queries", "positives")).trying("up to 100")
    yield case("gradient, scale 100, a negative beside the queries", -around[:rows], around[rows:],
               learns=("queries", "negatives"), negatives=beyond)


info_nce = Exercise(
    id="09.info_nce",
    title="InfoNCE with in-batch negatives",
    why="This one loss trains most sentence encoders, retrievers and recommenders: each row's positive is, for free, "
    "every other row's negative.",
    difficulty=2,
    minutes=25,
    criteria=(
        Criterion("in-batch", 3.5, "cosine times scale, each row against all positives, averaged over the rows",
                  tries=("The logit of query", "The loss of row", "the result", "row i belongs")),
        Criterion("negatives", 1.5, "extra negatives are further candidates for every row",
                  tries=("The loss of row", "the result", "negatives")),
        Criterion("gradient", 1, "backward reaches vectors, negatives and scale"),
        Criterion("edges", 0.5, "one row, few or equal negatives, a scale of any kind, any memory layout"),
        Criterion("numbers", 0.5, "scale 100, large and short vectors, float64"),
    ),
    hints=(
        "Write the table of all cosines first: row i for query i, column j for positive j. Which entry of row i should win?",
        "Each row is now a classification with N classes, and the loss is the usual one for classes. Extra negatives "
        "are M more columns of the same table, which are never right.",
        "Normalise all vectors, stack the negatives under the positives, one matrix product, times scale; then the "
        "cross-entropy of torch, in which row i has class i. It copes with large logits.",
    ),
    cases=_cases,
    of_driver=("learns",),
    run=loss_of("queries", "positives", "scale", "negatives"),
    by_products=("gradients",),
    compare=same_loss,
)
