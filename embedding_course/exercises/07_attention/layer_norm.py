"""Layer norm: cases and comparison."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, RandomInputs, strided
from ...checking.mismatch import RESULT
from .gradients import compare_with_gradients, differentiable, with_printed_calls


def _spread_of_1(draw: RandomInputs, rows: int, width: int) -> torch.Tensor:
    """Return float64 rows of mean 0 and standard deviation 1, so that none is so flat that rounding counts."""
    x = draw.normal(rows, width, dtype=torch.float64)
    return (x - x.mean(dim=-1, keepdim=True)) / x.std(dim=-1, keepdim=True)


def _far_away(draw: RandomInputs, rows: int, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return rows of standard deviation 1 around means of thousands, of either sign."""
    signs = torch.tensor([1.0, -1.0] * rows, dtype=torch.float64)[:rows, None]
    means = signs * draw.uniform(rows, 1, low=6000, high=9000, dtype=torch.float64)
    return (_spread_of_1(draw, rows, width) + means).to(dtype)


def _layer_norm_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, *eps: float, because: str = "", **options: Any) -> Case:
        width = x.shape[-1]
        args = {
            "x": x,
            "gamma": draw.uniform(width, low=0.5, high=1.0, dtype=x.dtype),
            "beta": draw.normal(width, dtype=x.dtype),
            **dict(zip(("eps",), eps, strict=False)),
        }
        return Case(name, args, criterion, options, because=because)

    batch, time, width = draw.shuffled((3, 5, 7))
    rows = "Each row is normalised by its own mean and its own standard deviation, the last axis being a row."
    yield case("a few rows", 2 + 3 * draw.normal(3, 5), "rows", because=rows).trying("gamma, beta")
    yield case("(B, T, d)", draw.normal(batch, time, width) - 1, "rows", because=rows).trying("x tensor")
    yield case("as many rows as columns", draw.normal(5, 5) + draw.normal(5, 1), "rows", because=rows).trying("gamma, beta")
    yield case("sizes that are all equal", draw.normal(3, 3, 3) + draw.normal(3, 3, 1), "rows", because=rows)
    yield case("a single row, shape (d,)", draw.normal(width) + 1, "any shape").trying("x tensor")
    yield case("four axes", draw.normal(2, 1, time, width) + 1, "any shape").trying("x tensor")
    yield case("memory with gaps", strided(draw.normal(batch, time, width)), "any shape")
    yield case("sentences that are a view", draw.normal(batch, time, width) + 1, "any shape", turned=True,
               because="A tensor whose first two axes were swapped: `view` refuses it.").trying("x tensor")
    yield case("float64", draw.normal(batch, time, width, dtype=torch.float64) + 300, "any shape").trying("returns")
    yield case("large values", draw.normal(batch, time, width, scale=1e4), "any shape").trying("returns")
    yield case("no rows", draw.normal(0, width), "any shape").trying("x tensor")

    under = "eps is added to the variance, under the root."
    yield case("a large eps", draw.normal(time, width), "eps", 0.5, because=under)
    yield case("eps by name", draw.normal(time, width), "eps", because=under, eps=0.1)
    small = 1e-3 * _spread_of_1(draw, time, width).float()
    yield case("eps=0, values of a thousandth", small, "eps", 0.0, because="0 is a number too: nothing is added then.")
    yield case("values of a thousandth, eps as it stands", draw.normal(time, width, scale=2e-3), "eps",
               because="Unless said otherwise, eps is 1e-5: more than the variance of such small values.")
    yield case("a row of zeros", draw.normal(3, width) * torch.tensor([[1.0], [0.0], [2.0]]), "eps",
               because="A row of equal numbers becomes beta.")
    yield case("a single column", draw.normal(time, 1), "eps", because="A row of one number is its own mean: beta is left.")

    example = {"x": torch.tensor([[1.0, 3.0], [7.0, 7.0]]), "gamma": torch.ones(2), "beta": torch.tensor([0.0, 10.0])}
    yield Case("docstring example", {**example, "eps": 0.0001}, "eps", because=under).trying("(x - mean)")

    far = "The mean is thousands of times the standard deviation: the difference of two large squares has no digits left."
    yield case("a large mean", _far_away(draw, 3, 11), "large mean", because=far)
    yield case("a large mean, (B, T, d)", _far_away(draw, 6, 7).reshape(2, 3, 7), "large mean", because=far)
    yield case("a large mean, float64", _far_away(draw, 3, 7, torch.float64), "large mean", because=far)

    flows = "Mean and variance depend on x, too: the gradient goes through them."
    for name, x in (
        ("gradients", _spread_of_1(draw, batch * time, width).reshape(batch, time, width).float() + 1),
        ("gradients, float64", 3 * _spread_of_1(draw, 5, 5) - 1),
    ):
        yield case(name, x, "gradients", because=flows, upstream=[draw.normal(*x.shape, dtype=x.dtype)]).trying(
            "(x - mean)", "gamma, beta")
    flat = _spread_of_1(draw, 3, width).float() * torch.tensor([[1.0], [0.0], [2.0]])
    yield case("gradients, a row of zeros", flat, "gradients", 0.1, upstream=[draw.normal(3, width)],
               because="The root of a variance of 0 has an infinite slope: eps must be added before it is taken.").trying(
        "eps added")


def _within(expected: Any, got: Any, case: Case) -> Mismatch | None:
    far = case.criterion == "large mean" and expected.dtype == torch.float32
    return Comparison().leaf(expected, got, RESULT, 1e-2 if far else None)


layer_norm = Exercise(
    id="07.layer_norm",
    title="Layer norm, as PyTorch has it",
    why="It keeps deep stacks trainable; the textbook formula and the library's differ just where it matters.",
    difficulty=2,
    minutes=15,
    criteria=(
        Criterion("rows", 0.5, "mean 0 and standard deviation 1 over the last axis, then gamma and beta",
                  tries=("(x - mean)",)),
        Criterion("any shape", 0.5, "one row, four axes, no rows, any layout in memory, large values, float64"),
        Criterion("eps", 1, "eps stands under the root, and keeps rows of equal numbers finite", tries=("eps added",)),
        Criterion("large mean", 0.5, "right to 1e-2 where the mean is thousands of times the standard deviation",
                  tries=("returns",)),
        Criterion("gradients", 0.5, "a backward pass goes through mean and variance"),
    ),
    hints=(
        "One row first: subtract its mean, divide by its standard deviation, times gamma, plus beta. keepdim=True helps.",
        "PyTorch divides the sum of squares by d, not by d - 1, adds eps to this variance and then takes the root.",
        "E[x²] - E[x]² subtracts two huge numbers. Subtract the mean first, and square what is left.",
    ),
    cases=with_printed_calls("layer_norm", _layer_norm_cases),
    of_driver=("turned", "upstream"),
    core=False,
    run=differentiable("x", "gamma", "beta"),
    compare=compare_with_gradients("x", "gamma", "beta", rules={"result": _within}),
)
