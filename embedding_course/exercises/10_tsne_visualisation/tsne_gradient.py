"""The gradient of a map: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, strided
from ...messages import Message
from ..rules import required
from .joint_probabilities import neighbour_rows


def _gradient(expected: torch.Tensor, got: Any, _: Case) -> Mismatch | None:
    """Compare the gradients; where the true gradient is 0, rounding remains, which need only be small."""
    return Comparison().leaf(expected, got, Message("the gradient"), None if float(expected.abs().max()) > 1e-7 else 1e-6)


def _as_gradient(candidate: Callable[..., Any], p: torch.Tensor, y: torch.Tensor) -> NamedParts:
    """Call twice with the same tensors: what autograd leaves behind in y would add up."""
    first = candidate(p, y)
    kept = first.detach().clone() if isinstance(first, torch.Tensor) else first
    again = candidate(p, y)
    seen = {"gradient": kept, "second call": again, "first result afterwards": first, "y requires grad": y.requires_grad}
    return NamedParts(seen)


def _repeats(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    message = Message("A second call with the same p and y gives another result, or changes the first one.")
    return Mismatch("property", message) if _gradient(expected, got, case) else None


def _wide(draw: RandomInputs, n: int, scale: float) -> torch.Tensor:
    """Return points far apart at whole numbers, so that float32 holds their distances exactly, however they are computed.

    No two are close: next to the pull of such a pair, that of the others would be lost in rounding.
    """
    while True:
        y = draw.normal(n, 2, scale=scale).round()
        if float(torch.pdist(y).min()) > scale / 8:
            return y


def _gradient_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, n: int, y: torch.Tensor, criterion: str, because: str = "", gaps: bool = False) -> Case:
        rows = neighbour_rows(draw, n, torch.float64)
        p = ((rows + rows.T) / (2 * n)).to(y.dtype)
        args = {"p": strided(p), "y": strided(y)} if gaps else {"p": p, "y": y}
        return Case(name, args, criterion, because=because)

    n, double = draw.choice((5, 7, 11)), torch.float64
    yield case("three points", 3, draw.normal(3, 2), "gradient")
    yield case("a few points", n, draw.normal(n, 2), "gradient")
    yield case("more points", 23, draw.normal(23, 2), "gradient")
    pair = torch.tensor([[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
    corner = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    yield Case("docstring example", {"p": pair, "y": corner}, "gradient")

    yield case("two points", 2, draw.normal(2, 2), "any map", "With two points p and q are equal, and nothing moves.").trying(
        "p (n, n)")
    yield case("a wide map", n, _wide(draw, n, 30.0), "any map").trying("where q_ij", "Its gradient")
    yield case("the start, all points near the origin", n, draw.normal(n, 2, scale=1e-2), "any map").trying("Its gradient")
    yield case("a very wide map", n, _wide(draw, n, 400.0), "any map",
               "The kernels' sum is far below the number of points: float32 loses it in a difference.").trying(
        "where q_ij", "Its gradient")
    same = draw.normal(n, 2)
    same[0] = same[2]
    yield case("two points in one place", n, same, "any map", "They do not pull at each other, but all others do.").trying(
        "Its gradient", "y tensor")
    yield case("float64", n, draw.normal(n, 2, dtype=double), "any map").trying("returns")
    yield case("a map off the origin", n, 50 + draw.normal(n, 2), "any map",
               "Only differences count: |a|² + |b|² - 2ab is a difference of large numbers here.").trying("y tensor")
    yield case("float64, a map far from the origin", n, 1e3 + draw.normal(n, 2, dtype=double), "any map",
               "Where the map as a whole stands does not matter; float32 has no room for such decimals.").trying(
        "y tensor", "returns")
    yield case("not contiguous in memory", n, draw.normal(n, 2), "any map", gaps=True).trying("y tensor")
    many = draw.normal(61, 2, scale=10.0, dtype=double)  # in float32 the sum over so many pairs would be coarse
    many[draw.integer(0, 60)] = torch.tensor([400.0, -300.0])
    yield case("many points, a wide map, float64", 61, many, "any map",
               "Among many pairs most have a very small q, which still counts.").trying("where q_ij", "Its gradient")


tsne_gradient = Exercise(
    id="10.tsne_gradient",
    title="Which way each point is pulled",
    why="Neighbours attract, all points repel: t-SNE is gradient descent with this gradient. Part A makes its maps with it.",
    difficulty=3,
    minutes=20,
    core=False,
    criteria=(
        Criterion("gradient", 3, "the gradient of the divergence of q from p at every point of the map",
                  tries=("The loss is the Kullback-Leibler", "where q_ij", "Its gradient", "p (n, n)", "y tensor", "returns",
                         "Equation 5")),
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
    by_products=("first result afterwards", "second call", "y requires grad"),
    compare=Comparison(rules={
        "gradient": _gradient,
        "second call": _repeats,
        "first result afterwards": _repeats,
        "y requires grad": required(
            lambda got: not got, Message("The y of the caller requires a gradient afterwards; take a copy of it.")
        ),
    }),
)
