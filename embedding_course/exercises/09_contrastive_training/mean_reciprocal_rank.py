"""Mean reciprocal rank: cases and comparison."""

from collections.abc import Iterator, Sequence

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided
from ..drivers import reported_as
from .measures import CLOSE, at_ranks, close, close_and_best, ranks, scores


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, table: torch.Tensor, wanted: Sequence[int], criterion: str, because: str = "") -> Case:
        standing = f"The right columns stand at the ranks {', '.join(map(str, wanted))}."
        return Case(name, {"similarity": table, "relevant": at_ranks(table, wanted)}, criterion, because=because or standing)

    def drawn(name: str, rows: int, columns: int, *among: int, because: str = "") -> Case:
        return case(name, scores(draw, rows, columns), ranks(draw, rows, columns, *among), "ranks", because)

    rows, columns = draw.shuffled((5, 7, 11, 13))[:2]
    far = "However far down, a right answer counts 1 / rank."
    yield drawn("a few rows", rows, columns, 1, 2, 3).trying("returns")
    yield drawn("other rows and columns", columns, rows, 1, 2, 3)
    yield drawn("as many rows as columns", 7, 7, 1, 2, 3)
    yield drawn("more rows than columns", draw.integer(13, 19), 5, 1, 2, 3)
    yield drawn("ranks beyond 10", draw.integer(3, 5), 19, draw.integer(11, 14), draw.integer(15, 19), because=far)
    beyond = [draw.integer(low, low + 90) for low in (101, 201)]
    yield case("ranks beyond 100", scores(draw, 4, 307), draw.shuffled([*beyond, 301, draw.integer(1, 5)]), "ranks",
               far).trying("returns")
    yield case("docstring example", torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.4]]), [1, 2], "ranks")

    yield case("all at rank 1", scores(draw, 3, 5), [1, 1, 1], "any table").trying("returns")
    yield case("two equal columns above the right one", torch.tensor([[0.9, 0.9, 0.5, 0.1]]), [3], "any table",
               "Both are more similar than the right column, whichever of the two comes first: it has rank 3.")
    yield case("one row", scores(draw, 1, 7), [draw.integer(2, 7)], "any table").trying("N and M at least")
    yield case("a single column", scores(draw, 3, 1), [1, 1, 1], "any table").trying("N and M at least")
    some = [ranks(draw, 5, 7, 1, 3) for _ in range(4)]
    yield case("all similarities negative", scores(draw, 5, 7) - 3, some[0], "any table").trying("similarity")
    yield case("large similarities", 9e3 * scores(draw, 5, 7), some[1], "any table").trying("similarity")
    yield case("float64, very close similarities", close(draw, 5, 7), some[2], "any table").trying("similarity")
    yield case("float64, the best by very little", close_and_best(draw, 5, 7), [1] * 5, "any table").trying("similarity")
    gaps = strided(scores(draw, 5, 7))
    yield Case("gaps in memory", {"similarity": gaps, "relevant": strided(at_ranks(gaps, some[3]))}, "any table").trying(
        "similarity")


mean_reciprocal_rank = Exercise(
    id="09.mean_reciprocal_rank",
    title="Mean reciprocal rank",
    why="Recall@k is the same whether the right answer came first or k-th; for a reader of search results it is not.",
    difficulty=1,
    minutes=8,
    core=False,
    criteria=(
        Criterion("ranks", 1, "the mean of 1 / rank, where the most similar column has rank 1",
                  tries=("similarity", "relevant (N,)")),
        Criterion("any table", 1, "one row, one column, any size of similarity"),
    ),
    hints=(
        "The rank of the right column is 1 plus the number of columns that are more similar.",
        "Pick each row's similarity at its right column, as a column of numbers, and compare the whole row with it.",
        "Count along the rows, add 1, take one over it, and only then the mean.",
    ),
    cases=_cases,
    run=reported_as("mean reciprocal rank"),
    compare=Comparison(rounding={"mean reciprocal rank": CLOSE}),
)
