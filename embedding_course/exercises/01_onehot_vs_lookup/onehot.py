"""One-hot vectors and lookup: cases and comparison."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from ...compare import Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided


def _one_hot_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, ids: torch.Tensor, num_classes: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "num_classes": num_classes}, criterion, because=because)

    length, classes = draw.sizes(2, smallest=3)
    yield case("a row of ids", draw.ids(length, classes), classes, "rows")
    yield case("as many ids as classes", draw.ids(classes, classes), classes, "rows")
    yield case("classes that do not occur", draw.ids(length, 2), classes, "rows")
    yield case("ids of shape (B, T)", draw.ids(draw.sizes(2), classes), classes, "any shape")
    yield case("ids of shape (A, B, T)", draw.ids(draw.sizes(3), classes), classes, "any shape")
    yield case("a single id", draw.ids((), classes), classes, "any shape")
    yield case("no ids", draw.ids((0,), classes), classes, "any shape")
    yield case("ids with gaps in memory", strided(draw.ids(draw.sizes(2), classes)), classes, "any shape")
    yield case("one class", torch.zeros(length, dtype=torch.int64), 1, "any shape")
    for name, bad in (("an id that is num_classes", classes), ("a negative id", -1)):
        ids = draw.ids(length, classes)
        ids[draw.integer(0, length - 1)] = bad
        yield case(name, ids, classes, "range", "Ids run from 0 to num_classes - 1; others must raise ValueError.")


one_hot = Exercise(
    id="01.one_hot",
    title="One-hot vectors",
    why="It is the representation that the lookup table replaces, and the way to see that both are one thing.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("rows", 1, "each id becomes a row with a single 1"),
        Criterion("any shape", 1, "ids of any shape keep their shape, the classes come last"),
        Criterion("range", 1, "ids outside the range raise ValueError"),
    ),
    hints=(
        "What does `torch.eye(num_classes)` look like, and which of its rows belongs to the id 2?",
        "Indexing a matrix with ids of any shape gives a row for each id: the shape is ids.shape + (columns,).",
        "A negative index wraps around in Python and in torch: test the range yourself, before you index.",
    ),
    cases=_one_hot_cases,
    compare=Same(dtype="any"),
)

