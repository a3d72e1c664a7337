"""A perplexity for every point: cases, and what makes a row of neighbour probabilities right."""

import math
from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, RandomInputs, strided
from ...checking.mismatch import RESULT
from ...messages import Message
from ..drivers import reported_as


def _between(x: torch.Tensor) -> torch.Tensor:
    return (x[:, None] - x[None]).square().sum(dim=-1)


def _neighbours(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Accept any rows that fall exponentially with the distance and have the perplexity within 1 %."""
    fault = Comparison().leaf(expected, got, RESULT, math.inf)
    if fault:
        return fault
    p = got.double()
    if bool((p.diagonal().abs() > 1e-12).any()):
        return Mismatch("values", Message("The diagonal is not 0: no point is its own neighbour."))
    if bool((p < 0).any()):
        return Mismatch("values", Message("Some probabilities are negative."))
    off = (p.sum(dim=1) - 1).abs().max()
    if float(off) > 1e-4:
        message = Message("Not every row sums to 1; the sums are {sums}.", sums=_few(p.sum(dim=1)))
        return Mismatch("values", message, Message("Not every row sums to 1."))
    perplexity = torch.special.entr(p).sum(dim=1).exp()
    wanted = float(case.args["perplexity"])
    off = (perplexity / wanted - 1).abs() > 0.0101
    if bool(off.any()):
        hidden = Message("The perplexity of some rows is more than 1 % off.")
        if bool((perplexity[off] > wanted).all()):
            hidden = Message(
                "The perplexity of some rows is more than 1 % off, and always too large: their β is too small, or the "
                "search does not reach far enough."
            )
        elif bool((perplexity[off] < wanted).all()):
            hidden = Message(
                "The perplexity of some rows is more than 1 % off, and always too small: their β is too large, or the "
                "search does not reach far enough."
            )
        message = Message("{fault} It is {received}, not {expected}.", fault=hidden)
        return Mismatch("values", message.fill(received=_few(perplexity[off]), expected=f"{wanted:.4g}"), hidden)
    return _exponential(p, case.args["distances"].double())


def _exponential(p: torch.Tensor, distances: torch.Tensor) -> Mismatch | None:
    """Return a mismatch if log p does not fall linearly with the distance in some row, else None.

    Points whose p is too small to be compared must be far away.
    """
    line = Message("A row is not proportional to exp(-β D): log p must fall in a straight line with D.")
    for row in range(len(p)):
        seen = p[row] > 1e-6
        d, log_p = distances[row] - distances[row][seen].mean(), p[row][seen].log()
        spread = float(d[seen].square().sum())
        slope = float((d[seen] * (log_p - log_p.mean())).sum()) / spread if spread > 0 else -math.inf
        if spread > 0 and (slope > 1e-9 or float((log_p - log_p.mean() - slope * d[seen]).abs().max()) > 0.01):
            return Mismatch("values", line)
        seen[row] = True  # the point itself
        if bool((slope * d[~seen] + log_p.mean() > math.log(1e-5)).any()):
            return Mismatch("values", Message("{fault} Some points that lie near are left out.", fault=line), line)
    return None


def _few(numbers: torch.Tensor) -> str:
    return ", ".join(f"{number:.4g}" for number in numbers[:4].tolist()) + (", …" if len(numbers) > 4 else "")


def _one_nearest(draw: RandomInputs, rows: int, width: int) -> torch.Tensor:
    """Return points that each have one nearest point, clearly nearer than the second, so that no β need be enormous."""
    while True:
        x = draw.normal(rows, width)
        nearest = _between(x.double()).fill_diagonal_(math.inf).topk(2, dim=1, largest=False).values
        if float((nearest[:, 1] / nearest[:, 0]).min()) > 1.05:
            return x


def _conditional_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, perplexity: float, criterion: str, because: str = "", gaps: bool = False) -> Case:
        distances = _between(x.double()).to(x.dtype)
        args = {"distances": strided(distances) if gaps else distances, "perplexity": perplexity}
        return Case(name, args, criterion, because=because)

    rows, width = draw.choice(((7, 3), (11, 5), (11, 3), (7, 2)))
    some = [round(float(draw.uniform(1, low=low, high=low + 1)), 2) for low in (2.0, 4.0, 6.0)]
    yield case("a few points", draw.normal(rows, width), some[0], "neighbours")
    yield case("more points", draw.normal(23, width), some[1], "neighbours")
    yield case("many points", draw.normal(41, width), some[2], "neighbours")
    example = torch.tensor([[0.0, 4, 9, 49], [4, 0, 1, 25], [9, 1, 0, 16], [49, 25, 16, 0]])
    yield Case("docstring example", {"distances": example, "perplexity": 2.0}, "neighbours")

    own = "Every point has a β of its own: where points lie closer, it is larger."
    dense = torch.cat([draw.normal(8, width, scale=0.2), 20 + draw.normal(9, width, scale=3.0)])
    yield case("a dense and a sparse cluster", dense, some[1], "perplexity", own).trying("Each row has a β")
    yield case("a perplexity that is an int", draw.normal(rows, width), draw.integer(2, 4), "perplexity").trying(
        "perplexity about how many")
    yield case("a perplexity near 1", _one_nearest(draw, rows, width), 1.3, "perplexity")
    yield case("a perplexity near n - 1", draw.normal(rows, width), rows - 1.5, "perplexity")
    yield case("three points", _one_nearest(draw, 3, width), 1.5, "perplexity")

    scale = "Multiplying all distances with a number must not change any probability: β adapts."
    yield case("large distances", draw.normal(rows, width, scale=5e3), 3.0, "any distances", scale).trying("distances (n, n)")
    yield case("small distances", draw.normal(rows, width, scale=1e-5), 3.0, "any distances", scale).trying("distances (n, n)")
    for far, name, because in (
        (100.0, "a point far away from all others",
         "exp of minus a large number is 0, and a row of zeros cannot be divided by its sum."),
        (1e4, "a point very far away from all others",
         "At the β that it needs every exp is 0, even in float64: take the row's smallest distance off."),
    ):
        x = draw.normal(rows, width)
        x[draw.integer(0, rows - 1)] += far
        yield case(name, x, 3.0, "any distances", because).trying("distances (n, n)")
    points = draw.normal(rows, width)
    points[1] = points[4]
    yield case("two equal points", points, 3.0, "any distances",
               "A distance of 0 to another point is a distance like any other.").trying(
        "a diagonal", "For each point", "rows sum")
    yield case("float64", draw.normal(rows, width, dtype=torch.float64), 3.0, "any distances").trying("returns")
    yield case("not contiguous in memory", draw.normal(rows, width), 3.0, "any distances", gaps=True).trying("returns")


conditional_probabilities = Exercise(
    id="10.conditional_probabilities",
    title="A perplexity for every point",
    why="It decides what “near” means for each point, so cluster sizes on the map say nothing. Part A makes its maps with it.",
    difficulty=3,
    minutes=40,
    core=False,
    criteria=(
        Criterion("neighbours", 2, "rows are exponential in the distance, sum to 1, and have the perplexity",
                  tries=("Row i is p_{j|i}", "Each row has a β", "a diagonal", "perplexity about how many", "returns",
                         "rows sum", "Equation 1")),
        Criterion("perplexity", 1.5, "a β for each point, and any perplexity between 1 and n - 1", tries=("1 < perplexity",)),
        Criterion("any distances", 1.5, "distances of any size, outliers, equal points, any floating type and layout"),
    ),
    hints=(
        "First take β as given and compute row i. Then search for the β that gives the perplexity.",
        "The larger β, the fewer neighbours count: entropy falls steadily as β grows, so bisection finds it. Compare "
        "the entropy in nats with log(perplexity).",
        "How large β must be depends on the distances: let the bounds of the bisection grow as far as needed, or bisect "
        "on log β over a wide range.",
        "Leave the point itself out before you normalise (it is not enough that its distance is 0: others may have that "
        "too), and take the row's smallest distance off, which changes no probability.",
    ),
    cases=_conditional_cases,
    run=reported_as("matrix"),
    compare=Comparison(rules={"matrix": _neighbours}),
)
