"""The feed-forward net of a layer: cases and comparison."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .gradients import compare_with_gradients, differentiable, with_printed_calls


def _net(
    draw: RandomInputs, batch: int, time: int, width: int, hidden: int, dtype: torch.dtype = torch.float32, scale: float = 1.0
) -> dict[str, torch.Tensor]:
    return {
        "x": draw.normal(batch, time, width, dtype=dtype, scale=scale),
        "w1": draw.normal(hidden, width, dtype=dtype),
        "b1": draw.normal(hidden, dtype=dtype),
        "w2": draw.normal(width, hidden, dtype=dtype),
        "b2": draw.normal(width, dtype=dtype),
    }


def _almost_cancelling(draw: RandomInputs, time: int, width: int, hidden: int) -> dict[str, torch.Tensor]:
    """Return float64 inputs with products of hundreds, and a bias that nearly cancels them."""
    net = _net(draw, 1, time, width, hidden, torch.float64)
    far = draw.normal(width, dtype=torch.float64, scale=300)
    return {**net, "x": net["x"] + far, "b1": net["b1"] - net["w1"] @ far}


def _feed_forward_cases(draw: RandomInputs) -> Iterator[Case]:
    batch, time, width, hidden = draw.shuffled((2, 3, 5, 7))
    layout = "The weights lie as in nn.Linear: one row for each output."
    yield Case("one position", _net(draw, 1, 1, 2, 5), "any input", because=layout).trying("x tensor")
    yield Case("a batch", _net(draw, batch, time, width, hidden, scale=5), "two layers", because=layout).trying(
        "relu(x w1ᵀ + b1)", "x tensor", "w1, b1 tensors", "w2, b2 tensors", "returns tensor")
    yield Case("as wide inside as outside", _net(draw, batch, time, 5, 5, scale=5), "two layers", because=layout).trying(
        "w1, b1 tensors", "w2, b2 tensors")
    yield Case("as many positions as columns", _net(draw, batch, 3, 3, 5), "two layers")
    yield Case("sizes that are all equal", _net(draw, 3, 3, 3, 3), "two layers", because=layout)
    yield Case("float64", _net(draw, batch, time, width, hidden, torch.float64), "any input").trying("returns tensor")
    yield Case("float64, large numbers that almost cancel", _almost_cancelling(draw, time, width, hidden), "any input").trying(
        "returns tensor")

    cut = "What is negative between the two layers becomes 0, and nothing else is changed."
    quiet = _net(draw, batch, time, width, hidden)
    quiet["b1"] = quiet["b1"].abs().neg() - 30
    yield Case("everything between is negative", quiet, "between", because=cut).trying("relu(x w1ᵀ + b1)")
    loud = _net(draw, batch, time, width, hidden)
    loud["b1"] = loud["b1"].abs() + 30
    yield Case("everything between is positive", loud, "between", because=cut).trying("relu(x w1ᵀ + b1)")
    yield Case("large values", _net(draw, batch, time, width, hidden, scale=1e4), "between", because=cut)

    gaps = {name: strided(value) for name, value in _net(draw, batch, time, width, hidden).items()}
    yield Case("memory with gaps", gaps, "any input").trying("x tensor")
    yield Case("sentences that are a view", _net(draw, batch, time, width, hidden), "any input", {"turned": True},
               because="A tensor whose first two axes were swapped: `view` refuses it.").trying("x tensor")
    example = {
        "x": torch.tensor([[[3.0]]]), "w1": torch.tensor([[1.0], [-1.0]]), "b1": torch.tensor([0.0, 1.0]),
        "w2": torch.tensor([[10.0, 100.0]]), "b2": torch.tensor([0.5]),
    }
    yield Case("docstring example", example, "any input", because=layout).trying("relu(x w1ᵀ + b1)")
    yield Case("no sentences", _net(draw, 0, time, width, hidden), "any input").trying("x tensor")
    flows = "A backward pass reaches the input and all four parameters."
    for name, net in (
        ("gradients", _net(draw, batch, time, width, hidden)),
        ("gradients, float64", _net(draw, batch, time, 5, 5, torch.float64)),
    ):
        yield Case(name, net, "any input", {"upstream": [draw.normal(*net["x"].shape, dtype=net["x"].dtype)]},
                   because=flows).trying("w1, b1 tensors", "w2, b2 tensors")


feed_forward = Exercise(
    id="07.feed_forward",
    title="Each position alone",
    why="Two thirds of a Transformer layer's numbers sit here, and no position sees another.",
    difficulty=1,
    minutes=9,
    criteria=(
        Criterion("two layers", 1, "two linear layers with their biases, for every position", tries=("The weights",)),
        Criterion("between", 0.5, "a ReLU between them, and only there"),
        Criterion("any input", 0.5, "one position, float64, gradients, memory with gaps, no sentences"),
    ),
    hints=(
        "Follow one position's vector: (d,) becomes (d_ff,), then (d,) again.",
        "A row of w1 belongs to one number of the middle, as in nn.Linear: so it is the last axis of w1 that meets the "
        "last axis of x.",
        "`x @ w1.T + b1`, then what is negative becomes 0, then the same pattern once more. `@` lets B and T stand.",
    ),
    cases=with_printed_calls("feed_forward", _feed_forward_cases),
    of_driver=("turned", "upstream"),
    core=False,
    run=differentiable("x", "w1", "b1", "w2", "b2"),
    compare=compare_with_gradients("x", "w1", "b1", "w2", "b2"),
)
