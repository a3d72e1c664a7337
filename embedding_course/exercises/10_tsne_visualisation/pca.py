"""The widest view: cases and comparison."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, RandomInputs, strided
from ...checking.mismatch import RESULT
from ...messages import Listing, Message
from ..drivers import reported_as


def _scores(expected: torch.Tensor, got: Any, _: Case) -> Mismatch | None:
    """Compare the columns one by one and up to their sign, small ones as exactly as large ones."""
    fault = Comparison().leaf(expected, got, RESULT, float("inf"))
    if fault:
        return fault
    wrong = []
    largest = float(expected.double().abs().max())
    for column in range(expected.shape[1]):
        mine, theirs = expected[:, column].double(), got[:, column].double()
        size = float(mine.abs().max())
        if size < 1e-5 * largest:
            size = largest  # a direction without variance: what is left there is rounding
        limit = (1e-3 if expected.dtype == torch.float32 else 1e-6) * size
        if min(float((mine - theirs).abs().max()), float((mine + theirs).abs().max())) > limit:
            wrong.append(column)
    if not wrong:
        return None
    message = Message.plural(
        "{count} of {columns} columns is wrong, signs apart: {wrong}.",
        "{count} of {columns} columns are wrong, signs apart: {wrong}.",
        len(wrong), columns=expected.shape[1], wrong=Listing(wrong),
    )  # fmt: skip
    return Mismatch("values", message, Message("Some columns are wrong, signs apart."))


def _pca_cases(draw: RandomInputs) -> Iterator[Case]:
    def points(
        rows: int,
        width: int,
        *,
        scale: float = 1.0,
        away: float = 0.0,
        last: bool = False,
        dtype: torch.dtype = torch.float64,
    ) -> torch.Tensor:
        """Return a cloud of points whose variances fall clearly from one direction to the next, rotated at random.

        With `last`, the widest direction is nearly that of the last column, the next one that of the column before it.
        """
        rank = min(rows - 1, width)
        sides = torch.linalg.qr(draw.normal(rows, rank, dtype=dtype))[0]
        sides = torch.linalg.qr(sides - sides.mean(dim=0))[0]
        side = draw.normal(width, width, dtype=dtype)
        turn = torch.linalg.qr(torch.eye(width, dtype=dtype).flip(0) + 0.1 * side if last else side)[0][:rank]
        lengths = 1.6 ** -torch.arange(rank, dtype=dtype) * draw.uniform(1, low=3, high=5, dtype=dtype)
        middle = (1.0 + draw.uniform(1, width, dtype=dtype)) * away
        return (sides * lengths) @ turn * scale + middle * scale

    def case(name: str, x: torch.Tensor, k: int, criterion: str, because: str = "", dtype: torch.dtype = torch.float32) -> Case:
        x = x.to(dtype) if x.is_contiguous() else strided(x.to(dtype))
        return Case(name, {"x": x, "k": k}, criterion, because=because)

    def pointed(rows: int) -> torch.Tensor:
        """Return points of which one lies far out along the second direction, so that it has the largest norm."""
        plane = torch.zeros(rows, 5, dtype=torch.float64)
        plane[:, 0] = torch.where(torch.arange(rows) % 2 == 0, 1.0, -1.0)
        plane[0, 1] = 0.75 * rows**0.5
        plane += 0.05 * draw.normal(rows, 5, dtype=torch.float64)
        return 3 * plane[draw.distinct(rows, rows)] @ torch.linalg.qr(draw.normal(5, 5, dtype=torch.float64))[0]

    rows, width = draw.choice(((11, 5), (13, 3), (11, 7)))
    # Whole numbers and their opposites: the mean is 0 to the last bit.
    half = (8 * points(rows, width)).round()
    yield case("centred points", torch.cat([half, -half]), 2, "directions", "By falling variance; signs do not matter.")
    half = (8 * points(17, 5)).round()
    yield case("more centred points", torch.cat([half, -half]), 3, "directions")
    half = (8 * points(7, 5)).round()
    yield case("one direction of centred points", torch.cat([half, -half]), 1, "directions")

    centre = "Variance is measured from the mean: take it off first."
    yield case("points far from the origin", points(rows, width, away=20.0), 2, "centred", centre)
    yield case("points very far from the origin", points(rows, width, away=200.0), 2, "centred",
               "Take the mean off the points, not off their products, where large numbers nearly cancel.")
    yield case("a little off the origin", points(rows, width, away=0.5), 2, "centred", centre)
    yield case("docstring example", torch.tensor([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0]]), 1, "centred", centre)

    yield case("one direction", points(rows, width, away=1.0), 1, "any cloud").trying("k how many")
    yield case("all directions", points(rows, width, away=1.0), width, "any cloud").trying("k how many")
    yield case("fewer points than columns", points(5, 11, away=1.0), 3, "any cloud").trying("k how many")
    yield case("two points", points(2, width, away=1.0), 1, "any cloud", "They lie along one direction.").trying("x tensor")
    yield case("as many points as columns", points(7, 7, away=1.0), 3, "any cloud").trying("x tensor")
    yield case("one point far out, along the second direction", pointed(17), 2, "any cloud",
               "The order is by variance, which is not the distance from the first point to the last.").trying("the direction")
    yield case("float64", points(rows, width, away=1.0), 2, "any cloud", dtype=torch.float64).trying("tensor of shape (n, k)")
    yield case("float64, far from the origin", points(rows, width, away=1e3), 2, "any cloud",
               "float32 has no room for the decimals of such numbers.", torch.float64).trying("tensor of shape (n, k)")
    yield case("large numbers", points(rows, width, away=1.0, scale=1e3), 2, "any cloud").trying("the coordinates")
    yield case("not contiguous in memory", strided(points(rows, width, away=1.0)), 2, "any cloud").trying("x tensor")
    flat = points(rows, 3)
    flat = torch.cat([flat[:, :2], flat[:, 2:].expand(-1, 2) / 2**0.5, torch.full((rows, 1), 5.0)], dim=1)
    nothing = "Along the last directions all points stand at 0."
    yield case("two equal columns and a constant one, all directions", flat, 5, "any cloud", nothing)
    level = torch.tensor([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0]])
    yield case("points on a level line, all directions", level, 2, "any cloud", nothing).trying("k how many")
    unsorted = "Eigenvalues come in no order, or in a rising one: an order that fits is luck."
    for rows, width in ((7, 3), (9, 5), (13, 3), (11, 5)):
        name = f"{rows} points, the widest directions near the last of {width} columns"
        yield case(name, points(rows, width, away=0.5, last=True), 2, "any cloud", unsorted).trying("the direction")


pca = Exercise(
    id="10.pca",
    title="The directions of largest variance",
    why="The map to try first: linear, repeatable, and its share of the variance is known. Part E compares it with t-SNE.",
    difficulty=2,
    minutes=13,
    core=False,
    criteria=(
        Criterion("directions", 1, "the points along the k directions of largest variance, the largest first",
                  tries=("x tensor", "tensor of shape (n, k)", "the direction", "The sign of a column")),
        Criterion("centred", 1, "where the points stand as a whole does not matter",
                  tries=("the coordinates", "x tensor", "tensor of shape (n, k)", "the direction", "The sign of a column")),
        Criterion("any cloud", 1, "one direction or all, more columns than points, any floating type and layout"),
    ),
    hints=(
        "Three steps: centre the columns, find the directions, project the points on the first k.",
        "The singular value decomposition of the centred points gives directions that are sorted already.",
        "If you take eigenvectors of the covariance instead: `eigh` sorts them by rising eigenvalue.",
        "`torch.linalg.svd` returns the directions as rows of Vh: project with the transpose of its first k rows.",
    ),
    cases=_pca_cases,
    run=reported_as("scores"),
    compare=Comparison(rules={"scores": _scores}),
)
