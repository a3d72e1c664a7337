"""One-hot vectors and lookup: cases and comparison."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from ...compare import Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided

__all__ = ["embed_by_lookup", "embed_by_matmul", "one_hot"]


def _one_hot_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, ids: torch.Tensor, num_classes: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "num_classes": num_classes}, criterion, because=because)

    length, classes = draw.sizes(2, smallest=3)
    yield case("a row of ids", draw.distinct(classes, classes)[: min(length, classes - 1)], classes, "rows")
    yield case("as many ids as classes", draw.ids(classes, classes), classes, "rows")
    yield case("classes that do not occur", draw.ids(length, 2), classes, "rows")
    yield case("repeated ids", draw.ids(length, 2) + classes - 2, classes, "rows")
    keeps = "The ids keep their shape and the classes come last: (*ids.shape, num_classes)."
    yield case("ids of shape (B, T)", draw.ids(draw.sizes(2), classes), classes, "any shape", keeps)
    yield case("square ids", draw.ids((classes, classes), classes), classes, "any shape", keeps)
    yield case("ids of shape (A, B, T)", draw.ids((2, 3, 5), classes), classes, "any shape", keeps)
    yield case("a single id", draw.ids((), classes), classes, "any shape", "A 0-d tensor gives one row.")
    yield case("no ids", draw.ids((0,), classes), classes, "any shape")
    yield case("no ids of shape (2, 0)", draw.ids((2, 0), classes), classes, "any shape")
    yield case("no ids of shape (0, 3)", draw.ids((0, 3), classes), classes, "any shape")
    yield case("one id, shape (1,)", draw.ids((1,), classes), classes, "any shape", keeps)
    yield case("one sentence, shape (1, T)", draw.ids((1, length), classes), classes, "any shape", keeps)
    yield case("more than 256 classes", torch.tensor([0, 256, 299]), 300, "rows")
    yield case("ids with gaps in memory", strided(draw.ids(draw.sizes(2), classes)), classes, "any shape")
    yield case("one class", torch.zeros(length, dtype=torch.int64), 1, "any shape")
    refuse = "Ids run from 0 to num_classes - 1; others must raise ValueError."
    # Both rows, the first and the last column: whoever looks at a part of the ids misses one.
    for name, bad, place in (
        ("an id that is num_classes", classes, (1, 0)), ("an id far above", classes + 40, (0, -1)),
        ("the id -1", -1, (1, -1)), ("an id far below", -classes - 40, (0, length // 2)),
    ):  # fmt: skip
        ids = draw.ids((2, length), classes)
        ids[place] = bad
        yield case(name, ids, classes, "range", refuse)
    yield case("a single id out of range", torch.tensor(classes), classes, "range", refuse)


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


def _embed_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, ids: torch.Tensor, weight: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "weight": weight}, criterion, because=because)

    def table(rows: int, width: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> torch.Tensor:
        return draw.normal(rows, width, dtype=dtype, scale=scale)

    length, *sizes = draw.sizes(3, smallest=3)
    width, vocabulary = sorted(sizes)
    plain = table(vocabulary, width)
    ids = draw.ids(length, vocabulary)
    ids[draw.integer(0, length - 1)] = vocabulary - 1  # an id that no column has
    yield case("a row of ids", ids, plain, "vectors")
    yield case("repeated ids", draw.ids(length, 2), plain, "vectors")
    yield case("a square table", draw.ids(length, vocabulary), table(vocabulary, vocabulary), "vectors",
               "Row i of the table belongs to id i; a column is something else.")  # fmt: skip
    yield case("as many ids as rows", draw.ids(vocabulary, vocabulary), table(vocabulary, width), "vectors")
    keeps = "The result has one vector for each id: (*ids.shape, d)."
    yield case("ids of shape (B, T)", draw.ids(draw.sizes(2), vocabulary), plain, "any shape", keeps)
    yield case("ids of shape (A, B, T)", draw.ids((2, 3, 5), vocabulary), plain, "any shape", keeps)
    yield case("B, T, V and d all alike", draw.ids((3, 3), 3), table(3, 3), "any shape", keeps)
    yield case("a single id", draw.ids((), vocabulary), plain, "any shape", "A 0-d tensor gives one vector.")
    yield case("no ids", draw.ids((0,), vocabulary), plain, "any shape")
    yield case("no ids of shape (2, 0)", draw.ids((2, 0), vocabulary), plain, "any shape", keeps)
    yield case("no ids of shape (0, 3)", draw.ids((0, 3), vocabulary), plain, "any shape", keeps)
    yield case("one id, shape (1,)", draw.ids((1,), vocabulary), plain, "any shape", keeps)
    yield case("one sentence, shape (1, T)", draw.ids((1, length), vocabulary), plain, "any shape", keeps)
    yield case("one row in the table", torch.zeros((2, 3), dtype=torch.int64), table(1, width), "any shape")
    yield case("width 1", draw.ids((2, length), vocabulary), table(vocabulary, 1), "any shape")
    keeps = "The result has the table's floating type."
    yield case("float64", draw.ids((2, length), vocabulary), table(vocabulary, width, torch.float64), "any table", keeps)
    yield case("memory with gaps", strided(draw.ids((2, length), vocabulary)), strided(plain), "any table")
    yield case("large values", draw.ids((2, length), vocabulary), table(vocabulary, width, scale=1e4), "any table")


embed_by_matmul = Exercise(
    id="01.embed_by_matmul",
    title="Embedding as a matrix product",
    why="It shows that an embedding is a bias-free linear layer on one-hot vectors: nothing new has to be learned.",
    difficulty=1,
    minutes=5,
    core=False,
    criteria=(
        Criterion("vectors", 1, "one-hot rows times the table"),
        Criterion("any shape", 0.5, "ids of any shape, the width comes last"),
        Criterion("any table", 0.5, "float64, memory with gaps, large values"),
    ),
    hints=(
        "Your `one_hot` gives (*ids.shape, V); the table is (V, d). What does `@` make of the two?",
        "How many classes are there? The table knows: it has one row for each.",
        "Both sides of `@` need one floating type: bring the one-hot rows to that of the table.",
    ),
    cases=_embed_cases,
    uses=("one_hot",),
)

embed_by_lookup = Exercise(
    id="01.embed_by_lookup",
    title="Embedding as a lookup",
    why="This is what nn.Embedding does, and the reason why a vocabulary of a hundred thousand words is affordable.",
    difficulty=1,
    minutes=4,
    criteria=(
        Criterion("vectors", 1, "each id fetches its row"),
        Criterion("any shape", 0.5, "ids of any shape, the width comes last"),
        Criterion("any table", 0.5, "float64, memory with gaps, large values"),
    ),
    hints=(
        "Which row of the table would the product with a one-hot vector pick out?",
        "A tensor can be indexed with a tensor of ids.",
        "The result for ids of shape (B, T) is (B, T, d): look whether yours is, before you reshape anything.",
    ),
    cases=_embed_cases,
)
