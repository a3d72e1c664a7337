"""The layers beside attention, and how many numbers they hold: cases and comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided
from .gradients import compare_with_gradients, differentiable, told

__all__ = ["count_encoder_parameters", "feed_forward", "layer_norm"]


def _net(
    draw: Draw, batch: int, time: int, width: int, hidden: int, dtype: torch.dtype = torch.float32, scale: float = 1.0
) -> dict[str, torch.Tensor]:
    return {
        "x": draw.normal(batch, time, width, dtype=dtype, scale=scale),
        "w1": draw.normal(hidden, width, dtype=dtype),
        "b1": draw.normal(hidden, dtype=dtype),
        "w2": draw.normal(width, hidden, dtype=dtype),
        "b2": draw.normal(width, dtype=dtype),
    }


def _almost_cancelling(draw: Draw, time: int, width: int, hidden: int) -> dict[str, torch.Tensor]:
    """float64: products of thousands and a bias that takes nearly all of them away."""
    net = _net(draw, 1, time, width, hidden, torch.float64)
    far = draw.normal(width, dtype=torch.float64, scale=1e4)
    return {**net, "x": net["x"] + far, "b1": net["b1"] - net["w1"] @ far}


def _feed_forward_cases(draw: Draw) -> Iterator[Case]:
    batch, time, width, hidden = draw.shuffled((2, 3, 5, 7))
    layout = "The weights lie as in nn.Linear: one row for each output."
    yield Case("one position", _net(draw, 1, 1, 2, 5), "two layers", because=layout)
    yield Case("a batch", _net(draw, batch, time, width, hidden, scale=5), "two layers", because=layout)
    yield Case("as wide inside as outside", _net(draw, batch, time, 5, 5, scale=5), "two layers", because=layout)
    yield Case("as many positions as columns", _net(draw, batch, 3, 3, 5), "two layers")
    yield Case("sizes that are all equal", _net(draw, 3, 3, 3, 3), "two layers", because=layout)
    yield Case("float64", _net(draw, batch, time, width, hidden, torch.float64), "two layers")
    yield Case("float64, large numbers that almost cancel", _almost_cancelling(draw, time, width, hidden), "two layers")

    cut = "What is negative between the two layers becomes 0, and nothing else is changed."
    quiet = _net(draw, batch, time, width, hidden)
    quiet["b1"] = quiet["b1"].abs().neg() - 30
    yield Case("everything between is negative", quiet, "between", because=cut)
    loud = _net(draw, batch, time, width, hidden)
    loud["b1"] = loud["b1"].abs() + 30
    yield Case("everything between is positive", loud, "between", because=cut)
    yield Case("large values", _net(draw, batch, time, width, hidden, scale=1e4), "between", because=cut)

    gaps = {name: strided(value) for name, value in _net(draw, batch, time, width, hidden).items()}
    yield Case("memory with gaps", gaps, "any input")
    yield Case("sentences that are a view", _net(draw, batch, time, width, hidden), "any input", {"turned": True},
               because="A tensor whose first two axes were swapped: `view` refuses it.")  # fmt: skip
    yield Case("no sentences", _net(draw, 0, time, width, hidden), "any input")
    flows = "A backward pass reaches the input and all four parameters."
    for name, net in (
        ("gradients", _net(draw, batch, time, width, hidden)),
        ("gradients, float64", _net(draw, batch, time, 5, 5, torch.float64)),
    ):
        yield Case(name, net, "any input", {"upstream": [draw.normal(*net["x"].shape, dtype=net["x"].dtype)]},
                   because=flows)  # fmt: skip


feed_forward = Exercise(
    id="07.feed_forward",
    title="Each position for itself",
    why="Two thirds of a Transformer layer's numbers sit here, and no position sees another.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("two layers", 1, "two linear layers with their biases, for every position"),
        Criterion("between", 0.5, "a ReLU between them, and only there"),
        Criterion("any input", 0.5, "gradients, memory with gaps, no sentences"),
    ),
    hints=(
        "Follow one position's vector: (d,) becomes (d_ff,), then (d,) again.",
        "A row of w1 belongs to one number of the middle, as in nn.Linear: so it is the last axis of w1 that meets the "
        "last axis of x.",
        "`x @ w1.T + b1`, then what is negative becomes 0, then the same pattern once more. `@` lets B and T stand.",
    ),
    cases=told("feed_forward", _feed_forward_cases),
    core=False,
    run=differentiable("x", "w1", "b1", "w2", "b2"),
    compare=compare_with_gradients("x", "w1", "b1", "w2", "b2"),
)


def _spread_of_1(draw: Draw, rows: int, width: int) -> torch.Tensor:
    """float64 rows of mean 0 and spread 1: none is by chance so flat that rounding counts."""
    x = draw.normal(rows, width, dtype=torch.float64)
    return (x - x.mean(dim=-1, keepdim=True)) / x.std(dim=-1, keepdim=True)


def _far_away(draw: Draw, rows: int, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Rows of spread 1 around means of thousands, of either sign."""
    signs = torch.tensor([1.0, -1.0] * rows, dtype=torch.float64)[:rows, None]
    means = signs * draw.uniform(rows, 1, low=6000, high=9000, dtype=torch.float64)
    return (_spread_of_1(draw, rows, width) + means).to(dtype)


def _layer_norm_cases(draw: Draw) -> Iterator[Case]:
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
    yield case("a few rows", 2 + 3 * draw.normal(3, 5), "rows", because=rows)
    yield case("(B, T, d)", draw.normal(batch, time, width) - 1, "rows", because=rows)
    yield case("as many rows as columns", draw.normal(5, 5) + draw.normal(5, 1), "rows", because=rows)
    yield case("sizes that are all equal", draw.normal(3, 3, 3) + draw.normal(3, 3, 1), "rows", because=rows)
    yield case("a single row, shape (d,)", draw.normal(width) + 1, "rows")
    yield case("four axes", draw.normal(2, 1, time, width) + 1, "rows")
    yield case("memory with gaps", strided(draw.normal(batch, time, width)), "rows")
    yield case("sentences that are a view", draw.normal(batch, time, width) + 1, "rows", turned=True,
               because="A tensor whose first two axes were swapped: `view` refuses it.")  # fmt: skip
    yield case("float64", draw.normal(batch, time, width, dtype=torch.float64) + 300, "rows")
    yield case("large values", draw.normal(batch, time, width, scale=1e4), "rows")
    yield case("no rows", draw.normal(0, width), "rows")

    under = "eps is added to the variance, under the root."
    yield case("a large eps", draw.normal(time, width), "eps", 0.5, because=under)
    yield case("eps by name", draw.normal(time, width), "eps", because=under, eps=0.1)
    small = 1e-3 * _spread_of_1(draw, time, width).float()
    yield case("eps=0, values of a thousandth", small, "eps", 0.0, because="0 is a number too: nothing is added then.")
    yield case("values of a thousandth, eps as it stands", draw.normal(time, width, scale=2e-3), "eps",
               because="Unless said otherwise, eps is 1e-5: more than the variance of such small values.")  # fmt: skip
    yield case("a row of zeros", draw.normal(3, width) * torch.tensor([[1.0], [0.0], [2.0]]), "eps",
               because="A row of equal numbers becomes beta.")  # fmt: skip
    yield case("a single column", draw.normal(time, 1), "eps", because="A row of one number is its own mean: beta is left.")

    far = "The mean is thousands of times the standard deviation: the difference of two large squares has no digits left."
    yield case("a large mean", _far_away(draw, 3, 11), "large mean", because=far)
    yield case("a large mean, (B, T, d)", _far_away(draw, 6, 7).reshape(2, 3, 7), "large mean", because=far)
    yield case("a large mean, float64", _far_away(draw, 3, 7, torch.float64), "large mean", because=far)

    flows = "Mean and variance depend on x, too: the gradient goes through them."
    for name, x in (
        ("gradients", _spread_of_1(draw, batch * time, width).reshape(batch, time, width).float() + 1),
        ("gradients, float64", 3 * _spread_of_1(draw, 5, 5) - 1),
    ):
        yield case(name, x, "gradients", because=flows, upstream=[draw.normal(*x.shape, dtype=x.dtype)])
    flat = _spread_of_1(draw, 3, width).float() * torch.tensor([[1.0], [0.0], [2.0]])
    yield case("gradients, a row of zeros", flat, "gradients", 0.1, upstream=[draw.normal(3, width)],
               because="The root of a variance of 0 has an infinite slope: eps must be added before it is taken.")  # fmt: skip


def _within(expected: Any, got: Any, case: Case) -> Fault | None:
    far = case.criterion == "large mean" and expected.dtype == torch.float32
    return Same().leaf(expected, got, "the result", 1e-2 if far else None)


layer_norm = Exercise(
    id="07.layer_norm",
    title="Layer norm, as PyTorch has it",
    why="It keeps deep stacks trainable; the textbook formula and the library's differ just where it matters.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("rows", 1, "mean 0 and standard deviation 1 over the last axis, then gamma and beta, for any shape"),
        Criterion("eps", 1, "eps stands under the root, and keeps rows of equal numbers finite"),
        Criterion("large mean", 0.5, "right to 1e-2 where the mean is thousands of times the standard deviation"),
        Criterion("gradients", 0.5, "a backward pass goes through mean and variance"),
    ),
    hints=(
        "One row first: subtract its mean, divide by its standard deviation, times gamma, plus beta. keepdim=True helps.",
        "PyTorch divides the sum of squares by d, not by d - 1, adds eps to this variance and then takes the root.",
        "E[x²] - E[x]² subtracts two huge numbers. Take the mean off first and square what is left.",
    ),
    cases=told("layer_norm", _layer_norm_cases),
    core=False,
    run=differentiable("x", "gamma", "beta"),
    compare=compare_with_gradients("x", "gamma", "beta", rules={"result": _within}),
)


def _count_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, vocab: int, width: int, layers: int, hidden: int, criterion: str, *bias: bool,
             because: str = "", **options: bool) -> Case:  # fmt: skip
        args: dict[str, Any] = {"vocab_size": vocab, "d_model": width, "layers": layers, "d_ff": hidden}
        args.update(zip(("attention_bias",), bias, strict=False))
        return Case(name, args, criterion, options, because=because)

    vocab, layers = draw.choice((31, 37, 41)), draw.choice((2, 3, 5))
    width, hidden = draw.choice((7, 11)), draw.choice((13, 17, 19))
    yield case("no layers", vocab, width, 0, hidden, "layers", because="Only the token table is left.")
    yield case("one layer", vocab, width, 1, hidden, "layers",
               because="Attention has four square matrices; the feed-forward net has biases; there are two norms.")  # fmt: skip
    yield case("several layers", vocab, width, layers, hidden, "layers", because="The table is there once.")
    yield case("four times as wide inside", vocab, width, layers, 4 * width, "layers")
    yield case("as wide inside as outside", vocab, width, layers, width, "layers")
    yield case("wider than the vocabulary is large", 5, width, layers, hidden, "layers")
    yield case("a commercial model, perhaps", 100256, 1536, 12, 6144, "layers",
               because="The total is 493,897,728.")  # fmt: skip
    yield case("an odd number above two thousand millions", 50257, 4097, 24, 16387, "layers",
               because="A count is exact: float32 has room for seven digits, and int32 ends at 2,147,483,647.")  # fmt: skip

    four = "attention_bias=True gives each of the four projections a bias."
    yield case("with biases in attention", vocab, width, layers, hidden, "biases", True, because=four)
    yield case("with biases in attention, by name", vocab, width, 1, hidden, "biases", attention_bias=True, because=four)
    yield case("without biases in attention, by name", vocab, width, layers, hidden, "biases", attention_bias=False)
    yield case("no layers to have biases", vocab, width, 0, hidden, "biases", True, because="Only the token table is left.")


count_encoder_parameters = Exercise(
    id="07.count_encoder_parameters",
    title="Half a billion numbers, counted",
    why="Who can count a model's parameters can check what a paper says about its size, and knows where they sit.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("layers", 1, "the token table, and in each layer attention, feed-forward with biases, two norms"),
        Criterion("biases", 1, "attention_bias=True adds the biases of the four projections"),
    ),
    hints=(
        "Count one layer. How many numbers has a linear layer from m to n, with and without its bias?",
        "Attention: four projections from d to d. Feed-forward: from d to d_ff and back, each with a bias.",
        "A layer norm holds a gamma and a beta, each as long as d, and a layer has two norms. Nothing else is counted: no "
        "positions, no output layer.",
    ),
    cases=_count_cases,
    core=False,
)
