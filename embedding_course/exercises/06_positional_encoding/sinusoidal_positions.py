"""The sinusoidal table: cases and comparison."""

from collections.abc import Iterator

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs
from ..drivers import reported_as
from .sizes import even_width, some_base

# All entries lie between -1 and 1. In float32 an angle of some hundred radians is known to about 1e-4.
_SAME = Comparison(dtype="floating", rounding={"table": 1e-3})


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, length: int, d: int, criterion: str, because: str = "", **options: float) -> Case:
        return Case(name, {"length": length, "d": d}, criterion, options=options, because=because)

    length, width = draw.integer(5, 30), even_width(draw, 2, 6)
    yield case("two columns", draw.integer(5, 30), 2, "even width",
               "The first pair is the sine and the cosine of the position itself.")
    yield case("a few columns", length, width, "even width", "Columns 2i and 2i + 1 share one angle.").trying(
        "d the width", "returns")
    yield case("more columns", draw.integer(5, 30), even_width(draw, 7, 20), "even width")
    square = even_width(draw, 4, 12)
    yield case("as many positions as columns", square, square, "even width").trying("returns")
    yield case("a wide table", draw.integer(15, 25), even_width(draw, 50, 75), "even width")
    yield case("docstring example", 2, 4, "any base and length", base=100.0)

    odd = "The exponent is 2i / d with d as given; only the last cosine is missing."
    yield case("a few columns, odd", draw.integer(5, 30), even_width(draw, 1, 5) + 1, "odd width", odd).trying("d the width")
    yield case("more columns, odd", draw.integer(5, 30), even_width(draw, 6, 20) + 1, "odd width", odd)
    square = even_width(draw, 3, 12) + 1
    yield case("as many positions as columns, odd", square, square, "odd width", odd)

    bases = "Another base gives other speeds."
    yield case("another base", length, width, "any base and length", bases, base=some_base(draw)).trying("base how far")
    yield case("another base, odd width", draw.integer(5, 30), even_width(draw, 1, 5) + 1, "any base and length", bases,
               base=some_base(draw)).trying("base how far")
    yield case("a base with a fraction", length, width, "any base and length", bases, base=2.5).trying("base how far")
    yield case("a base of 500,000", draw.integer(11, 30), 12, "any base and length", bases, base=500000.0).trying(
        "base how far")
    by_position = {"length": draw.integer(5, 30), "d": even_width(draw, 2, 6), "base": some_base(draw)}
    yield Case("the base by position", by_position, "any base and length").trying("base how far")
    yield case("one column", draw.integer(5, 30), 1, "any base and length", odd).trying("An odd d", "its exponents")
    yield case("one position", 1, even_width(draw, 2, 6), "any base and length").trying("length how many", "0 gives an empty")
    yield case("no positions", 0, even_width(draw, 2, 6), "any base and length",
               "The table is empty and has d columns.").trying("length how many", "0 gives an empty", "returns")
    yield case("no positions, odd width", 0, even_width(draw, 2, 6) + 1, "any base and length").trying(
        "length how many", "0 gives an empty")
    yield case("a long table", draw.integer(400, 500), 4, "any base and length").trying("length how many", "0 gives an empty")
    yield case("a very long table", draw.integer(5001, 5099), 1, "any base and length", "Any length works.").trying(
        "length how many", "0 gives an empty")


sinusoidal_positions = Exercise(
    id="06.sinusoidal_positions",
    title="The sinusoidal table",
    why="One formula gives every position its own row, like clock hands of different speeds.",
    difficulty=2,
    minutes=15,
    criteria=(
        Criterion("even width", 3, "sine and cosine of one angle for each pair of columns", tries=("Columns 2i",)),
        Criterion("odd width", 1, "an odd width lacks the last cosine, and nothing else changes",
                  tries=("An odd d", "its exponents")),
        Criterion("any base and length", 1, "any base, long tables, one position, none"),
    ),
    hints=(
        "How many different angles does a row of d = 6 numbers hold? Three: each is used twice.",
        "Make the angles first, one row for each position, one column for each pair; then fill the sines into every "
        "second column, starting at 0, and the cosines starting at 1.",
        "If your loop already counts the columns 0, 2, 4, ..., then its variable is the 2i of the formula. With an odd "
        "d there is one sine column more than there are cosine columns: cut the angles to fit.",
    ),
    cases=_cases,
    run=reported_as("table"),
    compare=_SAME,
)
