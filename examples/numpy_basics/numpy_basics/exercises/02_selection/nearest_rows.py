"""The nearest row of a table for each query: cases and comparison."""

from collections.abc import Iterator

import numpy as np

from embedding_course.checking.exercise import Case, Criterion, Exercise, RandomInputs


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, queries: np.ndarray, table: np.ndarray, criterion: str) -> Case:
        return Case(name, {"queries": queries, "table": table}, criterion)

    rows, width = 23, draw.integer(3, 5)
    yield case("queries beside rows", *_beside(draw, 17, rows, width), "nearest")
    yield case("as many queries as rows", *_beside(draw, rows, rows, width), "nearest")
    queries, table = _beside(draw, 17, rows, width)
    lengths = np.where(np.arange(rows) % 2, 9.0, 1.0)[:, None]  # the longest row has the largest product with many a query
    yield case("long and short rows", queries, table * lengths, "nearest")
    yield case("one query", *_beside(draw, 1, rows, width), "edges")
    yield case("one row", draw.normal(4, width), draw.normal(1, width), "edges")
    yield case("no queries", draw.normal(0, width), draw.normal(rows, width), "edges")


def _beside(draw: RandomInputs, count: int, rows: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Queries that lie beside rows of a table."""
    table = draw.normal(rows, width) * 3
    return table[draw.ids(count, rows)] + draw.normal(count, width), table


nearest_rows = Exercise(
    id="02.nearest_rows",
    title="The nearest row",
    why="A search for what is most alike is, in its plainest form, a table of distances and a position in each line.",
    difficulty=2,
    minutes=15,
    criteria=(
        Criterion("nearest", 2, "the position of the row with the least distance, for each query, as int64"),
        Criterion("edges", 1, "one query, one row, no queries"),
    ),
    hints=(
        "What shape has `queries[:, None, :] - table[None, :, :]`?",
        "Square, sum over the last axis, and look for the position of the least number in each line.",
    ),
    cases=_cases,
)
