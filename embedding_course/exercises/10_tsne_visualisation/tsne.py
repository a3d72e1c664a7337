"""From distances to the gradient of a map: cases, and what makes a row of neighbour probabilities right."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided

__all__ = ["conditional_probabilities", "joint_probabilities", "tsne_gradient"]


def _between(x: torch.Tensor) -> torch.Tensor:
    return (x[:, None] - x[None]).square().sum(dim=-1)


def _as_matrix(candidate: Callable[..., Any], *args: Any) -> Parts:
    return Parts({"matrix": candidate(*args)})


def _neighbours(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    """Any answer is right whose rows fall off exponentially with the distance and have the perplexity, within 1 %."""
    fault = Same().leaf(expected, got, "the result", math.inf)
    if fault:
        return fault
    p = got.double()
    if bool((p.diagonal().abs() > 1e-12).any()):
        return Fault("values", "the diagonal is not 0: no point is its own neighbour")
    if bool((p < 0).any()):
        return Fault("values", "some probabilities are negative")
    off = (p.sum(dim=1) - 1).abs().max()
    if float(off) > 1e-4:
        return Fault("values", "not every row sums to 1", f" (row sums {_few(p.sum(dim=1))})")
    perplexity = torch.special.entr(p).sum(dim=1).exp()
    wanted = float(case.args["perplexity"])
    if bool(((perplexity / wanted - 1).abs() > 0.0101).any()):
        return Fault("values", "the perplexity of some rows is more than 1 % off", f": {_few(perplexity)}, not {wanted:.4g}")
    return _exponential(p, case.args["distances"].double())


def _exponential(p: torch.Tensor, distances: torch.Tensor) -> Fault | None:
    """Does log p fall in a straight line with the distance, row by row? What is too small to be seen must lie far."""
    line = "a row is not proportional to exp(-β D): log p must fall in a straight line with D"
    for row in range(len(p)):
        seen = p[row] > 1e-6
        d, log_p = distances[row] - distances[row][seen].mean(), p[row][seen].log()
        spread = float(d[seen].square().sum())
        slope = float((d[seen] * (log_p - log_p.mean())).sum()) / spread if spread > 0 else -math.inf
        if spread > 0 and (slope > 1e-9 or float((log_p - log_p.mean() - slope * d[seen]).abs().max()) > 0.01):
            return Fault("values", line)
        seen[row] = True  # the point itself
        if bool((slope * d[~seen] + log_p.mean() > math.log(1e-5)).any()):
            return Fault("values", line, "; some points that lie near are left out")
    return None


def _few(numbers: torch.Tensor) -> str:
    return ", ".join(f"{number:.4g}" for number in numbers[:4].tolist()) + (", …" if len(numbers) > 4 else "")


def _one_nearest(draw: Draw, rows: int, width: int) -> torch.Tensor:
    """Points of which each has one nearest other point, clearly nearer than the second: no β need be enormous."""
    while True:
        x = draw.normal(rows, width)
        nearest = _between(x.double()).fill_diagonal_(math.inf).topk(2, dim=1, largest=False).values
        if float((nearest[:, 1] / nearest[:, 0]).min()) > 1.05:
            return x


def _conditional_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, perplexity: float, criterion: str, because: str = "", gaps: bool = False) -> Case:
        distances = _between(x.double()).to(x.dtype)
        args = {"distances": strided(distances) if gaps else distances, "perplexity": perplexity}
        return Case(name, args, criterion, because=because)

    rows, width = draw.choice(((7, 3), (11, 5), (11, 3), (7, 2)))
    yield case("a few points", draw.normal(rows, width), 3.0, "neighbours")
    yield case("a perplexity that is an int", draw.normal(rows, width), 4, "neighbours")
    yield case("more points", draw.normal(23, width), 5.5, "neighbours")

    own = "Every point has a β of its own: where points lie closer, it is larger."
    dense = torch.cat([draw.normal(8, width, scale=0.2), 20 + draw.normal(9, width, scale=3.0)])
    yield case("a dense and a sparse cluster", dense, 4.0, "perplexity", own)
    yield case("a perplexity near 1", _one_nearest(draw, rows, width), 1.3, "perplexity")
    yield case("a perplexity near n - 1", draw.normal(rows, width), rows - 1.5, "perplexity")
    yield case("three points", _one_nearest(draw, 3, width), 1.5, "perplexity")

    scale = "Multiplying all distances with a number must not change any probability: β adapts."
    yield case("large distances", draw.normal(rows, width, scale=5e3), 3.0, "any distances", scale)
    yield case("small distances", draw.normal(rows, width, scale=1e-5), 3.0, "any distances", scale)
    far = draw.normal(rows, width)
    far[draw.integer(0, rows - 1)] += 100.0
    yield case("a point far away from all others", far, 3.0, "any distances",
               "exp of minus a large number is 0, and a row of zeros cannot be divided by its sum.")  # fmt: skip
    far = draw.normal(rows, width)
    far[draw.integer(0, rows - 1)] += 1e4
    yield case("a point very far away from all others", far, 3.0, "any distances",
               "At the β that it needs every exp is 0, even in float64: take the row's smallest distance off.")  # fmt: skip
    twin = draw.normal(rows, width)
    twin[1] = twin[4]
    yield case("two equal points", twin, 3.0, "any distances",
               "A distance of 0 to another point is a distance like any other.")  # fmt: skip
    yield case("float64", draw.normal(rows, width, dtype=torch.float64), 3.0, "any distances")
    yield case("not contiguous in memory", draw.normal(rows, width), 3.0, "any distances", gaps=True)


conditional_probabilities = Exercise(
    id="10.conditional_probabilities",
    title="A perplexity for every point",
    why="This is where t-SNE decides what “near” means, for each point anew; so cluster sizes on the map say nothing.",
    difficulty=3,
    minutes=20,
    criteria=(
        Criterion("neighbours", 2, "rows are exponential in the distance, sum to 1, and have the perplexity"),
        Criterion("perplexity", 1.5, "a β for each point, and any perplexity between 1 and n - 1"),
        Criterion("any distances", 1.5, "distances of any size, outliers, equal points, any floating type and layout"),
    ),
    hints=(
        "First take β as given: what is row i then? Only after that ask which β gives the perplexity that is wanted.",
        "The larger β, the fewer neighbours count: entropy falls steadily as β grows, so bisection finds it. Compare "
        "the entropy in nats with log(perplexity).",
        "How large β must be depends on the distances: let the bounds of the bisection grow as far as needed, or bisect "
        "on log β over a wide range.",
        "Leave the point itself out before you normalise (it is not enough that its distance is 0: others may have that "
        "too), and take the row's smallest distance off, which changes no probability.",
    ),
    cases=_conditional_cases,
    run=_as_matrix,
    compare=Same(rules={"matrix": _neighbours}),
)


def _rows(draw: Draw, n: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Rows that sum to 1 with a diagonal of zeros, each with another shape."""
    p = draw.uniform(n, n, low=0.05, high=1.0, dtype=torch.float64) ** 3
    p.fill_diagonal_(0.0)
    return (p / p.sum(dim=1, keepdim=True)).to(dtype)


def _joint_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, p: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"p": p}, criterion, because=because)

    n = draw.choice((5, 7, 11))
    yield case("two points", _rows(draw, 2), "pairs")
    yield case("a few points", _rows(draw, n), "pairs", "All n² entries together sum to 1.")
    one_way = _rows(draw, 5)
    one_way[0] = torch.tensor([0.0, 1.0, 0.0, 0.0, 0.0])
    one_way[1] = torch.tensor([0.0, 0.0, 1.0, 0.0, 0.0])
    yield case("a neighbour on one side only", one_way, "pairs", "Half of p_{j|i} counts even where p_{i|j} is 0.")
    lonely = torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    yield case("a point that nobody picks", lonely, "pairs", "It is one of n points all the same.")
    yield case("float64", _rows(draw, n, torch.float64), "any probabilities")
    yield case("not contiguous in memory", strided(_rows(draw, n)), "any probabilities")
    yield case("many points", _rows(draw, 61), "any probabilities")


joint_probabilities = Exercise(
    id="10.joint_probabilities",
    title="Both directions of a pair",
    why="An outlier is nobody's neighbour, but it has neighbours of its own: the mean of both directions keeps it on the map.",
    difficulty=1,
    minutes=4,
    criteria=(
        Criterion("pairs", 1.5, "the mean of both directions, as one distribution over all pairs"),
        Criterion("any probabilities", 0.5, "any number of points, floating type and layout"),
    ),
    hints=(
        "p_{j|i} and p_{i|j} stand at mirrored places of the matrix.",
        "The rows sum to 1 each, so the matrix sums to n. What must the result sum to?",
        "Add the transpose; then divide by 2 and by the number of points.",
    ),
    cases=_joint_cases,
    run=_as_matrix,
    compare=Same(tolerances={"matrix": 2e-7}),
)


def _gradient(expected: torch.Tensor, got: Any, _: Case) -> Fault | None:
    """Where the true gradient is 0, rounding is left over: then it need only be small."""
    return Same().leaf(expected, got, "the gradient", None if float(expected.abs().max()) > 1e-7 else 1e-6)


def _as_gradient(candidate: Callable[..., Any], p: torch.Tensor, y: torch.Tensor) -> Parts:
    """Call twice with the same tensors: what autograd leaves behind in y would add up."""
    first = candidate(p, y)
    kept = first.detach().clone() if isinstance(first, torch.Tensor) else first
    again = candidate(p, y)
    same = not isinstance(kept, torch.Tensor) or (torch.equal(kept, again) and torch.equal(kept, first))
    return Parts({"gradient": kept, "a second call gives the same": same, "y requires grad": y.requires_grad})


def _repeats(_: Any, got: Any, __: Case) -> Fault | None:
    said = "a second call with the same p and y gives another result, or changes the first one"
    return None if got is True else Fault("property", said)


def _left_alone(_: Any, got: Any, __: Case) -> Fault | None:
    return Fault("property", "the caller's y requires a gradient afterwards; take a copy of it") if got else None


def _gradient_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, n: int, y: torch.Tensor, criterion: str, because: str = "", gaps: bool = False) -> Case:
        rows = _rows(draw, n, torch.float64)
        p = ((rows + rows.T) / (2 * n)).to(y.dtype)
        args = {"p": strided(p), "y": strided(y)} if gaps else {"p": p, "y": y}
        return Case(name, args, criterion, because=because)

    def wide(n: int, scale: float) -> torch.Tensor:
        """Points far apart, at whole numbers: whichever way the distances are computed, float32 holds them exactly.

        No two are close: beside their pull the others' would drown in rounding.
        """
        while True:
            y = draw.normal(n, 2, scale=scale).round()
            if float(torch.pdist(y).min()) > scale / 8:
                return y

    n = draw.choice((5, 7, 11))
    yield case("three points", 3, draw.normal(3, 2), "gradient")
    yield case("a few points", n, draw.normal(n, 2), "gradient")
    yield case("two points", 2, draw.normal(2, 2), "gradient", "With two points p and q are equal, and nothing moves.")
    yield case("a wide map", n, wide(n, 30.0), "any map")
    yield case("the start, all points near the origin", n, draw.normal(n, 2, scale=1e-2), "any map")
    yield case("a very wide map", n, wide(n, 400.0), "any map",
               "The kernels' sum is far below the number of points: float32 loses it in a difference.")  # fmt: skip
    same = draw.normal(n, 2)
    same[0] = same[2]
    yield case("two points in one place", n, same, "any map")
    yield case("float64", n, draw.normal(n, 2, dtype=torch.float64), "any map")
    yield case("not contiguous in memory", n, draw.normal(n, 2), "any map", gaps=True)
    many = draw.normal(61, 2, scale=10.0).round()
    many[0] = torch.tensor([400.0, -300.0])
    yield case("many points, a wide map", 61, many, "any map",
               "Among many pairs most have a very small q, which still counts.")  # fmt: skip


tsne_gradient = Exercise(
    id="10.tsne_gradient",
    title="Which way each point is pulled",
    why="Springs between neighbours, repulsion between all: the whole of t-SNE is this gradient, followed downhill.",
    difficulty=3,
    minutes=15,
    criteria=(
        Criterion("gradient", 3, "the gradient of the divergence of q from p at every point of the map"),
        Criterion("any map", 1, "maps of any size, points in one place, any floating type and layout"),
    ),
    hints=(
        "Three matrices are needed: the differences y_i - y_j, the kernel 1 / (1 + |y_i - y_j|²), and q.",
        "q is the kernel divided by one number for the whole matrix: its sum over all pairs of different points.",
        "A point's gradient is a sum over all others: 4 times (p - q), times the kernel (not q), times the difference.",
        "Check yourself: build the loss from p and q in float64, and compare with autograd, or with `numeric_grad` of "
        "notebook 02.",
    ),
    cases=_gradient_cases,
    run=_as_gradient,
    compare=Same(rules={"gradient": _gradient, "a second call gives the same": _repeats, "y requires grad": _left_alone}),
)
