"""What `embed_by_matmul` and `embed_by_lookup` are tried with: both compute the same."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, RandomInputs, strided


def embed_cases(draw: RandomInputs) -> Iterator[Case]:
    """Yield the cases of both ways to embed ids: by matrix product and by lookup."""

    def case(name: str, ids: torch.Tensor, weight: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "weight": weight}, criterion, because=because)

    def table(rows: int, width: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> torch.Tensor:
        return draw.normal(rows, width, dtype=dtype, scale=scale)

    length, *sizes = draw.sizes(3, smallest=3)
    width, vocabulary = sorted(sizes)
    plain = table(vocabulary, width)
    ids = draw.ids(length, vocabulary)
    ids[draw.integer(0, length - 1)] = vocabulary - 1  # an id that no column has
    yield case("a row of ids", ids, plain, "vectors").trying("ids int64")
    yield case("repeated ids", draw.ids(length, 2), plain, "vectors")
    yield case("a square table", draw.ids(length, vocabulary), table(vocabulary, vocabulary), "vectors",
               "Row i of the table belongs to id i; a column is something else.").trying("weight")
    yield case("as many ids as rows", draw.ids(vocabulary, vocabulary), table(vocabulary, width), "vectors").trying("weight")
    example = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    yield case("docstring example", torch.tensor([1, 1]), example, "vectors").trying("weight")
    keeps = "The result has one vector for each id: (*ids.shape, d)."
    yield case("ids of shape (B, T)", draw.ids(draw.sizes(2), vocabulary), plain, "any shape", keeps).trying("returns")
    yield case("ids of shape (A, B, T)", draw.ids((2, 3, 5), vocabulary), plain, "any shape", keeps).trying("ids int64")
    yield case("B, T, V and d all alike", draw.ids((3, 3), 3), table(3, 3), "any shape", keeps).trying("returns")
    yield case("a single id", draw.ids((), vocabulary), plain, "any shape", "A 0-d tensor gives one vector.").trying(
        "ids int64")
    yield case("no ids", draw.ids((0,), vocabulary), plain, "any shape").trying("ids int64")
    yield case("no ids of shape (2, 0)", draw.ids((2, 0), vocabulary), plain, "any shape", keeps).trying("ids int64")
    yield case("no ids of shape (0, 3)", draw.ids((0, 3), vocabulary), plain, "any shape", keeps).trying("returns")
    yield case("one id, shape (1,)", draw.ids((1,), vocabulary), plain, "any shape", keeps)
    yield case("one sentence, shape (1, T)", draw.ids((1, length), vocabulary), plain, "any shape", keeps).trying("returns")
    yield case("one row in the table", torch.zeros((2, 3), dtype=torch.int64), table(1, width), "any shape").trying("weight")
    yield case("width 1", draw.ids((2, length), vocabulary), table(vocabulary, 1), "any shape").trying("weight")
    keeps = "The result has the table's floating type."
    yield case("float64", draw.ids((2, length), vocabulary), table(vocabulary, width, torch.float64), "any table",
               keeps).trying("returns")
    yield case("memory with gaps", strided(draw.ids((2, length), vocabulary)), strided(plain), "any table").trying("ids int64")
    yield case("large values", draw.ids((2, length), vocabulary), table(vocabulary, width, scale=1e4), "any table").trying(
        "weight")
