"""From 8 bits back to numbers: cases."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided


def _dequantize_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, codes: torch.Tensor, scale: torch.Tensor, offset: torch.Tensor, criterion: str, because: str = ""
    ) -> Case:
        return Case(name, {"codes": codes, "scale": scale, "offset": offset}, criterion, because=because)

    def codes(*shape: int) -> torch.Tensor:
        values = torch.tensor(draw.rng.integers(0, 256, shape), dtype=torch.uint8)
        if values.numel() >= 3:
            values.view(-1)[draw.distinct(3, values.numel())] = torch.tensor([0, 255, 128], dtype=torch.uint8)
        return values

    def pair(rows: int, dtype: torch.dtype = torch.float32, size: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
        scale = size * draw.uniform(rows, 1, low=0.01, high=0.1, dtype=dtype)
        return scale, size * draw.uniform(rows, 1, low=-9, high=-2, dtype=dtype)

    rows, width = draw.sizes(2, smallest=3)
    yield case("a few rows", codes(rows, width), *pair(rows), "values", "The scale first, then the offset.").trying("returns")
    yield case("other sizes", codes(width, rows), *pair(width), "values")
    yield case("as many rows as columns", codes(5, 5), *pair(5), "values", "Each row has a scale and an offset of its own.")
    example = torch.tensor([[0, 1, 200]], dtype=torch.uint8), torch.tensor([[0.5]]), torch.tensor([[1.0]])
    yield case("docstring example", *example, "values", "0.5 * 200 + 1 = 101: the scale first, then the offset.")

    yield case("one row", codes(1, width), *pair(1), "any input").trying("offset (N, 1)")
    yield case("a single column", codes(rows, 1), *pair(rows), "any input").trying("codes (N, d)")
    yield case("scales of 0", codes(3, width), torch.zeros(3, 1), torch.tensor([[0.5], [0.0], [-7.0]]), "any input",
               "Every number of the row is the offset.")
    scale, offset = pair(rows)
    yield case("negative scales", codes(rows, width), -scale, -offset, "any input", "A scale is a number like any other.")
    yield case("float64", codes(rows, width), *pair(rows, torch.float64), "any input").trying("offset (N, 1)", "returns")
    scale = draw.uniform(3, 1, low=0.01, high=0.1, dtype=torch.float64)
    level = torch.tensor([[200], [77], [255]], dtype=torch.uint8)
    rest = draw.uniform(3, 1, low=0.01, high=0.02, dtype=torch.float64)
    yield case("float64, offsets that almost cancel", level.expand(3, 5).contiguous(), scale, rest - level * scale,
               "any input", "Rounding to float32 on the way would show.").trying("returns")
    yield case("large numbers", codes(rows, width), *pair(rows, size=1000.0), "any input")
    yield case("small numbers", codes(rows, width), *pair(rows, size=1e-5), "any input")
    scale, offset = pair(rows)
    yield case("gaps in memory", strided(codes(rows, width)), strided(scale), strided(offset), "any input").trying(
        "codes (N, d)", "offset (N, 1)")
    yield case("no rows", codes(0, width), *pair(0), "any input").trying("N may be 0")


dequantize = Exercise(
    id="11.dequantize",
    title="And back",
    why="A search compares numbers, not codes; two operations bring them back.",
    difficulty=1,
    minutes=4,
    core=False,
    criteria=(
        Criterion("values", 0.25, "the codes as numbers again, each row by its scale and offset",
                  tries=("codes (N, d)", "scale (N, 1)", "offset (N, 1)")),
        Criterion("any input", 0.25, "float64, large numbers, any memory layout, no rows", tries=("scale (N, 1)",)),
    ),
    hints=(
        "What did the quantiser do last to get codes? Undo that first.",
        "Shapes: (N, d) and (N, 1). Broadcasting does the rest; no squeeze, no loop.",
        "The result is floating, of the type of the scale. A tensor of bytes times a floating one already is.",
    ),
    cases=_dequantize_cases,
)
