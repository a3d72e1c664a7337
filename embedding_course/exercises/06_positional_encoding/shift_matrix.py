"""The matrix that shifts the sinusoidal table: cases and comparison."""

from collections.abc import Iterator

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs
from ..drivers import reported_as
from .sizes import even_width, some_base

_SAME = Comparison(dtype="floating", rounding={"matrix": 1e-3})


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, k: int, d: int, criterion: str, because: str = "", **options: float) -> Case:
        return Case(name, {"k": k, "d": d}, criterion, options=options, because=because)

    turn = "The pair (sin a, cos a) must become (sin(a + b), cos(a + b)): write the addition theorems down."
    steps, width = draw.integer(2, 30), even_width(draw, 2, 6)
    yield case("several steps, one pair", draw.integer(2, 40), 2, "forwards", turn).trying("one matrix")
    yield case("several steps, several pairs", steps, width, "forwards", "Each pair has an angle of its own.").trying(
        "one matrix")
    square = even_width(draw, 4, 8)
    yield case("as many steps as columns", square, square, "forwards").trying("returns")
    yield case("many pairs", draw.integer(2, 40), even_width(draw, 7, 14), "forwards").trying("d the width", "returns")

    yield case("no step", 0, even_width(draw, 2, 6), "backwards", "Nothing moves.")
    yield case("one step back", -1, even_width(draw, 2, 6), "backwards", turn)
    yield case("several steps back", -draw.integer(3, 30), even_width(draw, 2, 6), "backwards", turn)

    yield case("docstring example", 3, 4, "any base")
    yield case("one step, one pair", 1, 2, "any base", turn).trying("shift_matrix(k, d, base)", "d the width")
    yield case("another base", steps, width, "any base", base=some_base(draw)).trying("base that of the table")
    yield case("back, another base", -draw.integer(3, 30), even_width(draw, 2, 6), "any base", base=some_base(draw)).trying(
        "base that of the table")
    yield case("a base with a fraction", draw.integer(3, 30), even_width(draw, 2, 6), "any base", base=2.5).trying(
        "base that of the table")
    yield Case("the base by position", {"k": draw.integer(2, 30), "d": 4, "base": some_base(draw)}, "any base").trying(
        "base that of the table")
    yield case(
        "a long way", draw.integer(1100, 1900), 12, "any base", "No table is needed, so any number of steps works."
    ).trying("shift_matrix(k, d, base)")
    yield case("a long way back", -draw.integer(1100, 1900), even_width(draw, 4, 8), "any base").trying(
        "k how far", "negative is backwards")


shift_matrix = Exercise(
    id="06.shift_matrix",
    title="One matrix moves every position",
    why="With this matrix a linear layer can look “three words back” from anywhere; RoPE uses the same rotation.",
    difficulty=2,
    minutes=18,
    core=False,
    criteria=(
        Criterion("forwards", 1, "the matrix moves each row of the table k positions ahead",
                  tries=("shift_matrix(k, d, base)",)),
        Criterion("backwards", 1, "a negative k goes back, and 0 changes nothing",
                  tries=("k how far", "negative is backwards")),
        Criterion("any base", 1, "any base, a single pair and step, and a long way"),
    ),
    hints=(
        "Take a single pair: how do sin(a + b) and cos(a + b) follow from sin(a) and cos(a)?",
        "The angle b that is added is the same at every position: k times the speed of the pair. So each pair needs "
        "a little matrix of two rows and two columns, and pairs do not mix.",
        "The row for the sine is (cos b, sin b); the other one follows from the second addition theorem. Put the blocks "
        "onto the diagonal of a d × d matrix of zeros.",
    ),
    cases=_cases,
    run=reported_as("matrix"),
    compare=_SAME,
    uses=("sinusoidal_positions",),
)
