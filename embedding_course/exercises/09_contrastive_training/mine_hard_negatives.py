"""Which negatives to look for: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from ..rankings import any_order


def _ladder(draw: RandomInputs, rows: int, columns: int) -> torch.Tensor:
    """Return (rows, columns) numbers in random order; those of one row are clearly apart."""
    steps = torch.linspace(-1.0, 1.0, columns)
    jitter = draw.uniform(rows, columns, low=-0.2, high=0.2) * 2 / max(columns - 1, 1)
    return torch.stack([steps[draw.distinct(columns, columns)] for _ in range(rows)]) + jitter


def _at_rank(similarity: torch.Tensor, ranks: list[int]) -> torch.Tensor:
    """Return the column at this rank in each row, where rank 0 is the most similar."""
    order = similarity.argsort(dim=1, descending=True)
    return order[torch.arange(len(similarity)), torch.tensor(ranks)]


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        similarity: torch.Tensor,
        positives: torch.Tensor,
        k: int,
        criterion: str,
        because: str = "",
        **options: Any,
    ) -> Case:
        args = {"similarity": similarity, "positives": positives, "k": k, **options.pop("by_position", {})}
        return Case(name, args, criterion, options, because=because)

    rows, columns = draw.choice(((3, 11), (5, 11), (3, 13)))
    table = _ladder(draw, rows, columns)
    hard = "The hardest negatives are the most similar columns below the positive."
    above = "Columns that are more similar than the positive may be right answers as well: they are left out."
    ranks = draw.shuffled([1, 2, 3, 2, 1])[:rows]
    yield case("the positive is the most similar", table, _at_rank(table, [0] * rows), 2, "below", hard)
    table = _ladder(draw, rows, columns)
    yield case("columns above the positive", table, _at_rank(table, ranks), 2, "below", above)
    square = _ladder(draw, 7, 7)
    yield case("as many columns as rows", square, _at_rank(square, draw.shuffled([0, 1, 2, 1, 0, 3, 2])), 2, "below", above)
    tall = _ladder(draw, 7, 5)
    yield case("more rows than columns", tall, _at_rank(tall, draw.shuffled([0, 1, 2, 1, 0, 2, 1])), 2, "below", above)
    many = _ladder(draw, 2, 90)
    yield case("sixty columns above the positive", many, _at_rank(many, [60, 62]), 2, "below", above)
    yield case("one negative each", table, _at_rank(table, ranks), 1, "below").trying("k how many")
    yield case("many negatives each", table, _at_rank(table, ranks), 5, "below").trying("k how many")
    example = torch.tensor([[0.9, 0.5, 0.7, 0.1]]), torch.tensor([0]), 2
    yield case("docstring example", *example, "below", hard)
    yield from _margins(draw, table, case)
    yield from _missing(draw, table, case)
    yield from _near_and_far(draw, table, ranks, case)
    yield case("docstring example 2", *example, "margin", margin=0.5)


def _margins(draw: RandomInputs, table: torch.Tensor, case: Callable[..., Case]) -> Iterator[Case]:
    gap = "A column must be less similar than the positive by more than the margin."
    rows, columns = table.shape
    step = 2 / (columns - 1)
    ranks = [draw.integer(0, 3) for _ in range(rows)]
    yield case("a margin", table, _at_rank(table, ranks), 3, "margin", gap, margin=1.5 * step)
    yield case("a wide margin", table, _at_rank(table, [1] * rows), 3, "margin", gap, margin=4.5 * step)
    # Quarters and eighths: the threshold is exact in binary, and no rounding is in doubt.
    grid = torch.tensor([[0.75, 0.5, 0.625, 0.25, -0.5, 0.125, 0.0], [-0.25, 0.875, 0.25, 0.5, 0.375, 0.625, 0.0]])
    grid = grid[:, draw.distinct(7, 7)]
    exact = "A column exactly at the threshold is not strictly below it."
    yield case("a margin of 0.25", grid, _at_rank(grid, [0, 1]), 2, "margin", exact, margin=0.25)
    yield case("a margin, and columns above the positive", grid, _at_rank(grid, [1, 2]), 2, "margin", exact,
               margin=0.125).trying("So the positive")
    yield case("a margin given by position", grid, _at_rank(grid, [0, 0]), 3, "margin", gap,
               by_position={"margin": 0.375})
    low = grid - 2
    yield case("a margin, all similarities negative", low, _at_rank(low, [0, 1]), 2, "margin", gap, margin=0.25)
    yield case("a margin of 0", table, _at_rank(table, ranks), 2, "margin", margin=0.0).trying("So the positive")
    wide = 1000 * grid
    yield case("a margin, large similarities", wide, _at_rank(wide, [1, 0]), 3, "margin", gap, margin=250.0)


def _missing(draw: RandomInputs, table: torch.Tensor, case: Callable[..., Case]) -> Iterator[Case]:
    missing = "Where fewer than k columns qualify, -1 stands for those that are missing."
    rows, columns = table.shape
    yield case("fewer than k in some rows", table, _at_rank(table, [columns - 2, 0, *[columns - 1] * (rows - 2)]), 3,
               "missing", missing)
    yield case(
        "k above the number of columns", table, _at_rank(table, [2, 0, *[1] * (rows - 2)]), columns + 2, "missing", missing
    ).trying("it may exceed", "returns")
    yield case("the positive is the least similar", table, _at_rank(table, [columns - 1] * rows), 2, "missing", missing)
    yield case("a margin that leaves nothing", table, _at_rank(table, [0] * rows), 2, "missing", missing, margin=3.0)
    yield case("a single column", draw.normal(3, 1), torch.zeros(3, dtype=torch.int64), 2, "missing", missing).trying(
        "similarity (N, M)", "it may exceed")
    low = table - 10
    yield case("fewer than k, all similarities negative", low, _at_rank(low, [columns - 2] * rows), 3, "missing", missing)
    deep = 4e3 * (table - 1.1)
    yield case("fewer than k, very negative similarities", deep, _at_rank(deep, [columns - 3] * rows), 4, "missing")


def _near_and_far(draw: RandomInputs, table: torch.Tensor, ranks: list[int], case: Callable[..., Case]) -> Iterator[Case]:
    columns = table.shape[1]
    # Steps of a 64th: any gap between neighbours is smaller than the margins that people use.
    steps = torch.stack([0.5 + draw.distinct(7, 7) / 64 for _ in range(3)])
    yield case("close similarities", steps, _at_rank(steps, draw.shuffled([0, 1, 2])), 3, "numbers",
               "Without a margin the next lower column qualifies, however close it is.").trying("A column qualifies")
    level = torch.tensor([[0.9, 0.5, 0.5, 0.1], [0.2, 0.8, 0.3, 0.3]])
    yield case("two equal columns, both among the k", level, torch.tensor([0, 1]), 3, "numbers",
               "Columns are told apart by their number, not by their similarity: both are hard negatives.").trying("returns")
    equal = torch.tensor([[0.5, 0.25, 0.5, 0.75, -0.5], [0.125, 0.5, -0.25, 0.0, 0.5]])
    yield case("another column exactly as similar as the positive", equal, torch.tensor([0, 4]), 2, "numbers",
               "Strictly below: what equals the positive is left out.").trying("A column qualifies")
    yield case("a single row", table[:1], _at_rank(table[:1], [1]), 2, "numbers").trying("similarity (N, M)")
    yield case("gaps in memory", strided(table), strided(_at_rank(table, ranks)), 2, "numbers").trying(
        "similarity (N, M)", "positives")
    close = torch.stack([0.5 + 1e-10 * draw.distinct(7, 7).double() for _ in range(2)])
    yield case("float64, very close similarities", close, _at_rank(close, [1, 0]), 2, "numbers",
               "In float32 these similarities would all be equal.").trying("similarity (N, M)")
    yield case("large similarities", 9e3 * table, _at_rank(table, [columns - 4] * len(table)), 3, "numbers").trying(
        "similarity (N, M)")


mine_hard_negatives = Exercise(
    id="09.mine_hard_negatives",
    title="Hard negatives",
    why="Most negatives are far away and teach nothing. Near ones teach, but the nearest are often right answers "
    "without a mark.",
    difficulty=2,
    minutes=22,
    core=False,
    criteria=(
        Criterion("below", 1, "the k most similar columns strictly below the positive",
                  tries=("A column qualifies", "So the positive", "similarity (N, M)", "positives", "returns")),
        Criterion("margin", 1, "with a margin they stay further away from it", tries=("A column qualifies", "margin at least")),
        Criterion("missing", 0.5, "-1 where fewer than k columns qualify", tries=("fewer than k",)),
        Criterion("numbers", 0.5, "large, close and equal similarities, float64, any memory layout"),
    ),
    hints=(
        "For each row: what is the positive's similarity, and which columns lie below it by more than the margin?",
        "`gather` (or indexing with two tensors) picks one entry of each row. Compared with it, a whole row becomes "
        "True and False.",
        "Put -inf where a column does not qualify, in a new tensor, and take the top min(k, M). Where a value is "
        "-inf, write -1 in place of its index. Fill up to k columns with -1.",
    ),
    cases=_cases,
    compare=any_order,
)
