"""The angles of rotary positions: cases and comparison."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, Observation, RandomInputs, strided
from .sizes import even_width, some_base


def _same_angles(expected: Observation, got: Observation, case: Case) -> Mismatch | None:
    """Compare the angles: floating positions keep their dtype, int64 positions allow float32 and float64."""
    floating = case.args["positions"].is_floating_point()
    return Comparison(dtype="same" if floating else "floating")(expected, got, case)


def _increasing(draw: RandomInputs, count: int, largest: int) -> torch.Tensor:
    """Return increasing positions with gaps, the first of them not 0."""
    return (1 + draw.distinct(count, largest)).sort().values


def _angles_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, positions: torch.Tensor, width: int, criterion: str, because: str = "", **options: float) -> Case:
        return Case(name, {"positions": positions, "head_dim": width}, criterion, options=options, because=because)

    def first(low: int, high: int) -> torch.Tensor:
        return torch.arange(draw.integer(low, high))

    usual, width = first(4, 20), even_width(draw, 2, 8)
    yield case("one pair", first(4, 20), 2, "angles", "Pair 0 turns by the position itself.").trying("head_dim the width")
    yield case("a few pairs", usual, width, "angles", "Each pair turns more slowly than the one before.").trying("in radians")
    yield case("more pairs", first(3, 9), even_width(draw, 9, 20), "angles").trying("head_dim the width")
    pairs = draw.integer(4, 12)
    yield case("as many positions as pairs", torch.arange(pairs), 2 * pairs, "angles").trying(
        "tensor of shape (T, head_dim / 2)")
    square = even_width(draw, 3, 8)
    yield case("as many positions as head_dim", torch.arange(square), square, "angles").trying(
        "tensor of shape (T, head_dim / 2)")
    yield case("a wide head", first(4, 12), even_width(draw, 50, 75), "angles").trying("head_dim the width")

    given = "The angles belong to the positions that are given."
    yield case("positions with gaps", _increasing(draw, 5, 60), even_width(draw, 2, 8), "any positions", given)
    yield case("positions in no order", torch.cat([torch.tensor([3, 0]), 4 + draw.distinct(5, 40)]), 8, "any positions", given)
    yield case("repeated positions", torch.tensor([4, 4, 1, 4]), even_width(draw, 2, 8), "any positions", given)
    yield case("one position", draw.ids(1, 50) + 2, 10, "any positions")
    yield case("no positions", draw.ids(0, 5), even_width(draw, 2, 8), "any positions",
               "The result is empty and has head_dim / 2 columns.")
    yield case("far away", torch.tensor([9999, 17, 4096, 10000]), 12, "any positions",
               "Angles are not reduced to one turn.").trying("in radians")
    yield case("positions with gaps in memory", strided(_increasing(draw, 5, 60)), 6, "any positions")

    between = "Positions may be fractions: nothing is rounded."
    halves = torch.cat([torch.tensor([0.25, 2.75]), draw.uniform(3, low=3.0, high=20.0)])
    yield case("fractions of positions", halves, even_width(draw, 2, 8), "floating", between)
    yield case("whole numbers as float32", torch.arange(5.0), 8, "floating")
    doubled = torch.cat([torch.tensor([0.5]), draw.uniform(4, low=1.0, high=500.0)]).double()
    yield case("fractions, float64", doubled + draw.uniform(5, dtype=torch.float64), 10, "floating",
               "float64 positions give float64 angles.").trying("float64 positions")
    yield case("negative positions", torch.tensor([-3, 0, 5, -1]) - draw.integer(0, 9), 6, "any positions", given)
    yield case("negative fractions", torch.tensor([-2.5, 0.5]), 6, "floating", between)

    bases = "Another base gives other speeds."
    yield case("another base", usual, width, "base", bases, base=some_base(draw))
    yield case("a base with a fraction", first(4, 20), 6, "base", bases, base=2.5)
    yield case("a base of 500,000", _increasing(draw, 5, 300), 16, "base", bases, base=500000.0)
    yield Case("the base by position", {"positions": first(4, 20), "head_dim": 10, "base": some_base(draw)}, "base")
    yield case("docstring example", torch.tensor([0, 1, 5]), 4, "base", base=100.0)


rope_angles = Exercise(
    id="06.rope_angles",
    title="Angles for every position",
    why="Rotary positions turn pairs of components; the position enters through these angles alone.",
    difficulty=1,
    minutes=9,
    criteria=(
        Criterion("angles", 1.5, "position times the speed of each pair", tries=("column i",)),
        Criterion("any positions", 0.5, "positions with gaps, in any order, far away, none", tries=("int64 or floating",)),
        Criterion("floating", 0.5, "fractions of positions, and float64", tries=("int64 or floating",)),
        Criterion("base", 0.5, "any base", tries=("base how far",)),
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
