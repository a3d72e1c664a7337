"""One step of an LSTM: two states and four gates."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs, strided
from ...checking.gradient_rules import gradient_rules
from .modules import away_from_zero, gradients
from .pairs import Pair

_PARAMS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _run(
    candidate: Callable[..., Any],
    x: torch.Tensor,
    state: tuple[torch.Tensor, torch.Tensor],
    params: Mapping[str, torch.Tensor],
    grads: Mapping[str, torch.Tensor] | None = None,
) -> NamedParts:
    """Call the answer; with `grads` (the gradients that arrive at h and c, by name), also report those of every input."""
    if grads is None:
        return Pair.of(candidate(x, state, params), ("h", "c"))
    leaves = {"x": x, "h": state[0], "c": state[1], **params}
    leaves = {name: tensor.clone().requires_grad_() for name, tensor in leaves.items()}
    given = {name: leaves[name] for name in params}
    result = candidate(leaves["x"], (leaves["h"], leaves["c"]), given)
    parts = Pair.of(result, ("h", "c"))
    parts.update(gradients([(parts.get(name), grad) for name, grad in grads.items()], leaves))
    return parts


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def inputs(batch: int, width: int, hidden: int, dtype: torch.dtype = torch.float32) -> dict[str, Any]:
        return {
            "x": draw.normal(batch, width, dtype=dtype),
            "state": (draw.normal(batch, hidden, dtype=dtype), draw.normal(batch, hidden, dtype=dtype)),
            "params": {
                "weight_ih": draw.normal(4 * hidden, width, dtype=dtype, scale=0.6),
                "weight_hh": draw.normal(4 * hidden, hidden, dtype=dtype, scale=0.6),
                "bias_ih": draw.normal(4 * hidden, dtype=dtype, scale=0.6),
                "bias_hh": draw.normal(4 * hidden, dtype=dtype, scale=0.6),
            },
        }

    def backward(batch: int, hidden: int, *names: str) -> dict[str, Any]:
        return {"grads": {name: draw.normal(batch, hidden) for name in names}}

    def saturated(row: int) -> dict[str, Any]:
        """Return inputs in which every gate is fully open or closed, since x has one large number in each row."""
        given = inputs(batch, width, hidden)
        given["x"] = torch.zeros(batch, width)
        given["x"][:, row] = 1e4 * away_from_zero(draw, batch)
        given["params"]["weight_ih"] = away_from_zero(draw, 4 * hidden, width)
        return given

    batch, width, hidden = draw.sizes(3, smallest=3)
    yield Case("a batch", inputs(batch, width, hidden), "the step",
               because="The gates stand in the order i, f, g, o; tanh squashes g, the sigmoid the others.").trying(
        "The gates i", "Then c' = f", "state (h, c)", "params", "the rows of the gates")
    given = inputs(batch, width, hidden)
    given["state"] = (torch.zeros(batch, hidden), torch.zeros(batch, hidden))
    yield Case("the first step, from a state of zeros", given, "the step").trying("Then c' = f")

    yield Case("one row", inputs(1, width, hidden), "any sizes").trying("The gates i", "x (B, d)", "returns")
    yield Case("input as wide as the state", inputs(batch, hidden, hidden), "any sizes").trying("x (B, d)")
    yield Case("input as wide as the four gates", inputs(batch, 4 * hidden, hidden), "any sizes").trying("The gates i")
    yield Case("as many rows as numbers in the state", inputs(hidden, width, hidden), "any sizes").trying("state (h, c)")
    yield Case("as many rows as gates", inputs(4, width, hidden), "any sizes").trying("x (B, d)", "the rows of the gates")
    yield Case("a state of one number", inputs(batch, width, 1), "any sizes").trying(
        "state (h, c)", "the rows of the gates", "returns")
    given = inputs(batch, width, hidden)
    given = {
        "x": strided(given["x"]),
        "state": tuple(map(strided, given["state"])),
        "params": {name: strided(value) for name, value in given["params"].items()},
    }
    yield Case("gaps in memory", given, "any sizes").trying("x (B, d)")
    given = inputs(batch, width, hidden)
    given["params"] = dict(reversed(given["params"].items()))
    yield Case("params in another order", given, "any sizes", because="Parameters go by their names.").trying("params")
    given = inputs(batch, width, hidden)
    given["state"] = (given["state"][0], 1e4 * given["state"][1])
    yield Case("a large cell state", given, "any sizes", because="h stays between -1 and 1, c does not.").trying("Then c' = f")
    yield Case("large inputs", saturated(1), "any sizes", because="A gate is 0 or 1 then, and never nan.").trying("The gates i")
    given = inputs(batch, hidden, hidden, torch.float64)
    given["x"], given["state"] = 50 * given["x"], (50 * given["x"], given["state"][1])
    given["params"]["weight_hh"] = 0.02 * given["params"]["weight_hh"] - given["params"]["weight_ih"]
    yield Case("float64, large terms that almost cancel", given, "any sizes").trying("returns")
    zeros = {"weight_ih": (4, 2), "weight_hh": (4, 1), "bias_ih": (4,), "bias_hh": (4,)}
    given = {
        "x": torch.ones(1, 2), "state": (torch.zeros(1, 1), torch.ones(1, 1)),
        "params": {name: torch.zeros(shape) for name, shape in zeros.items()},
    }
    yield Case("docstring example", given, "any sizes", because="Every gate is one half there, and g is 0.").trying(
        "With weights")

    both = "Training needs the gradient of x, of both states and of all four parameters."
    yield Case("gradient by h", inputs(batch, width, hidden), "gradients", backward(batch, hidden, "h"), because=both)
    yield Case("gradient by c", inputs(batch, width, hidden), "gradients", backward(batch, hidden, "c"), because=both)
    yield Case("gradient by h and c", inputs(batch, width, hidden), "gradients", backward(batch, hidden, "h", "c"),
               because=both)
    given = inputs(batch, width, hidden)
    given["state"] = (torch.zeros(batch, hidden), torch.zeros(batch, hidden))
    yield Case("gradient from a state of zeros", given, "gradients", backward(batch, hidden, "h", "c"),
               because="A state of zeros has a gradient like any other.")
    yield Case("gradient, large inputs", saturated(0), "gradients", backward(batch, hidden, "h", "c"),
               because="The gradient of a gate that is 0 or 1 is 0, and never nan.")


lstm_cell = Exercise(
    id="05.lstm_cell",
    title="One step of an LSTM",
    why="A sentence goes through this step word by word. Later words know of earlier ones only through the state.",
    difficulty=2,
    minutes=25,
    core=False,
    criteria=(
        Criterion("the step", 1, "the new h and the new c, for any state before"),
        Criterion("any sizes", 1, "one row, sizes that coincide, any memory layout, float64, large numbers"),
        Criterion("gradients", 1, "the gradient of all inputs, also where the gates are wide open or closed",
                  tries=("gradients flow",)),
    ),
    hints=(
        "All four gates come from one sum: what x gives, what the old h gives, and two biases. Its shape is (B, 4H).",
        "The weights have 4H rows, so they are multiplied from the right and transposed. Cut the sum into four "
        "pieces of H columns: i, f, g, o.",
        "The sigmoid makes i, f and o gates between 0 and 1; tanh makes g a candidate between -1 and 1.",
        "The new cell state is f times the old one plus i times the candidate, entry by entry. The new h is what o "
        "lets through of the tanh of the new cell state.",
    ),
    cases=_cases,
    of_driver=("grads",),
    run=_run,
    compare=Pair(rules=gradient_rules("x", "h", "c", *_PARAMS)),
)
