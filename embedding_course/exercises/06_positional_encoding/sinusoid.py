"""The sinusoidal table and the matrix that shifts it: cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...compare import Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts

__all__ = ["shift_matrix", "sinusoidal_positions"]

# All entries lie between -1 and 1. In float32 an angle of some hundred radians is known to about 1e-4.
_SAME = Same(dtype="floating", tolerances={"table": 1e-3, "matrix": 1e-3})


def _table(candidate: Callable[..., Any], *args: Any, **options: Any) -> Parts:
    return Parts({"table": candidate(*args, **options)})


def _matrix(candidate: Callable[..., Any], *args: Any, **options: Any) -> Parts:
    return Parts({"matrix": candidate(*args, **options)})


def _some_base(draw: Draw) -> float:
    return float(draw.choice((20, 50, 100, 300)))


def _table_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, length: int, d: int, criterion: str, because: str = "", **options: float) -> Case:
        return Case(name, {"length": length, "d": d}, criterion, options=options, because=because)

    yield case("two columns", draw.choice((5, 7, 11)), 2, "even width",
               "The first pair is the sine and the cosine of the position itself.")  # fmt: skip
    length = draw.choice((5, 7, 11))
    yield case("six columns", length, 6, "even width",
               "Columns 2i and 2i + 1 share one angle.")  # fmt: skip
    yield case("ten columns", draw.choice((3, 7, 11)), 10, "even width")
    yield case("as many positions as columns", 8, 8, "even width")
    yield case("a wide table", draw.choice((17, 19)), 128, "even width")

    odd = "The exponent is 2i / d with d as given; only the last cosine is missing."
    yield case("five columns", draw.choice((3, 7, 11)), 5, "odd width", odd)
    yield case("seven columns", draw.choice((5, 11, 13)), 7, "odd width", odd)
    yield case("one column", draw.choice((5, 7)), 1, "odd width", odd)
    yield case("as many positions as columns, odd", 9, 9, "odd width", odd)

    yield case("another base", length, 6, "any base and length", base=_some_base(draw))
    yield case("a base with a fraction", length, 6, "any base and length", base=2.5)
    yield case("a base of 500,000", draw.choice((11, 13)), 12, "any base and length", base=500000.0)
    yield Case("the base by position", {"length": 7, "d": 5, "base": _some_base(draw)}, "any base and length")
    yield case("one position", 1, 6, "any base and length")
    yield case("no positions", 0, draw.choice((6, 10)), "any base and length", "The table is empty and has d columns.")
    yield case("no positions, odd width", 0, draw.choice((5, 7)), "any base and length")
    yield case("a long table", draw.integer(400, 500), 12, "any base and length")
    yield case("a very long table", draw.integer(5001, 5009), 1, "any base and length", "No length is the longest.")


sinusoidal_positions = Exercise(
    id="06.sinusoidal_positions",
    title="The sinusoidal table",
    why="One formula gives every position a row of its own, like the hands of a clock that run at different speeds.",
    difficulty=2,
    minutes=10,
    criteria=(
        Criterion("even width", 2, "sine and cosine of one angle for each pair of columns"),
        Criterion("odd width", 1, "an odd width lacks the last cosine, and nothing else changes"),
        Criterion("any base and length", 1, "any base, long tables, one position, none"),
    ),
    hints=(
        "How many different angles does a row of d = 6 numbers hold? Three: each is used twice.",
        "Make the angles first, one row for each position, one column for each pair; then fill the sines into every "
        "second column, starting at 0, and the cosines starting at 1.",
        "If your loop already counts the columns 0, 2, 4, ..., then its variable is the 2i of the formula. With an odd "
        "d there is one sine column more than there are cosine columns: cut the angles to fit.",
    ),
    cases=_table_cases,
    run=_table,
    compare=_SAME,
)


def _shift_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, k: int, d: int, criterion: str, because: str = "", **options: float) -> Case:
        return Case(name, {"k": k, "d": d}, criterion, options=options, because=because)

    turn = "The pair (sin a, cos a) must become (sin(a + b), cos(a + b)): write the addition theorems down."
    yield case("one step, one pair", 1, 2, "forwards", turn)
    yield case("several steps, one pair", draw.choice((2, 4, 5)), 2, "forwards", turn)
    yield case("several steps, three pairs", draw.choice((2, 3, 5)), 6, "forwards", "Each pair has an angle of its own.")
    yield case("as many steps as columns", 8, 8, "forwards")
    yield case("six pairs", draw.choice((5, 7)), 12, "forwards")

    yield case("no step", 0, 6, "backwards", "Nothing moves.")
    yield case("one step back", -1, 4, "backwards", turn)
    yield case("several steps back", -draw.choice((3, 4, 5)), 10, "backwards", turn)

    yield case("another base", draw.choice((3, 4, 5)), 6, "any base", base=_some_base(draw))
    yield case("back, another base", -draw.choice((3, 4, 5)), 8, "any base", base=_some_base(draw))
    yield Case("the base by position", {"k": 5, "d": 4, "base": _some_base(draw)}, "any base")
    yield case("a long way", draw.integer(90, 110), 12, "any base")


shift_matrix = Exercise(
    id="06.shift_matrix",
    title="One matrix moves every position",
    why="It is why a linear layer can look “three words back” from anywhere, and the idea from which RoPE was made.",
    difficulty=2,
    minutes=10,
    core=False,
    criteria=(
        Criterion("forwards", 1, "the matrix moves each row of the table k positions ahead"),
        Criterion("backwards", 1, "a negative k goes back, and 0 changes nothing"),
        Criterion("any base", 1, "any base, and a long way"),
    ),
    hints=(
        "Take a single pair: how do sin(a + b) and cos(a + b) follow from sin(a) and cos(a)?",
        "The angle b that is added is the same at every position: k times the speed of the pair. So each pair needs "
        "a little matrix of two rows and two columns, and pairs do not mix.",
        "The row for the sine is (cos b, sin b); the other one follows from the second addition theorem. Put the blocks "
        "onto the diagonal of a d × d matrix of zeros.",
    ),
    cases=_shift_cases,
    run=_matrix,
    compare=_SAME,
    uses=("sinusoidal_positions",),
)
