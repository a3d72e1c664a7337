"""Vectors turned by their positions: cases and comparison."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, Observation, RandomInputs, strided
from ...checking.gradient_rules import NO_GRADIENT
from ...messages import Code, Message
from .sizes import some_base
from .turning import lengths_kept, orthonormal, turned


def _run_rope(
    candidate: Callable[..., Any],
    x: torch.Tensor,
    positions: torch.Tensor,
    *args: Any,
    grad_output: torch.Tensor | None = None,
    **options: Any,
) -> NamedParts:
    """Call the answer; with `grad_output`, also report the gradient of x."""
    if grad_output is None:
        return NamedParts({"result": candidate(x, positions, *args, **options)})
    leaf = x.clone().requires_grad_()
    result = candidate(leaf, positions, *args, **options)
    if getattr(result, "requires_grad", False):
        result.backward(grad_output)
    return NamedParts({"result": result, "gradient of x": leaf.grad})


def _gradient(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Compare the gradients of x, whose vectors must keep their norm, since the backward pass of a rotation is a rotation."""
    if got is None:
        return Mismatch("property", NO_GRADIENT.fill(name=Code("x")))
    fault = Comparison().leaf(expected, got, Message("the gradient of x"), float("inf"))
    return fault or lengths_kept(
        case.options["grad_output"], got, Message("Gradients come back with another length, and a rotation changes no length.")
    )


def _agree(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    fault = Comparison().leaf(expected, got, Message("the gradient of x"), 1e-3)
    return fault and Mismatch("values", Message("The gradient of x is not that of the turned vectors."))


class _Turned(Comparison):
    """Judges a rotation and its gradient, between which one relation must hold."""

    def seen(self, observation: Observation, case: Case) -> Observation:
        """Return the observation with the difference of <gradient, x> and <gradient from above, result> at each position.

        In a rotation the two are equal.
        """
        parts = observation.value if isinstance(observation.value, dict) else {}
        result, gradient, above = parts.get("result"), parts.get("gradient of x"), case.options.get("grad_output")
        if above is None or any(getattr(tensor, "shape", None) != above.shape for tensor in (result, gradient)):
            return observation
        apart = ((gradient * case.args["x"]).sum(dim=-1) - (above * result).sum(dim=-1)) / 10
        return replace(observation, value=NamedParts({**parts, "difference of inner products": apart}))


def _rope_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        sizes: tuple[int, int, int],
        positions: torch.Tensor,
        criterion: str,
        because: str = "",
        backward: bool = False,
        gaps: bool = False,
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        **options: Any,
    ) -> Case:
        batch, heads, width = sizes
        x = orthonormal(draw, batch, heads, len(positions), width, dtype, scale)
        if backward:
            options["grad_output"] = orthonormal(draw, batch, heads, len(positions), width, dtype)
        if gaps:
            # As attention lays it out: (B, T, h, head_dim) in memory.
            x, positions = x.transpose(1, 2).contiguous().transpose(1, 2), strided(positions)
        then = " and then backward" if backward else ""
        given_options = "".join(f", {key}={value}" for key, value in options.items() if key != "grad_output")
        listed = ", ".join(str(position) for position in positions.tolist())
        call = f"apply_rope(x, torch.tensor([{listed}]){given_options}) with x of shape {tuple(x.shape)}{then}"
        return Case(name, {"x": x, "positions": positions}, criterion, options, call, because)

    turn = "Pair i at position p turns by rope_angles(p)[i]."
    sizes = draw.choice(((5, 3, 4), (7, 2, 6), (7, 3, 6), (5, 2, 4)))
    yield case("one pair", (3, 2, 2), torch.arange(draw.integer(4, 12)), "rotation", turn).trying("So lengths")
    yield case("several pairs", sizes, torch.arange(draw.integer(8, 16)), "rotation", turn).trying(
        "Which components", "So lengths", "returns")
    yield case("five pairs", (11, 2, 10), torch.arange(draw.integer(5, 9)), "rotation", turn)

    given = "The positions are those given, not 0, 1, 2, ..."
    yield case("a later part of a text", sizes, torch.arange(11) + draw.integer(20, 50), "any positions", given).trying(
        "Which components", "So lengths", "positions int64")
    shuffled = torch.cat([torch.tensor([6, 2, 4]), 7 + draw.distinct(4, 30)])
    yield case("positions in no order", sizes, shuffled, "any positions", given).trying("Which components", "positions int64")
    yield case("repeated positions", (7, 3, 6), torch.tensor([2, 5, 5, 0, 2, 3]), "any positions", given).trying(
        "positions int64")
    far = torch.tensor([10000, 9999, 3000, 3001, 6, 5]) - draw.integer(0, 5)
    yield case("far away", (9, 2, 8), far, "any positions").trying("So lengths", "positions int64")
    yield case("another base", sizes, torch.arange(0, 40, 3), "any positions", base=some_base(draw)).trying("base")
    yield Case(
        "the base by position",
        {"x": orthonormal(draw, 7, 2, 5, 6), "positions": torch.arange(5), "base": some_base(draw)},
        "any positions",
        call="apply_rope(x, torch.arange(5), base) with x of shape (7, 2, 5, 6)",
    ).trying("base")
    yield case("a base of 500,000", (9, 2, 8), torch.arange(0, 400, 60), "any positions", base=500000.0).trying("base")

    shapes = "x is (B, h, T, head_dim): the position is its third axis, whatever the other sizes are."
    yield case("as many heads as positions", (7, 5, 6), torch.arange(5) + 1, "any shape", shapes).trying("x tensor")
    yield case("as many sentences as positions", (5, 3, 4), torch.arange(5) + 1, "any shape", shapes)
    yield case("as many positions as head_dim", (7, 3, 6), torch.arange(6) + 1, "any shape", shapes)
    yield case("as many positions as pairs", (7, 2, 6), torch.arange(3) + 1, "any shape", shapes)
    yield case("all sizes alike", (4, 4, 4), torch.arange(4) + 1, "any shape", shapes).trying("x tensor")
    yield case("one head", (7, 1, 6), torch.arange(5) + 1, "any shape").trying("x tensor")
    yield case("one sentence", (1, 7, 6), torch.arange(5) + 1, "any shape").trying("x tensor")
    yield case("one position", (5, 2, 4), draw.ids(1, 20) + 1, "any shape").trying("x tensor")
    yield case("a wide head", (67, 1, 66), torch.tensor([6]), "any shape", "All components of a head are turned.").trying(
        "The components")
    yield case("not contiguous in memory", sizes, torch.arange(1, 8), "any shape", gaps=True).trying("x tensor")
    yield case("float64", sizes, torch.arange(1, 6), "any shape", "The result has x's type.", dtype=torch.float64).trying(
        "returns")
    yield case("large values", sizes, torch.arange(1, 6), "any shape", scale=1e4).trying("returns")
    example = torch.tensor([1.0, 0.0]).expand(1, 1, 3, 2).clone()
    yield Case("docstring example", {"x": example, "positions": torch.tensor([0, 1, 7])}, "any shape", because=turn).trying(
        "The components")

    back = "The result is a function of x: a gradient turns back by the same angles."
    yield case("backward", sizes, torch.arange(7), "gradient", back, backward=True)
    zeros = orthonormal(draw, 3, 2, 5, 6)  # fewer vectors than numbers in each: lengths alone are looked at
    zeros[draw.integer(0, 2), :, draw.integer(1, 4)] = 0.0
    given = {"x": zeros, "positions": torch.arange(5) + 1}
    yield Case("backward, a vector of zeros", given, "gradient", {"grad_output": orthonormal(draw, 3, 2, 5, 6)},
               "apply_rope(x, torch.arange(5) + 1) with a vector of zeros in x, and then backward",
               "A vector of zeros has no angle of its own, and a gradient like any other.")
    yield case("backward, float64", (7, 2, 6), torch.arange(5) + 3, "gradient", back, backward=True, dtype=torch.float64)


apply_rope = Exercise(
    id="06.apply_rope",
    title="Rotary positions",
    why="Most large language models rotate their queries and keys like this. A wrong pairing trains well and "
    "fails at later positions.",
    difficulty=3,
    minutes=22,
    criteria=(
        Criterion("rotation", 3, "each pair turns by its angle; lengths and position 0 stay as they are",
                  tries=("The components",)),
        Criterion("any positions", 1, "dot products depend on the distance alone, at any positions and any base"),
        Criterion("any shape", 1, "any B, h, T and head_dim, any memory layout, float64"),
        Criterion("gradient", 1, "gradients flow back to x", tries=("gradients flow",)),
    ),
    hints=(
        "Turning a point (a, b) by an angle mixes a and b with the cosine and the sine of that angle. Write it down for one "
        "pair.",
        "Choose your pairs: neighbours (0, 1), (2, 3), ..., or one component of each half, (i, i + head_dim / 2). The angle i "
        "must go to both components of pair i: tables and pairs must follow the same choice.",
        "Angles of shape (T, head_dim / 2) broadcast against slices of shape (B, h, T, head_dim / 2). Take both components of "
        "all pairs as two such slices, make two new ones, and put them back where they came from, without writing into x.",
    ),
    cases=_rope_cases,
    of_driver=("grad_output",),
    run=_run_rope,
    compare=_Turned(rules={"result": turned, "gradient of x": _gradient, "difference of inner products": _agree}),
    uses=("rope_angles",),
)
