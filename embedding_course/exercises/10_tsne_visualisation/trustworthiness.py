"""False neighbours: cases."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided


def _clear(
    draw: RandomInputs, rows: int, width: int, dtype: torch.dtype = torch.float32, away: float = 0.0
) -> torch.Tensor:
    """Return points from each of which no two others are about equally far; the origin is `away` from them."""
    while True:
        x = draw.normal(rows, width, dtype=dtype) + away
        distances = torch.cdist(x.double(), x.double()).sort(dim=1).values
        if float((distances.diff(dim=1) / distances.max()).min()) > 1e-4:
            return x


def _trust_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, y: torch.Tensor, k: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x, "y": y, "k": k}, criterion, because=because)

    def chance(name: str, rows: int, width: int, k: int, criterion: str, because: str = "", dtype: Any = torch.float32) -> Case:
        return case(name, _clear(draw, rows, width, dtype), _clear(draw, rows, 2, dtype), k, criterion, because)

    rows, width = draw.choice(((11, 5), (13, 3), (13, 5)))
    rank = "Each false neighbour counts by how far down the data's own list it stands."
    yield chance("a random map", rows, width, 3, "neighbours", rank)
    yield chance("more points", draw.integer(15, 19), 3, draw.integer(3, 5), "neighbours", rank)
    flat = _clear(draw, rows, 2)
    cloud = torch.cat([flat, 0.7 * draw.normal(rows, 3)], dim=1)
    yield case("a map that leaves three columns out", cloud, flat, 4, "neighbours")
    yield case(
        "a map of distant pairs", *_far_partners(draw, 7), 1, "neighbours", "Points near on the map are far in the data."
    ).trying("returns")
    line = torch.tensor([[0.0], [1.0], [3.0], [7.0], [15.0]])
    swapped = torch.tensor([[15.0, 0.0], [1.0, 0.0], [3.0, 0.0], [7.0, 0.0], [0.0, 0.0]])
    yield case("docstring example", line, line.clone(), 2, "neighbours", "Nothing is false.").trying(
        "returns", "1 when all neighbours")
    yield case("docstring example 2", line, swapped, 2, "neighbours")

    x = _clear(draw, rows, width)
    same = "All neighbours on the map are neighbours in the data: nothing is false."
    yield case("a map that is the data", x, x.clone(), 3, "any map", same).trying("1 when all neighbours")
    yield chance("one neighbour", rows, width, 1, "any map").trying("k how many")
    yield chance("as many neighbours as are allowed", rows, width, rows // 2, "any map").trying("k how many")
    yield case("a larger map", 1000 * _clear(draw, rows, width), _clear(draw, rows, 2), 3, "any map",
               "Only the order of the distances counts, not their size.").trying("tensor of shape (n, 2)")
    line = torch.tensor([0.0, 1.0, 3.0, 7.0, 15.0, 31.0, 63.0])
    met = torch.stack([line, torch.zeros(7)], dim=1)
    met[0] = met[6] = torch.tensor([-9.0, 0.0])
    yield case("two points in one place on the map", line[:, None], met, 1, "any map",
               "A point is not its own neighbour; another point at the same position is one.").trying(
        "1 - 2 / (n k (2n - 3k - 1))")
    coordinates = torch.tensor([50.0, 50.0, 0.0, 1.0, 3.0, 7.0, 15.0, 31.0])
    apart = torch.stack([coordinates, torch.zeros(8)], dim=1)
    apart[:2] = torch.tensor([[-40.0, 0.0], [-40.0, 1.0]])  # no other point shows just one of them: they tie in its ranks
    yield case("two equal points in the data", coordinates[:, None], apart, 2, "any map",
               "A point is not its own neighbour; another point at the same position is one.").trying(
        "1 - 2 / (n k (2n - 3k - 1))")
    yield chance("data in the plane", rows, 2, 2, "any map").trying("x tensor")
    yield case("data and map far from the origin", _clear(draw, rows, width, away=3e3), _clear(draw, rows, 2, away=3e3), 3,
               "any map", "In float32 |a|² + |b|² - 2ab has lost small distances.").trying("Both may lie")
    yield chance("float64", rows, width, 3, "any map", dtype=torch.float64).trying("x tensor")
    yield case("not contiguous in memory", strided(_clear(draw, rows, width)), strided(_clear(draw, rows, 2)), 3,
               "any map").trying("x tensor", "tensor of shape (n, 2)")


def _far_partners(draw: RandomInputs, pairs: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return two groups that are far apart in the data, and a map on which each point is next to one of the other group."""
    while True:
        x, coordinates = _clear(draw, 2 * pairs, 3), 20 * draw.distinct(pairs, pairs).float()
        x[:pairs, 0] += 40.0
        y = torch.stack([coordinates, coordinates], dim=1).repeat(2, 1) + draw.uniform(2 * pairs, 2)
        if float(torch.pdist(x.double()).sort().values.diff().min()) > 1e-4:
            return x, y


trustworthiness = Exercise(
    id="10.trustworthiness",
    title="False neighbours",
    why="It counts the neighbours on a map that are not neighbours in the data. You use it on every map from here on.",
    difficulty=2,
    minutes=18,
    criteria=(
        Criterion("neighbours", 3.5, "neighbours on the map that are none in the data, counted by their rank there",
                  tries=("1 - 2 / (n k (2n - 3k - 1))", "x tensor", "tensor of shape (n, 2)", "k how many")),
        Criterion("any map", 1.5, "any number of neighbours, sizes, floating type and layout"),
    ),
    hints=(
        "For each point you need its k nearest points on the map, and the rank of each of these in the data.",
        "Ranks begin with 1 for the nearest other point: a point is not its own neighbour, in the data or on the map.",
        "Only ranks above k count, and they count rank - k. Sum this over all points and their k neighbours on the map.",
        "`argsort` twice turns distances into ranks. The formula in the docstring then needs one sum.",
    ),
    cases=_trust_cases,
)
