"""Which negatives to leave out: cases and comparison."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, groups: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"groups": groups}, criterion, because=because)

    def mixed(rows: int, *numbers: int) -> torch.Tensor:
        """Return group numbers for the rows in no order; each of these numbers occurs at least twice."""
        some = torch.tensor([*numbers, *numbers, *(draw.choice(numbers) for _ in range(rows - 2 * len(numbers)))])
        return some[draw.distinct(rows, rows)]

    def names(count: int) -> list[int]:
        return (draw.distinct(count, 90) + 1).tolist()

    same = "Rows of one group are no negatives for one another; a row's own positive, on the diagonal, stays in."
    yield case("a few rows", mixed(7, *names(3)), "same group", same)
    yield case("groups in no order", mixed(13, *names(4)), "same group", same)
    yield case("many rows", mixed(31, *names(7)), "same group", same)
    alone = torch.tensor(names(11))
    alone[draw.distinct(2, 11)] = 91
    yield case("nearly every row a group of its own", alone, "same group", same)
    yield case("docstring example", torch.tensor([5, 2, 5]), "same group", same)

    yield case("every row a group of its own", draw.distinct(5, 30), "any batch", "Nothing is left out.").trying("returns")
    yield case("one group only", torch.full((3,), draw.integer(1, 9)), "any batch", "Only the diagonal stays in.").trying(
        "returns", "False on the diagonal")
    yield case("a group whose number is 0", mixed(7, 0, 1, 3), "any batch", "0 is a group like any other.").trying("groups")
    yield case("numbers with common factors", mixed(9, 2, 4, 6, 12), "any batch")
    yield case("negative numbers", mixed(9, -1, 1, -2, 4), "any batch", "-1 is a group like any other.").trying("groups")
    yield case("numbers beside each other", mixed(9, 298, 299, 300, 301), "any batch").trying("groups")
    yield case("numbers with the same last digits", mixed(13, *(17 + step for step in (0, 100, 1000, 1024, 2**16, 10**9))),
               "any batch", "Groups are names: two numbers are equal or not.").trying("groups")
    large = mixed(13, 2**53 + 1, 2**53, 300, 44, 2**32 + 44, -(2**62))
    yield case("very large numbers", large, "any batch",
               "Groups may be hashes; int64 tells them all apart, smaller types do not.").trying("groups")
    yield case("one row", draw.ids(1, 9), "any batch", "Its positive stays in.").trying("False on the diagonal")
    yield case("no rows", draw.ids((0,), 9), "any batch", "The mask has shape (0, 0).").trying("groups")
    yield case("gaps in memory", strided(mixed(7, 1, 2, 3)), "any batch").trying("groups")


false_negative_mask = Exercise(
    id="09.false_negative_mask",
    title="Negatives that are none",
    why="Two sentences of one meaning in a batch are pushed apart by the loss, unless it is told to leave them out.",
    difficulty=1,
    minutes=8,
    core=False,
    criteria=(
        Criterion("same group", 1, "True for two different rows of one group, and for nothing else",
                  tries=("groups", "returns", "False on the diagonal")),
        Criterion("any batch", 1, "any numbers, one row, no rows, one group"),
    ),
    hints=(
        "Entry (i, j) asks: are i and j of one group? Comparing a column of groups with a row of groups asks it for all.",
        "The diagonal is True by then, since every row is of its own group. It is the positive, and must stay in.",
        "Compare `groups[:, None]` with `groups[None, :]`, and switch the diagonal off.",
    ),
    cases=_cases,
)
