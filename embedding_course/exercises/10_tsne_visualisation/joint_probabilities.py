"""Both directions of a pair: cases."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided
from ..drivers import reported_as


def neighbour_rows(draw: RandomInputs, n: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return an (n, n) table of differently shaped rows that sum to 1, with a diagonal of zeros."""
    p = draw.uniform(n, n, low=0.05, high=1.0, dtype=torch.float64) ** 3
    p.fill_diagonal_(0.0)
    return (p / p.sum(dim=1, keepdim=True)).to(dtype)


def _joint_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, p: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"p": p}, criterion, because=because)

    n = draw.choice((5, 7, 11))
    yield case("a few points", neighbour_rows(draw, n), "pairs", "All n² entries together sum to 1.").trying("A tiny floor")
    yield case("more points", neighbour_rows(draw, 23), "pairs", "All n² entries together sum to 1.")
    yield case("many points", neighbour_rows(draw, 61), "pairs")

    one_way = neighbour_rows(draw, 5)
    one_way[0] = torch.tensor([0.0, 1.0, 0.0, 0.0, 0.0])
    one_way[1] = torch.tensor([0.0, 0.0, 1.0, 0.0, 0.0])
    yield case("neighbours in one direction", one_way, "one side", "Half of p_{j|i} counts even where p_{i|j} is 0.").trying(
        "keeps every point", "symmetric, sums", "A tiny floor")
    lonely = neighbour_rows(draw, 5)
    lonely[:4, 4] = 0.0
    lonely[:4] /= lonely[:4].sum(dim=1, keepdim=True)
    yield case("a point that is no neighbour", lonely, "one side", "It still counts as one of the n points.").trying(
        "keeps every point")

    yield case("two points", neighbour_rows(draw, 2), "any probabilities")
    yield case("float64", neighbour_rows(draw, n, torch.float64), "any probabilities").trying("returns")
    yield case("not contiguous in memory", strided(neighbour_rows(draw, n)), "any probabilities")
    yield case("docstring example", torch.tensor([[0.0, 1.0], [1.0, 0.0]]), "any probabilities").trying(
        "The symmetric", "returns", "symmetric, sums")


joint_probabilities = Exercise(
    id="10.joint_probabilities",
    title="Both directions of a pair",
    why="No point picks an outlier, but the outlier picks others: the mean of both directions keeps it on the map (section 5).",
    difficulty=1,
    minutes=5,
    criteria=(
        Criterion("pairs", 1, "the mean of both directions, as one distribution over all pairs",
                  tries=("The symmetric", "p (n, n)", "returns", "symmetric, sums")),
        Criterion("one side", 0.5, "neighbours in one direction only, points that are no neighbour of others"),
        Criterion("any probabilities", 0.5, "any number of points, floating type and layout", tries=("p (n, n)",)),
    ),
    hints=(
        "p_{j|i} and p_{i|j} stand at mirrored positions of the matrix.",
        "The rows sum to 1 each, so the matrix sums to n. What must the result sum to?",
        "Add the transpose; then divide by 2 and by the number of points.",
    ),
    cases=_joint_cases,
    run=reported_as("matrix"),
    compare=Comparison(rounding={"matrix": 2e-7}),
)
