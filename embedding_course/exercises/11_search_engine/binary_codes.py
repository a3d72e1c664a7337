"""One bit for each number: cases."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided


def _signed(draw: RandomInputs, rows: int, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return numbers between 0.1 and 2 with random signs; no row has the same signs from both ends."""
    signs = draw.ids((rows, width), 2) * 2 - 1
    if width > 1:
        signs[:, 0], signs[:, -1] = torch.tensor([[1], [-1]]).expand(2, rows)
    return draw.uniform(rows, width, low=0.1, high=2.0, dtype=dtype) * signs


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x}, criterion, because=because)

    rows = draw.choice((3, 5, 7))
    first = "The first column is the most significant bit: worth 128."
    yield case("eight columns", _signed(draw, rows, 8), "bits", first)
    yield case("sixteen columns", _signed(draw, rows, 16), "bits", first)
    yield case("many columns", _signed(draw, 5, draw.choice((40, 48, 56))), "bits", first)
    yield case("as many rows as columns", _signed(draw, 16, 16), "bits", first)
    yield case("columns around 3 and around -3", _shifted(draw, rows, 24), "bits", "Bit 1 stands for a number above 0.")

    spare = "What is left of the last byte is 0, and stands at its end."
    yield case("thirteen columns", _signed(draw, rows, 13), "spare bits", spare)
    yield case("three columns", _signed(draw, rows, 3), "spare bits", spare)
    yield case("many columns and a rest", _signed(draw, 5, 8 * draw.integer(3, 5) + draw.integer(2, 6)), "spare bits", spare)
    yield case("as many rows as columns, eleven", _signed(draw, 11, 11), "spare bits", spare)
    yield case("all positive, ten columns", _signed(draw, 3, 10).abs(), "spare bits", spare).trying("Bit 1 stands")
    yield case("a single column", _signed(draw, rows, 1) * draw.choice((1, -1)), "spare bits", spare).trying(
        "x (N, d)", "it is not modified")
    example = torch.tensor([[0.5, -1.0, 2.0, 0.0, 1.0, -3.0, 0.1, 4.0, 7.0], [-1.0] * 7 + [2.0, -1.0]])
    yield case("docstring example", example, "spare bits", spare).trying("bit 0 for 0", "In each row")

    zero = "0 is not above 0: its bit is 0."
    yield case("zeros among others", _signed(draw, rows, 16) * draw.ids((rows, 16), 2), "zero", zero).trying("bit 0 for 0")
    yield case("a row of zeros", torch.cat([_signed(draw, 2, 8), torch.zeros(1, 8), -torch.zeros(1, 8)]), "zero", zero).trying(
        "bit 0 for 0")
    little = "However little above 0 it is, a positive number has bit 1."
    yield case("very small numbers", 1e-9 * _signed(draw, rows, 16), "zero", little).trying("Bit 1 stands")
    yield case("small and large numbers", _signed(draw, rows, 16) * 10.0 ** draw.integer(-6, -4), "zero", little).trying(
        "Bit 1 stands")

    yield case("a single row", _signed(draw, 1, 16), "any input").trying("x (N, d)", "it is not modified")
    yield case("no rows", torch.zeros(0, draw.choice((8, 16, 24))), "any input", "No codes: shape (0, b).").trying(
        "N may be 0", "returns")
    yield case("no rows, ten columns", torch.zeros(0, 10), "any input", "No codes: shape (0, 2).").trying(
        "N may be 0", "returns")
    yield case("float64", _signed(draw, rows, 16, torch.float64), "any input").trying("x (N, d)", "it is not modified")
    yield case("float64, extremely small numbers", 1e-70 * _signed(draw, rows, 16, torch.float64), "any input", little).trying(
        "Bit 1 stands")
    yield case("large numbers", 9e4 * _signed(draw, rows, 16), "any input").trying("x (N, d)", "it is not modified")
    yield case("gaps in memory", strided(_signed(draw, rows, 16)), "any input").trying("x (N, d)", "it is not modified")


def _shifted(draw: RandomInputs, rows: int, width: int) -> torch.Tensor:
    """Return columns that lie around 3 or -3, far from 0 compared with their spread; some numbers have the other sign."""
    levels = 6.0 * draw.ids((1, width), 2) - 3.0
    crossing = 1.0 - 2.0 * (draw.uniform(rows, width) < 0.2)
    return (levels + draw.uniform(rows, width, low=-1.0, high=1.0)) * crossing


binary_codes = Exercise(
    id="11.binary_codes",
    title="One bit for each number",
    why="A 32nd of the memory, and a comparison that processors do in one step: vector databases search such codes first.",
    difficulty=2,
    minutes=8,
    criteria=(
        Criterion("bits", 0.75, "which numbers are above 0, eight to a byte, the first column in the most significant bit",
                  tries=("Store the sign", "Bit 1 stands", "In each row", "x (N, d)", "it is not modified", "returns")),
        Criterion("spare bits", 0.5, "widths that are no multiple of 8: the last byte's last bits are 0",
                  tries=("Where d is no multiple", "returns")),
        Criterion("zero", 0.5, "0 and -0.0 have bit 0, the smallest positive number has bit 1"),
        Criterion("any input", 0.25, "one row, no row, float64, large numbers, any memory layout"),
    ),
    hints=(
        "First a table of True and False, as large as x. Then every eight of a row become one number from 0 to 255.",
        "Where d is no multiple of 8, put columns of 0 behind the last one, until it is. `F.pad` does that for the last axis.",
        "Cut the columns into groups of 8, for a shape of (N, b, 8). What is each of the eight worth? 128 for the first, 1 for "
        "the last.",
        "`(groups * worth).sum(dim=2)` with worth = 128, 64, …, 1; then `.to(torch.uint8)`, since a sum is int64 unless told "
        "otherwise. With no rows, `reshape` cannot guess a -1: write the number of bytes.",
    ),
    cases=_cases,
)
