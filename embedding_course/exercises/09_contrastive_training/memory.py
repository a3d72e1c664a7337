"""Vectors in less memory: 8-bit codes and fewer columns. Cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...compare import Fault, Same, modified_fault, raised_fault
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided

__all__ = ["dequantize", "quantize_uint8", "truncate_dimensions"]

_PARTS = ("codes", "scale", "offset")
_STEPS = 255


def _run_quantize(candidate: Callable[..., Any], x: torch.Tensor) -> Any:
    result = candidate(x)
    if isinstance(result, (tuple, list)) and len(result) == len(_PARTS):
        return Parts(zip(_PARTS, result, strict=True))
    return result


def _judge_codes(expected: Any, got: Any, case: Case) -> Fault | None:
    """Any codes will do that come back near enough; the reference's are one choice of many."""
    if got.raised is not None:
        return raised_fault(got)
    if not isinstance(got.value, Parts):
        return Fault("type", "the result is not a tuple of three: codes, scale, offset")
    for name in _PARTS:
        fault = Same().leaf(expected.value[name], got.value[name], f"the {name}")
        if fault and fault.stage != "values":
            return fault
    return _round_trip(case.args["x"], got.value) or (modified_fault(got) if got.modified else None)


def _round_trip(x: torch.Tensor, parts: Parts) -> Fault | None:
    if not x.numel():
        return None
    codes, scale, offset = (parts[name] for name in _PARTS)
    extent = (x.amax(dim=1) - x.amin(dim=1)).double()
    constant = extent == 0
    back = torch.addcmul(offset, codes.to(x.dtype), scale)
    if not torch.equal(back[constant], x[constant]):
        return Fault("values", "a constant row does not come back exactly")
    back = torch.addcmul(offset.double(), codes.double(), scale.double())
    error = (back - x.double()).abs().amax(dim=1)
    steps = (error / extent * _STEPS)[~constant]
    if (steps > 0.51).any():
        worst = int(torch.where(constant, -1.0, error / extent).argmax())
        detail = f"; in row {worst} by {float(steps.max()):.3g} of (max - min) / 255"
        return Fault("values", "the round trip errs by more than 0.51 of (max - min) / 255", detail)
    return None


def _rows(draw: Draw, rows: int, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Rows from 0 to 1 in no order, with values at a quarter and at three quarters of a step between two codes."""
    inner = draw.uniform(rows, width - 2, low=0.02, high=0.98, dtype=torch.float64)
    fraction = torch.where(torch.arange(width - 2) % 2 == 0, 0.25, 0.75)
    inner = ((inner * _STEPS).floor() + fraction) / _STEPS
    whole = torch.cat([torch.zeros(rows, 1), torch.ones(rows, 1), inner], dim=1)
    return torch.stack([row[draw.distinct(width, width)] for row in whole]).to(dtype)


def _quantize_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x}, criterion, because=because)

    rows, width = draw.choice(((3, 5), (3, 7), (5, 7), (5, 11)))
    near = "codes * scale + offset must come back within 0.51 of (max - min) / 255, in each row."
    yield case("one row from 0 to 255", torch.tensor([[0.0, 255.0, 100.25, 3.0, 199.75]]), "round trip", near)
    yield case("rows from -1 to 1", 2 * _rows(draw, rows, width) - 1, "round trip", near)
    yield case("positive numbers", _rows(draw, rows, width) + 0.5, "round trip", near)
    yield case("negative numbers", -3 * _rows(draw, rows, width) - 1, "round trip", near)
    yield case("as many rows as columns", 4 * _rows(draw, 5, 5) - 1, "round trip", near)

    levels = torch.tensor([0.01, 1.0, 100.0, 5000.0, -0.5])[draw.distinct(5, 5), None]
    own = "Each row has a scale and an offset of its own."
    yield case("rows of very different sizes", levels * _rows(draw, 5, 7), "each row", own)
    yield case("rows on very different levels", levels.clamp(max=400) + 2 * _rows(draw, 5, 7), "each row", own)
    tiny = torch.cat([torch.tensor([255.0]), torch.arange(0, 255, 8.25)])[draw.distinct(32, 32)] / 255
    yield case("a row of small numbers", torch.stack([1e-3 * tiny, 2 * tiny]), "each row",
               "A millionth, added to a scale against division by 0, is a large part of this one.")  # fmt: skip
    yield case("rows of very small numbers", torch.stack([1.8e-4 * tiny, -8.36e-5 * tiny]), "each row",
               "They are small, but not equal, and their scales are below a millionth.")  # fmt: skip
    yield case("rows of billionths", torch.stack([1e-9 * tiny, -3e-9 * tiny]), "each row",
               "They are small, but not equal.")  # fmt: skip
    lone = draw.uniform(2, 101)
    lone[0, draw.integer(0, 100)], lone[1, draw.integer(0, 100)] = 100.0, -60.0
    yield case("one number far from all others", lone, "each row", "Every number comes back, the largest as well.")
    size = draw.uniform(rows, 1, low=0.5, high=2.0)
    yield case("far from 0", 250 * size + size * _rows(draw, rows, width), "each row", "The offset takes up the distance.")
    yield case("far below 0", size * _rows(draw, rows, width) - 250 * size, "each row", "The offset takes up the distance.")

    exact = "A row of equal numbers comes back exactly, and nothing is nan or inf."
    mixed = _rows(draw, 3, 7)
    mixed[draw.integer(0, 2)] = 0.1
    yield case("a constant row among others", mixed, "constant rows", exact)
    yield case("a row of zeros", torch.cat([_rows(draw, 2, 5), torch.zeros(1, 5)]), "constant rows", exact)
    yield case("constant rows only", torch.tensor([0.3, -7.7, 1e4, 1.0])[:, None].expand(4, 3).contiguous(),
               "constant rows", exact)  # fmt: skip
    yield case("a single column", draw.normal(5, 1), "constant rows", exact)
    constant = torch.full((2, 3), 1 / 3, dtype=torch.float64) * torch.tensor([[1.0], [-1e3]], dtype=torch.float64)
    yield case("constant rows, float64", constant, "constant rows", exact)

    yield case("float64", 6 * _rows(draw, rows, width, torch.float64) - 2, "any input", "float64 scale and offset.")
    yield case("large numbers", 2e4 * _rows(draw, rows, width) - 1e4, "any input")
    yield case("two values in a row", torch.tensor([[1.0, 3.0], [-2.0, -7.0], [0.0, 0.5]]), "any input")
    yield case("gaps in memory", strided(3 * _rows(draw, rows, width) - 1), "any input")
    yield case("no rows", torch.zeros(0, width), "any input", "Codes of shape (0, d), scale and offset of shape (0, 1).")


quantize_uint8 = Exercise(
    id="09.quantize_uint8",
    title="Vectors in 8 bits",
    why="A quarter of the memory for almost the same search results: most vector indexes store bytes.",
    difficulty=2,
    minutes=12,
    core=False,
    criteria=(
        Criterion("round trip", 1, "each number comes back within half a step, and codes are uint8"),
        Criterion("each row", 1, "every row has its own scale and offset"),
        Criterion("constant rows", 0.5, "rows of equal numbers come back exactly"),
        Criterion("any input", 0.5, "float64, large numbers, any memory layout, no rows"),
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


def _dequantize_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str, codes: torch.Tensor, scale: torch.Tensor, offset: torch.Tensor, criterion: str, because: str = ""
    ) -> Case:
        return Case(name, {"codes": codes, "scale": scale, "offset": offset}, criterion, because=because)

    def codes(*shape: int) -> torch.Tensor:
        found = torch.tensor(draw.rng.integers(0, 256, shape), dtype=torch.uint8)
        if found.numel() >= 3:
            found.view(-1)[draw.distinct(3, found.numel())] = torch.tensor([0, 255, 128], dtype=torch.uint8)
        return found

    def pair(rows: int, dtype: torch.dtype = torch.float32, size: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
        scale = size * draw.uniform(rows, 1, low=0.01, high=0.1, dtype=dtype)
        return scale, size * draw.uniform(rows, 1, low=-9, high=-2, dtype=dtype)

    rows, width = draw.sizes(2, smallest=3)
    first = torch.tensor([[0, 1, 200], [255, 128, 2]], dtype=torch.uint8)
    yield case("two rows", first, torch.tensor([[0.5], [0.1]]), torch.tensor([[1.0], [-3.0]]), "values",
               "0.5 * 200 + 1 = 101: the scale first, then the offset.")  # fmt: skip
    yield case("more rows", codes(rows, width), *pair(rows), "values")
    yield case("as many rows as columns", codes(5, 5), *pair(5), "values", "Each row has a scale and an offset of its own.")
    yield case("one row", codes(1, width), *pair(1), "values")
    yield case("a single column", codes(rows, 1), *pair(rows), "any input")
    yield case("scales of 0", codes(3, width), torch.zeros(3, 1), torch.tensor([[0.5], [0.0], [-7.0]]), "any input",
               "Every number of the row is the offset.")  # fmt: skip
    yield case("float64", codes(rows, width), *pair(rows, torch.float64), "any input")
    scale = draw.uniform(3, 1, low=0.01, high=0.1, dtype=torch.float64)
    level = torch.tensor([[200], [77], [255]], dtype=torch.uint8)
    rest = draw.uniform(3, 1, low=0.01, high=0.02, dtype=torch.float64)
    yield case("float64, offsets that almost cancel", level.expand(3, 5).contiguous(), scale, rest - level * scale,
               "any input", "Rounding to float32 on the way would show.")  # fmt: skip
    yield case("large numbers", codes(rows, width), *pair(rows, size=1000.0), "any input")
    scale, offset = pair(rows)
    yield case("gaps in memory", strided(codes(rows, width)), strided(scale), strided(offset), "any input")
    yield case("no rows", codes(0, width), *pair(0), "any input")


dequantize = Exercise(
    id="09.dequantize",
    title="And back",
    why="A search compares numbers, not codes; two operations bring them back.",
    difficulty=1,
    minutes=4,
    core=False,
    criteria=(
        Criterion("values", 0.5, "the codes as numbers again, each row by its scale and offset"),
        Criterion("any input", 0.5, "float64, large numbers, any memory layout, no rows"),
    ),
    hints=(
        "What did the quantiser do last to get codes? Undo that first.",
        "Shapes: (N, d) and (N, 1). Broadcasting does the rest; no squeeze, no loop.",
        "The result is floating, of the type of the scale. A tensor of bytes times a floating one already is.",
    ),
    cases=_dequantize_cases,
)


def _as_rows(candidate: Callable[..., Any], *args: Any) -> Parts:
    return Parts({"rows": candidate(*args)})


def _unit_rows(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    """As `Same`; but a tiny number, added to the lengths against division by 0, may show in short rows."""
    lengths = torch.linalg.vector_norm(case.args["x"][:, : case.args["keep"]].double(), dim=1)
    shortest = min(lengths[lengths > 0].tolist(), default=1.0)
    return Same().leaf(expected, got, "the result", 1.5e-7 / shortest if shortest < 1e-3 else None)


def _truncate_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, keep: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x, "keep": keep}, criterion, because=because)

    rows, width = draw.choice(((3, 5), (3, 7), (5, 7), (7, 11)))
    first = torch.tensor([[3.0, 4.0, 12.0], [0.6, -0.8, 5.0]])
    yield case("two of three columns", first, 2, "shorter", "(3, 4) has the length 5.")
    yield case("half of the columns", draw.normal(rows, width), width // 2, "shorter")
    first = draw.normal(rows, width)
    first[:, 0] += 0.3 * torch.where(first[:, 0] < 0, -1.0, 1.0)
    yield case("one column", first, 1, "shorter", "What is left of each row is 1 or -1.")
    yield case("as many columns kept as there are rows", draw.normal(rows, width), rows, "shorter")
    yield case("as many rows as columns", draw.normal(5, 5), 3, "shorter")

    whole = "All columns are kept, and the rows are unit vectors all the same."
    yield case("all columns", 3 * draw.normal(rows, width), width, "all columns", whole)
    yield case("more than all columns", 3 * draw.normal(rows, width), width + 3, "all columns", whole)

    zero = draw.normal(rows, width)
    zero[draw.integer(0, rows - 1)] = 0
    yield case("a row of zeros", zero, 2, "zero rows", "It stays a row of zeros.")
    head = draw.normal(rows, width)
    head[draw.integer(0, rows - 1), :2] = 0
    yield case("a row that begins with zeros", head, 2, "zero rows", "What is kept of it is a row of zeros.")
    yield case("a row of zeros, all columns", zero, width, "zero rows")

    odd = torch.tensor([[1.5, -1.5, 0.25, -0.25, 9.0], [1.0, 0.0, 2.0, 1.0, 9.0], [0.0, 0.0, 3.0, 0.0, 9.0]])
    yield case("rows that sum to 0 or hold a 0", odd, 4, "zero rows", "Only a row that holds nothing but zeros is a zero row.")

    yield case("float64", draw.normal(rows, width, dtype=torch.float64, scale=0.1), width - 2, "any input")
    yield case("short rows", draw.normal(rows, width, scale=2.4e-4), width - 2, "any input", "Short rows have a direction too.")
    tiny = 1e-6 * torch.tensor([[3.0, 4.0, 12.0], [-4.5, 6.0, 5.0]])
    yield case("very short rows", tiny, 2, "any input", "Short rows have a direction too.")
    yield case("large numbers", draw.normal(rows, width, scale=5e3), width - 2, "any input")
    yield case("gaps in memory", strided(draw.normal(rows, width)), width - 1, "any input")
    yield case("one row", draw.normal(1, width), 2, "any input")
    yield case("no rows", draw.normal(0, width), 2, "any input", "The result has shape (0, 2).")


truncate_dimensions = Exercise(
    id="09.truncate_dimensions",
    title="Fewer dimensions",
    why="A model trained as a Matryoshka doll puts what matters into the first columns: the rest may be cut off.",
    difficulty=1,
    minutes=5,
    core=False,
    criteria=(
        Criterion("shorter", 0.5, "the first columns, as unit vectors"),
        Criterion("all columns", 0.5, "keep may be the number of columns, or more"),
        Criterion("zero rows", 0.5, "rows of zeros stay rows of zeros"),
        Criterion("any input", 0.5, "float64, large numbers, any memory layout, no rows"),
    ),
    hints=(
        "First cut, then normalise: what is left of a unit vector is shorter than 1.",
        "A slice that asks for more columns than there are simply stops at the end.",
        "Dividing a row of zeros by its length gives nan. Which function of torch normalises rows and looks after that?",
    ),
    cases=_truncate_cases,
    run=_as_rows,
    compare=Same(rules={"rows": _unit_rows}),
)
