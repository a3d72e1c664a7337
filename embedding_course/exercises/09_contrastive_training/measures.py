"""Measures of retrieval and of likeness: cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...compare import Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided

__all__ = ["mean_reciprocal_rank", "ndcg_at_k", "recall_at_k", "spearman"]

#: Measures lie between -1 and 1.
_CLOSE = 1e-5

_TWO = "Both are more similar than the right column, whichever of the two comes first: it has rank 3."


def _measured(name: str) -> Callable[..., Parts]:
    def run(candidate: Callable[..., Any], *args: Any, **options: Any) -> Parts:
        return Parts({name: candidate(*args, **options)})

    return run


def _scores(draw: Draw, rows: int, columns: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Similarities from -1 to 1 in no order, in each row all clearly apart."""
    steps = torch.linspace(-1, 1, columns, dtype=dtype)
    shift = draw.uniform(rows, 1, low=-0.05, high=0.05, dtype=dtype)
    return torch.stack([steps[draw.distinct(columns, columns)] for _ in range(rows)]) + shift


def _at_ranks(similarity: torch.Tensor, ranks: Sequence[int]) -> torch.Tensor:
    """In each row the column that stands at this rank, 1 for the most similar."""
    order = similarity.argsort(dim=1, descending=True)
    return order[torch.arange(len(similarity)), torch.tensor(ranks) - 1]


def _close(draw: Draw, rows: int, columns: int) -> torch.Tensor:
    """float64 similarities that differ in the tenth digit: equal in float32."""
    return 0.5 + 1e-10 * _scores(draw, rows, columns, torch.float64)


def _close_and_best(draw: Draw, rows: int, columns: int) -> torch.Tensor:
    """The same, and in each row another column is the best."""
    table = _close(draw, rows, columns)
    for row, column in zip(table, draw.distinct(rows, columns).tolist(), strict=True):
        row[column] += 1e-9
    return table


def _recall_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, table: torch.Tensor, ranks: Sequence[int], k: int, criterion: str, because: str = "") -> Case:
        told = f"The right columns stand at the ranks {', '.join(map(str, ranks))}."
        args = {"similarity": table, "relevant": _at_ranks(table, ranks), "k": k}
        return Case(name, args, criterion, because=because or told)

    two = torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.4]])
    yield case("one of two found", two, [1, 2], 1, "share")
    columns = draw.choice((7, 11))
    yield case("three of five found", _scores(draw, 5, columns), draw.shuffled([1, 2, 4, 5, 3]), 3, "share",
               "The rank k is still in, the rank k + 1 is not.")  # fmt: skip
    yield case("all found", _scores(draw, 3, columns), draw.shuffled([1, 2, columns - 1]), columns - 1, "share")
    yield case("none found", _scores(draw, 3, columns), draw.shuffled([3, 4, columns]), 2, "share")
    yield case("as many rows as columns", _scores(draw, 5, 5), draw.shuffled([1, 1, 2, 4, 5]), 2, "share")
    order = torch.tensor([[3, 4, 0, 1, 2], [1, 3, 4, 0, 2], [3, 4, 0, 1, 2]])
    yield case("as many rows as k", -order.argsort(dim=1).float(), [3, 1, 5], 3, "share",
               "Each row has one right column of its own.")  # fmt: skip
    equal = torch.tensor([[0.9, 0.9, 0.5, 0.1], [0.2, 0.6, 0.4, 0.8]])
    yield case("two equal columns above the right one", equal, [3, 1], 2, "share", _TWO)
    yield case("more rows than columns", _scores(draw, 7, 3), draw.shuffled([1, 1, 2, 2, 3, 3, 1]), 2, "share")
    level = draw.distinct(5, 5)
    lifted = _scores(draw, 5, columns) + 3.0 * level[:, None]
    yield case("one row's similarities above another's", lifted, [4 if one > 2 else 1 for one in level.tolist()], 2, "share",
               "Each row has k best columns of its own.")  # fmt: skip
    crossed = torch.tensor([[0.1, 0.9, 0.3], [0.8, 0.2, 0.4]])
    yield case("what is best for a row is right for the other", crossed, [3, 3], 1, "share")
    table = torch.stack([torch.tensor([0.8, 0.3, 0.6, 0.1, 0.4]), torch.tensor([0.2, 0.7, 0.3, 0.9, 0.4])])
    table = torch.cat([table, table.flip(1)])
    yield case("columns that are right for other rows", table, [3, 3, 3, 3], 2, "share")

    yield case("one row", _scores(draw, 1, columns), [2], 2, "any k")
    yield case("k as large as the number of columns", _scores(draw, 3, 5), draw.shuffled([1, 4, 5]), 5, "any k")
    yield case("k above the number of columns", _scores(draw, 3, 5), draw.shuffled([1, 4, 5]), 9, "any k",
               "There are no more columns than these: everything is found.")  # fmt: skip
    yield case("a single column", _scores(draw, 3, 1), [1, 1, 1], 1, "any k")
    negative = _scores(draw, 5, columns) - 3
    yield case("all similarities negative", negative, draw.shuffled([1, 2, 3, 5, 6]), 2, "any k")
    yield case("large similarities", 9e3 * _scores(draw, 5, columns), draw.shuffled([1, 3, 3, 5, 6]), 3, "any k")
    yield case("float64, very close similarities", _close(draw, 5, columns), draw.shuffled([1, 2, 4, 5, 6]), 3, "any k")
    yield case("float64, the best by very little", _close_and_best(draw, 5, columns), [1] * 5, 1, "any k")
    gaps = strided(_scores(draw, 5, columns))
    args = {"similarity": gaps, "relevant": strided(_at_ranks(gaps, draw.shuffled([1, 2, 3, 4, 6]))), "k": 2}
    yield Case("gaps in memory", args, "any k")


recall_at_k = Exercise(
    id="09.recall_at_k",
    title="Recall at k",
    why="The plainest measure of a search is how often the right answer is among the first k.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("share", 1, "the share of rows whose right column is among the k most similar"),
        Criterion("any k", 1, "k above the number of columns, one row, any size of similarity"),
    ),
    hints=(
        "Each row has one right column. For one row the answer is yes or no; the measure is the share of yes.",
        "Either take the k most similar columns of each row, or count in each row how many are more similar than the "
        "right one.",
        "Compare the (N, min(k, M)) columns of topk with `relevant` as a column, (N, 1); any() along the row, and the mean.",
    ),
    cases=_recall_cases,
    run=_measured("recall"),
    compare=Same(tolerances={"recall": _CLOSE}),
)


def _reciprocal_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, table: torch.Tensor, ranks: Sequence[int], criterion: str, because: str = "") -> Case:
        told = f"The right columns stand at the ranks {', '.join(map(str, ranks))}."
        return Case(name, {"similarity": table, "relevant": _at_ranks(table, ranks)}, criterion, because=because or told)

    two = torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.4]])
    yield case("ranks 1 and 2", two, [1, 2], "ranks")
    yield case("ranks 2, 3 and 5", _scores(draw, 3, 7), draw.shuffled([2, 3, 5]), "ranks")
    yield case("all at rank 1", _scores(draw, 3, 5), [1, 1, 1], "ranks")
    yield case("as many rows as columns", _scores(draw, 5, 5), draw.shuffled([1, 1, 2, 4, 5]), "ranks")
    yield case("more rows than columns", _scores(draw, 7, 3), draw.shuffled([1, 1, 2, 2, 3, 3, 1]), "ranks")
    yield case("ranks beyond 10", _scores(draw, 3, 17), draw.shuffled([2, 12, 17]), "ranks",
               "However far down, a right answer counts 1 / rank.")  # fmt: skip
    yield case("two equal columns above the right one", torch.tensor([[0.9, 0.9, 0.5, 0.1]]), [3], "ranks", _TWO)
    yield case("ranks beyond 100", _scores(draw, 4, 307), draw.shuffled([1, 101, 128, 300]), "ranks",
               "However far down, a right answer counts 1 / rank.")  # fmt: skip

    yield case("one row", _scores(draw, 1, 7), [4], "any table")
    yield case("a single column", _scores(draw, 3, 1), [1, 1, 1], "any table")
    yield case("all similarities negative", _scores(draw, 5, 7) - 3, draw.shuffled([1, 2, 3, 5, 6]), "any table")
    yield case("large similarities", 9e3 * _scores(draw, 5, 7), draw.shuffled([1, 3, 3, 5, 6]), "any table")
    yield case("float64, very close similarities", _close(draw, 5, 7), draw.shuffled([1, 2, 4, 5, 6]), "any table")
    yield case("float64, the best by very little", _close_and_best(draw, 5, 7), [1] * 5, "any table")
    gaps = strided(_scores(draw, 5, 7))
    args = {"similarity": gaps, "relevant": strided(_at_ranks(gaps, draw.shuffled([1, 2, 3, 4, 6])))}
    yield Case("gaps in memory", args, "any table")


mean_reciprocal_rank = Exercise(
    id="09.mean_reciprocal_rank",
    title="Mean reciprocal rank",
    why="Recall does not care whether the right answer came first or k-th; a reader of search results does.",
    difficulty=1,
    minutes=6,
    core=False,
    criteria=(
        Criterion("ranks", 1, "the mean of 1 / rank, where the most similar column has rank 1"),
        Criterion("any table", 1, "one row, one column, any size of similarity"),
    ),
    hints=(
        "The rank of the right column is 1 plus the number of columns that are more similar.",
        "Pick each row's similarity at its right column, as a column of numbers, and compare the whole row with it.",
        "Count along the rows, add 1, take one over it, and only then the mean.",
    ),
    cases=_reciprocal_cases,
    run=_measured("mean reciprocal rank"),
    compare=Same(tolerances={"mean reciprocal rank": _CLOSE}),
)


def _ndcg_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, gains: Any, k: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"gains": gains, "k": k}, criterion, because=because)

    yield case("the right one comes second", [0, 1], 2, "value", "The first place counts 1, the second 1 / log2(3).")
    yield case("three grades", [1, 3, 2], 3, "value", "A gain g counts 2 ** g - 1.")
    mixed = draw.shuffled([0, 1, 2, 3])
    mixed = [0, *mixed[:3], mixed[3], 2]
    yield case("more grades", mixed, 6, "value")
    yield case("the best order", [3, 2, 2, 1, 0], 5, "value", "It cannot be better: 1.")

    yield case("the best ones come after k", [1, 0, 2, 3], 2, "cut",
               "The ideal is the best order of all given gains, and it is cut at k as well.")  # fmt: skip
    long = [2, 0, 1, *draw.shuffled([3, 1, 0, 2]), 3]
    yield case("k below the number of gains", long, 3, "cut")
    yield case("only the first place counts", [1, 2, 0], 1, "cut")
    yield case("nothing before k, something after", [0, 0, 2, 1], 2, "cut")
    yield case("k above the number of gains", [0, 2, 1], 7, "cut", "What is not there counts nothing.")
    yield case("k far above the number of gains", mixed, 40, "cut")

    yield case("no gain at all", [0, 0, 0], 2, "kinds", "Where nothing can be gained the measure is 0.")
    yield case("an empty list", [], 3, "kinds", "Where nothing can be gained the measure is 0.")
    yield case("an empty tensor", torch.zeros(0), 3, "kinds", "Where nothing can be gained the measure is 0.")
    yield case("an int64 tensor", torch.tensor(long), 4, "kinds")
    yield case("a float32 tensor", torch.tensor(mixed, dtype=torch.float32), 4, "kinds")
    yield case("a float64 tensor with gaps in memory", strided(torch.tensor(long, dtype=torch.float64)), 5, "kinds")
    yield case("a list of floats", [float(gain) for gain in mixed], 3, "kinds")
    yield case("a tensor of zeros", torch.zeros(4), 2, "kinds")
    yield case("halves", [0.5, 2.5, *draw.shuffled([1.5, 0.0, 3.0])], 4, "kinds", "A grade may lie between two whole ones.")
    yield case("whole numbers and halves", [0, *draw.shuffled([0.5, 2.5]), 1], 3, "kinds")
    yield case("gains below 1", [0.25, 0.0, 0.5], 3, "kinds", "A gain below 1 is a gain.")
    yield case("a tensor of halves", torch.tensor([1.5, 0.0, *draw.shuffled([2.5, 0.5])]), 3, "kinds")
    yield case("large gains", [3, 12, *draw.shuffled([9, 0]), 11], 4, "kinds")
    yield case("a single gain", [draw.integer(1, 3)], 3, "kinds")


ndcg_at_k = Exercise(
    id="09.ndcg_at_k",
    title="NDCG at k",
    why="Answers are not only right or wrong: this measure, the one in most leaderboards, knows grades and places.",
    difficulty=2,
    minutes=12,
    core=False,
    criteria=(
        Criterion("value", 1, "what was gained, discounted by place, as a share of the best that was possible"),
        Criterion("cut", 1, "both lists are cut at k, the best order is that of all gains"),
        Criterion("kinds", 1, "lists and tensors, no gain at all, large gains"),
    ),
    hints=(
        "First write the sum for one list: each gain by its grade, divided by its discount. The first place has the "
        "discount log2(2), which is 1.",
        "Which list has the largest sum? Sort all the gains, not only the first k, and cut afterwards.",
        "DCG of the first k, divided by the DCG of the first k of the sorted gains; 0 where that is 0. `sorted` makes "
        "a new list, `list.sort` changes the caller's.",
    ),
    cases=_ndcg_cases,
    run=_measured("NDCG"),
    compare=Same(tolerances={"NDCG": _CLOSE}),
)


def _spearman_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, a: torch.Tensor, b: torch.Tensor, criterion: str, because: str = "") -> Case:
        order = draw.distinct(len(a), len(a))
        return Case(name, {"a": a[order], "b": b[order]}, criterion, because=because)

    def numbers(*values: float, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return torch.tensor(values, dtype=dtype)

    line = numbers(-2, -1, -0.3, 0.2, 0.5, 1, 4)
    yield case("the same order on a curve", line, line.exp(), "order", "Only the order counts: the correlation is 1.")
    yield case("the opposite order", line, -line.exp(), "order")
    count = draw.choice((7, 11))
    other = torch.linspace(-1, 1, count)[draw.distinct(count, count)]
    yield case("no ties", draw.normal(count).sort().values, other**3, "order")
    yield case("one value far out", numbers(1, 2, 3, 4, 1000), numbers(2, 1, 5, 3, 4), "order")
    yield case("two values", numbers(0.3, 0.7), numbers(2.0, 1.0), "order")

    ties = "Equal values share the mean of the ranks that they take up."
    yield case("ties in the first", numbers(1, 2, 2, 3, 3, 3, 5), numbers(0.1, 0.7, 0.2, 0.3, 0.9, 0.5, 0.4), "ties", ties)
    yield case("ties in the second", numbers(0.4, 0.1, 0.9, 0.2, 0.3, 0.6), numbers(4, 0, 4, 2, 4, 2), "ties", ties)
    yield case("ties in both", numbers(0, 1, 1, 2, 2, 2, 3, 5), numbers(0, 2, 2, 2, 3, 5, 5, 1), "ties", ties)
    yield case("yes or no", numbers(0.9, 0.8, 0.3, 0.4, 0.7, 0.1, 0.2), numbers(1, 1, 0, 1, 0, 0, 0), "ties", ties)
    yield case("ties among negative numbers", numbers(-1, -1, -3, -2, -1), numbers(-2, 0, -5, -2, -5), "ties", ties)

    close = 0.5 + numbers(1e-10, 3e-10, 2e-10, 6.5, 1.5, dtype=torch.float64)
    yield case("float64, very close values among others", close, numbers(1, 2, 3, 4, 5, dtype=torch.float64), "numbers",
               "Close is not equal; in float32 they would be ties.")  # fmt: skip
    yield case("large values", 1e4 * numbers(0.9, -0.7, 0.3, -0.2, 0.5), numbers(1, 2, 3, 4, 5), "numbers")
    yield case("float64", numbers(3, 1, 2, 2, 5, dtype=torch.float64), numbers(1, 4, 3, 2, 2, dtype=torch.float64),
               "numbers")  # fmt: skip
    yield case("no correlation", numbers(1, 2, 3, 4), numbers(2, 4, 1, 3), "numbers", "The ranks give exactly 0.")
    gaps = Case("gaps in memory", {"a": strided(draw.normal(7)), "b": strided(torch.tensor([1.0, 3, 0, 3, 2, 5, 1]))},
                "numbers")  # fmt: skip
    yield gaps


spearman = Exercise(
    id="09.spearman",
    title="Spearman's correlation",
    why="The benchmark of sentence similarity asks only whether a model ranks pairs as people do; ties are common there.",
    difficulty=2,
    minutes=12,
    core=False,
    criteria=(
        Criterion("order", 1, "the correlation of the ranks, not of the values"),
        Criterion("ties", 1, "equal values have the mean of their ranks"),
        Criterion("numbers", 0.5, "close values in float64, large ones, any memory layout"),
    ),
    hints=(
        "Two steps: replace the values by their ranks, then compute the usual correlation of the ranks.",
        "argsort says which value comes at each place, not which place each value has.",
        "The mean rank of a value: how many are smaller, and half of how many are equal. Comparing all with all gives "
        "both, without sorting.",
    ),
    cases=_spearman_cases,
    run=_measured("correlation"),
    compare=Same(tolerances={"correlation": _CLOSE}),
)
