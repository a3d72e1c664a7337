"""Columns of mean 0 and standard deviation 1: cases and comparison."""

from collections.abc import Iterator

import numpy as np

from embedding_course.checking.exercise import Case, Criterion, Exercise, RandomInputs


def _cases(draw: RandomInputs) -> Iterator[Case]:
    rows, columns = draw.sizes(2, smallest=3)
    scales = np.arange(1.0, columns + 1)
    table = draw.normal(rows + 5, columns) * scales + 7
    yield Case("columns of different sizes", {"table": table}, "scale")
    yield Case("as many rows as columns", {"table": draw.normal(columns, columns) * scales - 3}, "scale")
    yield Case("few rows", {"table": draw.normal(2, columns) * 4}, "scale")
    constant = draw.normal(rows + 5, columns) + 2
    constant[:, 1] = draw.integer(1, 9)
    yield Case("a constant column", {"table": constant}, "constant", because="A column that does not vary becomes 0.")
    yield Case("a single row", {"table": draw.normal(1, columns)}, "constant", because="One row does not vary at all.")


standardise = Exercise(
    id="01.standardise",
    title="Columns on one scale",
    why="Metres and grams can be compared only after each column has been put on one scale.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("scale", 2, "each column has mean 0 and standard deviation 1"),
        Criterion("constant", 1, "a column that does not vary becomes 0"),
    ),
    hints=(
        "Call your `column_means`: what has to be taken from every row?",
        "The standard deviation is the root of the mean of the squares, over the rows; `table.std(axis=0)` gives it.",
        "Where it is 0, divide by 1 in its place: `np.where(spread == 0, 1.0, spread)`.",
    ),
    cases=_cases,
    uses=("column_means",),
)
