"""Which negatives to leave out, and which to look for: cases and comparison."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided

__all__ = ["any_order", "false_negative_mask", "mine_hard_negatives"]


def any_order(expected: Any, got: Any, case: Case) -> Fault | None:
    """As `Same`, but the entries of a row may stand in any order."""
    value = got.value
    if isinstance(value, torch.Tensor) and value.ndim == 2:
        got = replace(got, value=value.sort(dim=1).values)
    if isinstance(expected.value, torch.Tensor):
        expected = replace(expected, value=expected.value.sort(dim=1).values)
    return Same()(expected, got, case)


def _mask_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, groups: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"groups": groups}, criterion, because=because)

    same = "Rows of one group are no negatives for one another; a row's own positive, on the diagonal, stays in."
    yield case("two of one group", torch.tensor([4, 7, 4]), "same group", same)
    mixed = draw.ids(5, 3) + 1
    shuffled = torch.cat([mixed, mixed[:2], torch.tensor([0, 0, 9])])[draw.distinct(10, 10)]
    yield case("groups in no order", shuffled, "same group", same)
    yield case("every row a group of its own", draw.distinct(5, 30), "same group", "Nothing is left out.")
    yield case("groups far apart in the batch", torch.tensor([2, 5, 3, 5, 8, 2]), "same group", same)

    yield case("one group only", torch.full((3,), draw.integer(1, 9)), "any batch", "Only the diagonal stays in.")
    yield case("a group whose number is 0", torch.tensor([0, 3, 0, 1, 3, 0]), "any batch", "0 is a group like any other.")
    opposite = torch.cat([torch.tensor([12, 2, 6, 4, 12]), draw.ids(2, 3) + 20])
    yield case("numbers with common factors", opposite[draw.distinct(7, 7)], "any batch")
    below = torch.tensor([-1, 4, -1, 1, -2, 4])[draw.distinct(6, 6)]
    yield case("negative numbers", below, "any batch", "-1 is a group like any other.")
    yield case("numbers beside each other", torch.tensor([300, 301, 299, 301, 298, 300]), "any batch")
    large = torch.tensor([2**53 + 1, 2**53, 300, 44, 2**32 + 44, 2**53 + 1, 300])
    yield case("very large numbers", large[draw.distinct(7, 7)], "any batch",
               "Groups may be hashes; int64 tells them all apart, smaller types do not.")  # fmt: skip
    yield case("one row", draw.ids(1, 9), "any batch", "Its positive stays in.")
    yield case("no rows", draw.ids((0,), 9), "any batch", "The mask has shape (0, 0).")
    yield case("gaps in memory", strided(draw.ids(7, 3)), "any batch")


false_negative_mask = Exercise(
    id="09.false_negative_mask",
    title="Negatives that are none",
    why="Two sentences of one meaning in a batch are pushed apart by the loss, unless it is told to leave them out.",
    difficulty=1,
    minutes=6,
    core=False,
    criteria=(
        Criterion("same group", 1, "True for two different rows of one group, and for nothing else"),
        Criterion("any batch", 1, "any numbers, one row, no rows, one group"),
    ),
    hints=(
        "Entry (i, j) asks: are i and j of one group? Comparing a column of groups with a row of groups asks it for all.",
        "The diagonal is True by then, since every row is of its own group. It is the positive, and must stay in.",
        "Compare `groups[:, None]` with `groups[None, :]`, and switch the diagonal off.",
    ),
    cases=_mask_cases,
)


def _ladder(draw: Draw, rows: int, columns: int, low: float = -1.0, high: float = 1.0) -> torch.Tensor:
    """(rows, columns) numbers in no order, in each row all clearly apart."""
    steps = torch.linspace(low, high, columns)
    jitter = draw.uniform(rows, columns, low=-0.2, high=0.2) * (high - low) / max(columns - 1, 1)
    return torch.stack([steps[draw.distinct(columns, columns)] for _ in range(rows)]) + jitter


def _at_rank(similarity: torch.Tensor, ranks: list[int]) -> torch.Tensor:
    """In each row the column that stands at this rank, 0 for the most similar."""
    order = similarity.argsort(dim=1, descending=True)
    return order[torch.arange(len(similarity)), torch.tensor(ranks)]


def _mine_cases(draw: Draw) -> Iterator[Case]:
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

    first = torch.tensor([[0.9, 0.5, 0.7, 0.1], [0.2, 0.3, 0.8, 0.6]])
    hard = "The hardest negatives are the most similar columns, here below the positive, which comes first."
    yield case("the positive is the most similar", first, torch.tensor([0, 2]), 2, "below", hard)
    rows, columns = draw.choice(((3, 7), (5, 11), (3, 11)))
    table = _ladder(draw, rows, columns)
    above = "Columns that are more similar than the positive may be right answers as well: they are left out."
    ranks = draw.shuffled([1, 2, 3, 2, 1])[:rows]
    yield case("columns above the positive", table, _at_rank(table, ranks), 2, "below", above)
    square = _ladder(draw, 5, 5)
    yield case("as many columns as rows", square, _at_rank(square, draw.shuffled([0, 1, 2, 1, 0])), 2, "below", above)
    tall = _ladder(draw, 7, 5)
    yield case("more rows than columns", tall, _at_rank(tall, draw.shuffled([0, 1, 2, 1, 0, 2, 1])), 2, "below", above)
    yield case("one negative each", table, _at_rank(table, ranks), 1, "below")
    equal = torch.tensor([[0.5, 0.25, 0.5, 0.75, -0.5], [0.125, 0.5, -0.25, 0.0, 0.5]])
    # Steps of a 64th: any gap between neighbours is smaller than the margins that people use.
    steps = 0.5 + torch.arange(7) / 64
    steps = torch.stack([steps[draw.distinct(7, 7)] for _ in range(3)])
    yield case("close similarities", steps, _at_rank(steps, draw.shuffled([0, 1, 2])), 3, "below",
               "Without a margin the next lower column qualifies, however close it is.")  # fmt: skip
    level = torch.tensor([[0.9, 0.5, 0.5, 0.1], [0.2, 0.8, 0.3, 0.3]])
    yield case("two equal columns, both among the k", level, torch.tensor([0, 1]), 3, "below",
               "Columns are told apart by their number, not by their similarity: both are hard negatives.")  # fmt: skip
    yield case("another column exactly as similar as the positive", equal, torch.tensor([0, 4]), 2, "below",
               "Strictly below: what equals the positive is left out.")  # fmt: skip

    # Quarters and eighths: the threshold is exact in binary, and no rounding is in doubt.
    grid = torch.tensor([[0.75, 0.5, 0.625, 0.25, -0.5, 0.125, 0.0], [-0.25, 0.875, 0.25, 0.5, 0.375, 0.625, 0.0]])
    grid = grid[:, draw.distinct(7, 7)]
    gap = "A column must be less similar than the positive by more than the margin."
    yield case("a margin of 0.25", grid, _at_rank(grid, [0, 1]), 2, "margin", gap, margin=0.25)
    yield case("a margin, and columns above the positive", grid, _at_rank(grid, [1, 2]), 2, "margin", gap, margin=0.125)
    yield case("a margin given by position", grid, _at_rank(grid, [0, 0]), 3, "margin", gap,
               by_position={"margin": 0.375})  # fmt: skip
    low = grid - 2
    yield case("a margin, all similarities negative", low, _at_rank(low, [0, 1]), 2, "margin", gap, margin=0.25)
    yield case("a margin of 0", table, _at_rank(table, ranks), 2, "margin", margin=0.0)
    wide = 1000 * grid
    yield case("a margin, large similarities", wide, _at_rank(wide, [1, 0]), 3, "margin", gap, margin=250.0)

    missing = "Where fewer than k columns qualify, -1 stands for those that are missing."
    yield case("fewer than k in some rows", table, _at_rank(table, [columns - 2, 0, *[columns - 1] * (rows - 2)]), 3,
               "missing", missing)  # fmt: skip
    yield case("k above the number of columns", first, torch.tensor([0, 2]), 6, "missing", missing)
    yield case("the positive is the least similar", first, torch.tensor([3, 0]), 2, "missing", missing)
    yield case("a margin that leaves nothing", first, torch.tensor([0, 2]), 2, "missing", missing, margin=2.0)
    yield case("a single column", draw.normal(3, 1), torch.zeros(3, dtype=torch.int64), 2, "missing", missing)
    low = table - 10
    yield case("fewer than k, all similarities negative", low, _at_rank(low, [columns - 2] * rows), 3, "missing", missing)
    deep = 4e3 * (table - 1.1)
    yield case("fewer than k, very negative similarities", deep, _at_rank(deep, [columns - 3] * rows), 4, "missing")

    yield case("gaps in memory", strided(table), strided(_at_rank(table, ranks)), 2, "numbers")
    close = torch.full((2, 5), 0.5, dtype=torch.float64) + 1e-10 * torch.tensor([3.0, 1.0, 0.0, 2.0, 4.0])
    close = close[:, draw.distinct(5, 5)]
    yield case("float64, very close similarities", close, _at_rank(close, [1, 0]), 2, "numbers",
               "In float32 these similarities would all be equal.")  # fmt: skip
    yield case("large similarities", 9e3 * table, _at_rank(table, [columns - 4] * rows), 3, "numbers")


mine_hard_negatives = Exercise(
    id="09.mine_hard_negatives",
    title="Hard negatives",
    why="Most negatives are far away and teach nothing. The near ones do, but the nearest of all are often right "
    "answers that nobody marked.",
    difficulty=2,
    minutes=15,
    criteria=(
        Criterion("below", 1, "the k most similar columns strictly below the positive"),
        Criterion("margin", 2, "with a margin they stay further away from it"),
        Criterion("missing", 1, "-1 where fewer than k columns qualify"),
        Criterion("numbers", 1, "large similarities, close ones in float64, any memory layout"),
    ),
    hints=(
        "For each row: which similarity has the positive, and which columns lie strictly below it by the margin?",
        "`gather` (or indexing with two tensors) picks one entry of each row. Compared with it, a whole row becomes "
        "True and False.",
        "Put -inf where a column does not qualify, in a new tensor, and take the top min(k, M). An index whose value "
        "came out as -inf is no index; fill up to k columns with -1.",
    ),
    cases=_mine_cases,
    compare=any_order,
)
