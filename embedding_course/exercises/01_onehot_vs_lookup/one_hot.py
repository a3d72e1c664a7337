"""One-hot vectors: cases and comparison."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, ids: torch.Tensor, num_classes: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "num_classes": num_classes}, criterion, because=because)

    length, classes = draw.sizes(2, smallest=3)
    yield case("a row of ids", draw.distinct(classes, classes)[: min(length, classes - 1)], classes, "rows").trying(
        "ids int64", "returns")
    yield case("as many ids as classes", draw.ids(classes, classes), classes, "rows")
    yield case("classes that do not occur", draw.ids(length, 2), classes, "rows").trying("num_classes number of classes")
    yield case("repeated ids", draw.ids(length, 2) + classes - 2, classes, "rows")
    yield case("docstring example", torch.tensor([2, 0]), 3, "rows").trying("returns")
    keeps = "The ids keep their shape and the classes come last: (*ids.shape, num_classes)."
    yield case("ids of shape (B, T)", draw.ids(draw.sizes(2), classes), classes, "any shape", keeps).trying("returns")
    yield case("square ids", draw.ids((classes, classes), classes), classes, "any shape", keeps).trying("returns")
    yield case("ids of shape (A, B, T)", draw.ids((2, 3, 5), classes), classes, "any shape", keeps).trying("ids int64")
    yield case("a single id", draw.ids((), classes), classes, "any shape", "A 0-d tensor gives one row.").trying("ids int64")
    yield case("no ids", draw.ids((0,), classes), classes, "any shape").trying("ids int64")
    yield case("no ids of shape (2, 0)", draw.ids((2, 0), classes), classes, "any shape").trying("returns")
    yield case("no ids of shape (0, 3)", draw.ids((0, 3), classes), classes, "any shape").trying("ids int64")
    yield case("one id, shape (1,)", draw.ids((1,), classes), classes, "any shape", keeps).trying("returns")
    yield case("one sentence, shape (1, T)", draw.ids((1, length), classes), classes, "any shape", keeps).trying("returns")
    many = draw.integer(258, 264)
    yield case("more than 256 classes", torch.tensor(draw.shuffled([0, 256, many - 1])), many, "any shape",
               "The number of classes is not bounded.").trying("num_classes number of classes")
    yield case("ids with gaps in memory", strided(draw.ids(draw.sizes(2), classes)), classes, "any shape").trying("ids int64")
    yield case("one class", torch.zeros(length, dtype=torch.int64), 1, "any shape").trying("num_classes number of classes")
    refuse = "Ids run from 0 to num_classes - 1; others must raise ValueError."
    # Both rows, the first and the last column: whoever looks at a part of the ids misses one.
    for name, bad, index in (
        ("an id that is num_classes", classes, (1, 0)), ("an id far above", classes + 40, (0, -1)),
        ("the id -1", -1, (1, -1)), ("an id far below", -classes - 40, (0, length // 2)),
    ):
        ids = draw.ids((2, length), classes)
        ids[index] = bad
        yield case(name, ids, classes, "range", refuse)
    yield case("a single id out of range", torch.tensor(classes), classes, "range", refuse)


one_hot = Exercise(
    id="01.one_hot",
    title="One-hot vectors",
    why="A lookup table replaces one-hot vectors, and computes the same.",
    difficulty=1,
    minutes=18,
    criteria=(
        Criterion("rows", 1, "each id becomes a row with a single 1"),
        Criterion("any shape", 1, "ids of any shape keep their shape, the classes come last, however many"),
        Criterion("range", 1, "ids outside the range raise ValueError", tries=("Raises ValueError",)),
    ),
    hints=(
        "What does `torch.eye(num_classes)` look like, and which of its rows belongs to the id 2?",
        "Indexing a matrix with ids of any shape gives a row for each id: the shape is ids.shape + (columns,).",
        "A negative index wraps around in Python and in torch. Test the range before you index.",
    ),
    cases=_cases,
    compare=Comparison(dtype="any"),
)
