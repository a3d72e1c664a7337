"""Vectors in 8 bits: cases, and what makes codes right."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.call_fault import modified_fault, raised_fault
from ...checking.compare import part_named
from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, strided
from ...messages import Code, Message

_PARTS = ("codes", "scale", "offset")
_STEPS = 255


def _run_quantize(candidate: Callable[..., Any], x: torch.Tensor) -> Any:
    result = candidate(x)
    if isinstance(result, (tuple, list)) and len(result) == len(_PARTS):
        return NamedParts(zip(_PARTS, result, strict=True))
    return result


def _judge_codes(expected: Any, got: Any, case: Case) -> Mismatch | None:
    """Accept any codes that are decoded to nearly the same numbers; those of the reference are one choice of many."""
    if got.raised is not None:
        return raised_fault(got)
    if not isinstance(got.value, NamedParts):
        return Mismatch("type", Message("The result is not a tuple of three: codes, scale, offset."))
    for name in _PARTS:
        fault = Comparison().leaf(expected.value[name], got.value[name], part_named(Code(name)))
        if fault and fault.stage != "values":
            return fault
    return _round_trip(case.args["x"], got.value) or (modified_fault(got) if got.modified else None)


def _round_trip(x: torch.Tensor, parts: NamedParts) -> Mismatch | None:
    if not x.numel():
        return None
    codes, scale, offset = (parts[name] for name in _PARTS)
    extent = (x.amax(dim=1) - x.amin(dim=1)).double()
    constant = extent == 0
    back = torch.addcmul(offset, codes.to(x.dtype), scale)
    if not torch.equal(back[constant], x[constant]):
        return Mismatch("values", Message("A constant row does not come back exactly."))
    back = torch.addcmul(offset.double(), codes.double(), scale.double())
    error = (back - x.double()).abs().amax(dim=1)
    steps = (error / extent * _STEPS)[~constant]
    if (steps > 0.51).any():
        worst = int(torch.where(constant, -1.0, error / extent).argmax())
        message = Message("The round trip errs by {error} of (max - min) / 255 in row {row}; at most 0.51 is allowed.")
        hidden = Message("The round trip errs by more than 0.51 of (max - min) / 255.")
        return Mismatch("values", message.fill(error=f"{float(steps.max()):.3g}", row=worst), hidden)
    return None


def _rows(draw: RandomInputs, rows: int, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return rows from 0 to 1 in random order, with values a quarter and three quarters of a step between two codes."""
    inner = draw.uniform(rows, width - 2, low=0.02, high=0.98, dtype=torch.float64)
    fraction = torch.where(torch.arange(width - 2) % 2 == 0, 0.25, 0.75)
    inner = ((inner * _STEPS).floor() + fraction) / _STEPS
    whole = torch.cat([torch.zeros(rows, 1), torch.ones(rows, 1), inner], dim=1)
    return torch.stack([row[draw.distinct(width, width)] for row in whole]).to(dtype)


def _quantize_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x}, criterion, because=because)

    rows, width = draw.choice(((3, 5), (3, 7), (5, 7), (5, 11)))
    near = "codes * scale + offset must come back within 0.51 of (max - min) / 255, in each row."
    yield case("rows from 0 to 255", 255 * _rows(draw, rows, width), "round trip", near)
    yield case("rows from -1 to 1", 2 * _rows(draw, rows, width) - 1, "round trip", near)
    yield case("positive numbers", _rows(draw, rows, width) + 0.5, "round trip", near)
    yield case("negative numbers", -3 * _rows(draw, rows, width) - 1, "round trip", near)
    yield case("as many rows as columns", 4 * _rows(draw, 5, 5) - 1, "round trip", near)
    yield case("many columns", draw.normal(3, 101), "round trip", near)

    levels = torch.tensor([0.01, 1.0, 100.0, 5000.0, -0.5])[draw.distinct(5, 5), None]
    own = "Each row has a scale and an offset of its own."
    yield case("rows of very different sizes", levels * _rows(draw, 5, 7), "each row", own)
    yield case("rows on very different levels", levels.clamp(max=400) + 2 * _rows(draw, 5, 7), "each row", own)
    lone = draw.uniform(2, 101)
    lone[0, draw.integer(0, 100)], lone[1, draw.integer(0, 100)] = 100.0, -60.0
    yield case("one number far from all others", lone, "each row", "Every number comes back, the largest as well.")
    size = draw.uniform(rows, 1, low=0.5, high=2.0)
    yield case("far from 0", 250 * size + size * _rows(draw, rows, width), "each row",
               "The offset takes up the distance.").trying("no number is more")
    yield case("far below 0", size * _rows(draw, rows, width) - 250 * size, "each row",
               "The offset takes up the distance.").trying("no number is more")
    yield from _constant(draw, case)
    yield case("docstring example", torch.tensor([[0.0, 51.0, 510.0], [7.0, 7.0, 7.0]]), "constant rows")
    yield from _any_input(draw, rows, width, case)


def _constant(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    exact = "A row of equal numbers comes back exactly, and nothing is nan or inf."
    mixed = _rows(draw, 3, 7)
    mixed[draw.integer(0, 2)] = 0.1
    yield case("a constant row among others", mixed, "constant rows", exact)
    yield case("a row of zeros", torch.cat([_rows(draw, 2, 5), torch.zeros(1, 5)]), "constant rows", exact)
    levels = torch.tensor([0.3, -7.7, 1e4, 1.0])[draw.distinct(4, 4), None]
    yield case("constant rows only", levels.expand(4, 3).contiguous(), "constant rows", exact)
    yield case("a single column", draw.normal(5, 1), "constant rows", exact).trying("x (N, d)")
    constant = torch.full((2, 3), 1 / 3, dtype=torch.float64) * torch.tensor([[1.0], [-1e3]], dtype=torch.float64)
    yield case("constant rows, float64", constant, "constant rows", exact)


def _any_input(draw: RandomInputs, rows: int, width: int, case: Callable[..., Case]) -> Iterator[Case]:
    yield case("a row of small numbers", torch.tensor([[3e-3], [2.0]]) * _rows(draw, 2, 128), "any input",
               "A millionth, added to a scale against division by 0, is a large part of this one.").trying(
        "`codes * scale + offset`")
    yield case("float64", 6 * _rows(draw, rows, width, torch.float64) - 2, "any input", "float64 scale and offset.").trying(
        "x (N, d)", "returns")
    yield case("large numbers", 2e4 * _rows(draw, rows, width) - 1e4, "any input").trying("`codes * scale + offset`")
    yield case("two values in a row", torch.tensor([[1.0, 3.0], [-2.0, -7.0], [0.0, 0.5]]), "any input").trying(
        "`codes * scale + offset`", "x (N, d)")
    yield case("one row", _rows(draw, 1, width), "any input").trying("x (N, d)")
    yield case("gaps in memory", strided(3 * _rows(draw, rows, width) - 1), "any input").trying(
        "`codes * scale + offset`", "x (N, d)")
    yield case("no rows", torch.zeros(0, width), "any input",
               "Codes of shape (0, d), scale and offset of shape (0, 1).").trying("N may be 0", "returns")


quantize_uint8 = Exercise(
    id="11.quantize_uint8",
    title="Vectors in 8 bits",
    why="A quarter of the memory for almost the same search results: most vector indexes store bytes.",
    difficulty=2,
    minutes=12,
    core=False,
    criteria=(
        Criterion("round trip", 0.5, "each number comes back within half a step, and codes are uint8",
                  tries=("`codes * scale + offset`", "returns")),
        Criterion("each row", 0.5, "every row has its own scale and offset", tries=("`codes * scale + offset`",)),
        Criterion("constant rows", 0.25, "rows of equal numbers come back exactly",
                  tries=("A row of equal", "no number is more", "returns")),
        Criterion("any input", 0.25, "float64, large and small numbers, any memory layout, no rows"),
    ),
    hints=(
        "256 codes are 255 steps. Where should the smallest number of a row end up, and where the largest?",
        "Converting to uint8 cuts decimals off; half a step of error allows no cutting. Which function goes to the "
        "nearest whole number?",
        "Offset: the smallest of the row. Scale: the range in 255 steps; where the range is 0, any other positive "
        "number serves. Codes: how many steps above the offset, rounded.",
    ),
    cases=_quantize_cases,
    run=_run_quantize,
    compare=_judge_codes,
)
