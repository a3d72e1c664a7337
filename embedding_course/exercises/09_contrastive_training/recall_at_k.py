"""Recall at k: cases and comparison."""

from collections.abc import Iterator, Sequence

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided
from ..drivers import reported_as
from .measures import CLOSE, at_ranks, close, close_and_best, ranks, scores


def _case(name: str, table: torch.Tensor, wanted: Sequence[int], k: int, criterion: str, because: str = "") -> Case:
    standing = f"The right columns stand at the ranks {', '.join(map(str, wanted))}."
    args = {"similarity": table, "relevant": at_ranks(table, wanted), "k": k}
    return Case(name, args, criterion, because=because or standing)


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, rows: int, columns: int, k: int, because: str = "") -> Case:
        """Return a case with the right columns at random ranks, k and k + 1 among them."""
        return _case(name, scores(draw, rows, columns), ranks(draw, rows, columns, k, k + 1), k, "share", because)

    rows, columns = draw.shuffled((7, 11, 13, 17, 19))[:2]
    border = "The rank k is still in, the rank k + 1 is not."
    yield case("the first few places", rows, columns, draw.integer(2, 5), border)
    yield case("other rows and columns", columns, rows, draw.integer(2, 5), border)
    yield case("the first place alone", draw.integer(7, 13), columns, 1, border).trying("k at least")
    yield case("as many rows as columns", columns, columns, draw.integer(2, 5), border)
    size = draw.integer(4, 6)
    yield case("as many rows as k", size, 17, size, "Each row has one right column of its own.")
    yield case("more rows than columns", draw.integer(20, 30), 5, 4, border)
    level = draw.distinct(rows, rows)
    lifted = scores(draw, rows, columns) + 3.0 * level[:, None]
    wanted = [draw.integer(4, columns) if value > rows / 2 else draw.integer(1, 3) for value in level.tolist()]
    yield _case("one row's similarities above another's", lifted, wanted, 3, "share", "Each row has k best columns of its own.")
    two = torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.4]])
    yield _case("docstring example", two, [1, 2], 1, "share").trying("k at least")
    yield _case("docstring example 2", two, [1, 2], 2, "share")
    yield from _edges(draw, columns)


def _edges(draw: RandomInputs, columns: int) -> Iterator[Case]:
    def case(name: str, table: torch.Tensor, wanted: Sequence[int], k: int, because: str = "") -> Case:
        return _case(name, table, wanted, k, "any k", because)

    def some(*among: int) -> list[int]:
        return ranks(draw, 5, columns, *among)

    equal = torch.tensor([[0.9, 0.9, 0.5, 0.1], [0.2, 0.6, 0.4, 0.8]])
    yield case("two equal columns above the right one", equal, [3, 1], 2,
               "Both are more similar than the right column, whichever of the two comes first: it has rank 3.")
    crossed = torch.tensor([[0.1, 0.9, 0.3], [0.8, 0.2, 0.4]])
    yield case("what is best for a row is right for the other", crossed, [3, 3], 1).trying("relevant (N,)")
    table = torch.stack([torch.tensor([0.8, 0.3, 0.6, 0.1, 0.4]), torch.tensor([0.2, 0.7, 0.3, 0.9, 0.4])])
    yield case("columns that are right for other rows", torch.cat([table, table.flip(1)]), [3, 3, 3, 3], 2).trying(
        "relevant (N,)")
    yield case("all found", scores(draw, 3, columns), draw.shuffled([1, 2, columns - 1]), columns - 1).trying("returns")
    yield case("none found", scores(draw, 3, columns), draw.shuffled([3, 4, columns]), 2).trying("returns")
    yield case("one row", scores(draw, 1, columns), [draw.integer(1, 4)], 2).trying("N and M at least")
    yield case("k as large as the number of columns", scores(draw, 3, 5), draw.shuffled([1, 4, 5]), 5).trying("it may exceed")
    yield case("k above the number of columns", scores(draw, 3, 5), draw.shuffled([1, 4, 5]), 9,
               "There are no more columns than these: everything is found.").trying("it may exceed")
    yield case("a single column", scores(draw, 3, 1), [1, 1, 1], 1).trying("N and M at least")
    most = [ranks(draw, 13, 3, *[4] * draw.integer(1, 3)) for _ in range(2)]
    yield case("all similarities negative", scores(draw, 13, columns) - 3, most[0], 3).trying("similarity")
    yield case("large similarities", 9e3 * scores(draw, 13, columns), most[1], 3).trying("similarity")
    yield case("float64, very close similarities", close(draw, 5, columns), some(3, 4), 3).trying("similarity")
    yield case("float64, the best by very little", close_and_best(draw, 5, columns), [1] * 5, 1).trying("similarity")
    gaps = strided(scores(draw, 5, columns))
    yield Case("gaps in memory", {"similarity": gaps, "relevant": strided(at_ranks(gaps, some(2, 3))), "k": 2}, "any k").trying(
        "similarity")


recall_at_k = Exercise(
    id="09.recall_at_k",
    title="Recall at k",
    why="The plainest measure of a search is how often the right answer is among the first k.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("share", 2, "the fraction of rows whose right column is among the k most similar",
                  tries=("similarity", "relevant (N,)", "returns")),
        Criterion("any k", 1, "k above the number of columns, one row, any size of similarity"),
    ),
    hints=(
        "Each row has one right column, which is among the k or not. The measure is the fraction of rows in which it is.",
        "Either take the k most similar columns of each row, or count in each row how many are more similar than the "
        "right one.",
        "Compare the (N, min(k, M)) columns of topk with `relevant` as a column, (N, 1); any() along the row, and the mean.",
    ),
    cases=_cases,
    run=reported_as("recall"),
    compare=Comparison(rounding={"recall": CLOSE}),
)
