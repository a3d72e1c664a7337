"""The mean of each column: cases and comparison."""

from collections.abc import Iterator

from embedding_course.checking.exercise import Case, Criterion, Exercise, RandomInputs


def _cases(draw: RandomInputs) -> Iterator[Case]:
    rows, columns = draw.sizes(2, smallest=3)
    yield Case("more rows than columns", {"table": draw.normal(rows + columns, columns) + 3}, "means")
    yield Case("as many rows as columns", {"table": draw.normal(columns, columns) + 3}, "means")
    yield Case("more columns than rows", {"table": draw.normal(rows, rows + columns) - 2}, "means")
    whole = draw.ids((rows, columns), 100)
    yield Case("whole numbers", {"table": whole}, "edges", because="A mean of whole numbers is not one.")
    yield Case("a single row", {"table": draw.normal(1, columns)}, "edges")
    yield Case("a single column", {"table": draw.normal(rows, 1) + 1}, "edges")
    empty = "A table without rows has no means: raise ValueError."
    yield Case("no rows", {"table": draw.normal(0, columns)}, "empty", because=empty)


column_means = Exercise(
    id="01.column_means",
    title="The mean of each column",
    why="A table has a row for each thing measured and a column for each quantity: its means are those of the columns.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("means", 1, "one mean for each column"),
        Criterion("edges", 1, "whole numbers, one row, one column"),
        Criterion("empty", 1, "a table without rows raises ValueError"),
    ),
    hints=(
        "What does `table.sum(axis=0)` run over: rows or columns?",
        "How many rows are there? Test that before you divide.",
    ),
    cases=_cases,
)
