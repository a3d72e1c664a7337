"""Rotary positions: the angles, and the turning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...observe import Observation
from ...plain import Parts, strided
from .turning import lengths_kept, orthonormal, turned

__all__ = ["apply_rope", "rope_angles"]


def _same_angles(expected: Observation, got: Observation, case: Case) -> Fault | None:
    """Floating positions give their own type to the angles; int64 ones allow float32 and float64."""
    floating = case.args["positions"].is_floating_point()
    return Same(dtype="same" if floating else "floating")(expected, got, case)


def _increasing(draw: Draw, count: int, largest: int) -> torch.Tensor:
    """Positions with gaps, in order, the first one not 0."""
    return (1 + draw.distinct(count, largest)).sort().values


def _base(draw: Draw) -> float:
    return float(draw.choice((20, 50, 100, 300)))


def _angles_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, positions: torch.Tensor, width: int, criterion: str, because: str = "", **options: float) -> Case:
        return Case(name, {"positions": positions, "head_dim": width}, criterion, options=options, because=because)

    time = draw.choice((5, 7))
    yield case("one pair", torch.arange(time), 2, "angles", "Pair 0 turns by the position itself.")
    yield case("three pairs", torch.arange(time), 6, "angles", "Each pair turns more slowly than the one before.")
    yield case("seven pairs", torch.arange(3), 14, "angles")
    yield case("as many positions as pairs", torch.arange(5), 10, "angles")
    yield case("as many positions as head_dim", torch.arange(8), 8, "angles")
    yield case("a wide head", torch.arange(time), 128, "angles")

    given = "The angles belong to the positions that are given."
    yield case("positions with gaps", _increasing(draw, 5, 60), 6, "any positions", given)
    yield case("positions in no order", torch.cat([torch.tensor([3, 0]), 4 + draw.distinct(5, 40)]), 8, "any positions", given)
    yield case("repeated positions", torch.tensor([4, 4, 1, 4]), 6, "any positions", given)
    yield case("one position", draw.ids(1, 50) + 2, 10, "any positions")
    yield case("no positions", draw.ids(0, 5), 6, "any positions", "The result is empty and has head_dim / 2 columns.")
    yield case("far away", torch.tensor([9999, 17, 4096, 10000]), 12, "any positions", "Angles are not reduced to one turn.")
    yield case("positions with gaps in memory", strided(_increasing(draw, 5, 60)), 6, "any positions")

    between = "A position may lie between two others: nothing is rounded."
    halves = torch.cat([torch.tensor([0.25, 2.75]), draw.uniform(3, low=3.0, high=20.0)])
    yield case("fractions of positions", halves, 6, "floating", between)
    yield case("whole numbers as float32", torch.arange(5.0), 8, "floating")
    doubled = torch.cat([torch.tensor([0.5]), draw.uniform(4, low=1.0, high=500.0)]).double()
    yield case("fractions, float64", doubled + draw.uniform(5, dtype=torch.float64), 10, "floating",
               "float64 positions give float64 angles.")  # fmt: skip

    yield case("negative positions", torch.tensor([-3, 0, 5, -1]), 6, "any positions", given)
    yield case("negative fractions", torch.tensor([-2.5, 0.5]), 6, "floating", between)

    yield case("another base", torch.arange(time), 6, "base", base=_base(draw))
    yield case("a base with a fraction", torch.arange(time), 6, "base", base=2.5)
    yield case("a base of 500,000", _increasing(draw, 5, 300), 16, "base", base=500000.0)
    yield Case("the base by position", {"positions": torch.arange(4), "head_dim": 10, "base": _base(draw)}, "base")


rope_angles = Exercise(
    id="06.rope_angles",
    title="Angles for every position",
    why="Rotary positions turn pairs of numbers; these angles are all that they know about the position.",
    difficulty=1,
    minutes=6,
    criteria=(
        Criterion("angles", 0.5, "position times the speed of each pair"),
        Criterion("any positions", 0.5, "positions with gaps, in any order, far away, none"),
        Criterion("floating", 0.5, "fractions of positions, and float64"),
        Criterion("base", 0.5, "any base"),
    ),
    hints=(
        "You know these angles from the sinusoidal table: it holds their sines and cosines.",
        "Two vectors are needed: the T positions, and one speed for each of the head_dim / 2 pairs. Pair 0 has speed 1.",
        "An outer product joins them: positions as a column, speeds as a row. With `torch.arange(0, head_dim, 2)` the "
        "numbers 2i are already there. int64 positions must become floating on the way.",
    ),
    cases=_angles_cases,
    compare=_same_angles,
)


def _run_rope(
    candidate: Callable[..., Any],
    x: torch.Tensor,
    positions: torch.Tensor,
    *args: Any,
    grad_output: torch.Tensor | None = None,
    **options: Any,
) -> Parts:
    """Call; with `grad_output` also report the gradient of x, and how much <gradient, x> and <grad_output, result> differ."""
    if grad_output is None:
        return Parts({"result": candidate(x, positions, *args, **options)})
    leaf = x.clone().requires_grad_()
    result = candidate(leaf, positions, *args, **options)
    parts = Parts({"result": result})
    if getattr(result, "requires_grad", False):
        result.backward(grad_output)
    parts["gradient of x"] = leaf.grad
    if leaf.grad is not None:
        parts["difference of inner products"] = ((leaf.grad * x).sum(dim=-1) - (grad_output * result.detach()).sum(dim=-1)) / 10
    return parts


def _gradient(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    """The backward pass of a rotation is a rotation."""
    if got is None:
        return Fault("property", "no gradient reaches x")
    fault = Same().leaf(expected, got, "the gradient of x", float("inf"))
    return fault or lengths_kept(case.options["grad_output"], got, "gradients of vectors")


def _agree(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    fault = Same().leaf(expected, got, "the gradient of x", 1e-3)
    return fault and Fault("values", "the gradient of x is not that of the turned vectors")


def _rope_cases(draw: Draw) -> Iterator[Case]:
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
        said = "".join(f", {key}={value}" for key, value in options.items() if key != "grad_output")
        listed = ", ".join(str(position) for position in positions.tolist())
        call = f"apply_rope(x, torch.tensor([{listed}]){said}) with x of shape {tuple(x.shape)}{then}"
        return Case(name, {"x": x, "positions": positions}, criterion, options, call, because)

    turn = "Pair i at position p turns by rope_angles(p)[i]."
    yield case("one pair", (3, 2, 2), torch.arange(5), "rotation", turn)
    sizes = draw.choice(((3, 5, 4), (2, 7, 6), (5, 3, 6), (7, 2, 6)))
    yield case("several pairs", sizes, torch.arange(11), "rotation", turn)
    yield case("five pairs", (3, 5, 10), torch.arange(7), "rotation", turn)

    given = "The positions are those given, not 0, 1, 2, ..."
    yield case("a later part of a text", sizes, torch.arange(11) + draw.integer(20, 50), "any positions", given)
    shuffled = torch.cat([torch.tensor([6, 2, 4]), 7 + draw.distinct(4, 30)])
    yield case("positions in no order", sizes, shuffled, "any positions", given)
    yield case("repeated positions", (3, 5, 6), torch.tensor([2, 5, 5, 0, 2, 3]), "any positions", given)
    far = torch.tensor([10000, 9999, 3000, 3001, 6, 5]) - draw.integer(0, 5)
    yield case("far away", (3, 5, 8), far, "any positions")
    yield case("another base", sizes, torch.arange(0, 40, 3), "any positions", base=_base(draw))
    yield Case(
        "the base by position",
        {"x": orthonormal(draw, 3, 2, 7, 6), "positions": torch.arange(7), "base": _base(draw)},
        "any positions",
        call="apply_rope(x, torch.arange(7), base) with x of shape (3, 2, 7, 6)",
    )
    yield case("a base of 500,000", (3, 5, 8), torch.arange(0, 400, 30), "any positions", base=500000.0)

    shapes = "x is (B, h, T, head_dim): the position is its third axis, whatever the other sizes are."
    yield case("as many heads as positions", (3, 5, 6), torch.arange(5) + 1, "any shape", shapes)
    yield case("as many sentences as positions", (5, 3, 6), torch.arange(5) + 1, "any shape", shapes)
    yield case("as many positions as head_dim", (3, 5, 6), torch.arange(6) + 1, "any shape", shapes)
    yield case("as many positions as pairs", (3, 5, 6), torch.arange(3) + 1, "any shape", shapes)
    yield case("all sizes alike", (4, 4, 4), torch.arange(4) + 1, "any shape", shapes)
    yield case("one head", (7, 1, 6), torch.arange(5) + 1, "any shape")
    yield case("one sentence", (1, 7, 6), torch.arange(5) + 1, "any shape")
    yield case("one position", (3, 2, 4), draw.ids(1, 20) + 1, "any shape")
    yield case("a wide head", (9, 8, 72), torch.tensor([6]), "any shape", "All numbers of a head are turned.")
    yield case("not contiguous in memory", sizes, torch.arange(1, 8), "any shape", gaps=True)
    yield case("float64", sizes, torch.arange(1, 6), "any shape", "The result has x's type.", dtype=torch.float64)
    yield case("large values", sizes, torch.arange(1, 6), "any shape", scale=1e4)

    back = "The result is a function of x: a gradient turns back by the same angles."
    yield case("backward", sizes, torch.arange(7), "gradient", back, backward=True)
    yield case("backward, float64", (3, 5, 6), torch.arange(5) + 3, "gradient", back, backward=True, dtype=torch.float64)


apply_rope = Exercise(
    id="06.apply_rope",
    title="Rotary positions",
    why="Nearly every large language model turns its queries and keys like this; a wrong pairing trains well and "
    "fails on longer texts.",
    difficulty=3,
    minutes=15,
    criteria=(
        Criterion("rotation", 2, "each pair turns by its angle; lengths and position 0 stay as they are"),
        Criterion("any positions", 1, "dot products depend on the distance alone, at any positions and any base"),
        Criterion("any shape", 1, "any B, h, T and head_dim, any memory layout, float64"),
        Criterion("gradient", 1, "gradients flow back to x"),
    ),
    hints=(
        "Turning a point (a, b) by an angle mixes a and b with the cosine and the sine of that angle. Write it down for one "
        "pair.",
        "Choose your pairs: neighbours (0, 1), (2, 3), ..., or one number of each half, (i, i + head_dim / 2). The angle i "
        "must go to both numbers of pair i: tables and pairs must follow the same choice.",
        "Angles of shape (T, head_dim / 2) broadcast against slices of shape (B, h, T, head_dim / 2). Take both numbers of all "
        "pairs as two such slices, make two new ones, and put them back where they came from, without writing into x.",
    ),
    cases=_rope_cases,
    run=_run_rope,
    compare=Same(rules={"result": turned, "gradient of x": _gradient, "difference of inner products": _agree}),
    uses=("rope_angles",),
)
