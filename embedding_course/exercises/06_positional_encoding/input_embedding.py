"""The sum of three vectors that enters BERT: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, NamedParts, RandomInputs, show, strided
from ...checking.gradient_rules import gradient_rules

_TABLES = ("token_table", "position_table", "segment_table")


def _run_input(
    candidate: Callable[..., Any],
    tokens: torch.Tensor,
    segments: torch.Tensor,
    token_table: torch.Tensor,
    position_table: torch.Tensor,
    segment_table: torch.Tensor,
    grad_output: torch.Tensor | None = None,
) -> NamedParts:
    """Call the answer; with `grad_output`, the tables require gradients, which are reported."""
    tables = [token_table, position_table, segment_table]
    if grad_output is None:
        return NamedParts({"result": candidate(tokens, segments, *tables)})
    leaves = [table.clone().requires_grad_() for table in tables]
    result = candidate(tokens, segments, *leaves)
    if getattr(result, "requires_grad", False):
        result.backward(grad_output)
    gradients = {f"gradient of {name}": leaf.grad for name, leaf in zip(_TABLES, leaves, strict=True)}
    return NamedParts({"result": result, **gradients})


def _input_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        tokens: torch.Tensor,
        segments: torch.Tensor,
        sizes: tuple[int, int, int, int],
        criterion: str,
        because: str = "",
        backward: bool = False,
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        gaps: bool = False,
    ) -> Case:
        *rows, width = sizes
        tables = {
            label: draw.normal(count, width, dtype=dtype, scale=scale) for label, count in zip(_TABLES, rows, strict=True)
        }
        args = {"tokens": tokens, "segments": segments, **tables}
        if gaps:
            args = {label: strided(value) for label, value in args.items()}
        call = f"input_embedding({', '.join(show(value) for value in args.values())})"
        if not backward:
            return Case(name, args, criterion, call=call, because=because)
        options = {"grad_output": draw.normal(*tokens.shape, width, dtype=dtype)}
        return Case(name, args, criterion, options, f"{call} and then backward", because)

    def halves(batch: int, time: int) -> torch.Tensor:
        """Return segments with two parts in each row, with random borders; both parts occur."""
        borders = 1 + draw.ids(batch, time - 1)
        return (torch.arange(time) >= borders[:, None]).long()

    batch, time = draw.choice(((2, 3), (3, 5), (2, 5), (5, 3)))
    width = draw.choice([size for size in (2, 3, 5, 7) if size not in (batch, time)])
    words, length = 11, 13
    sizes = (words, length, 2, width)
    tokens = draw.ids((1, time), words)
    yield case("one sentence of one part", tokens, torch.zeros_like(tokens), sizes, "sum",
               "Three vectors are added at each position.").trying("returns")
    tokens = draw.ids((batch, time), words)
    yield case("two parts", tokens, halves(batch, time), sizes, "sum",
               "Row t of the position table belongs to position t, in every sentence.").trying(
        "tokens", "segments int64", "token_table", "returns")
    yield case("as many sentences as positions", draw.ids((3, 3), words), halves(3, 3), (words, length, 2, 5), "sum",
               "Positions run along the second axis, also when both have the same length.")
    yield case("as many positions as columns", draw.ids((2, 5), words), halves(2, 5), (words, 7, 2, 5), "sum")

    repeated = draw.ids((batch, 1), words).repeat(1, time)
    learns = "A row of a table gets the sum of what arrives at all positions where it was used."
    yield case("backward", tokens, halves(batch, time), sizes, "gradients", learns, backward=True)
    yield case("backward, a repeated word", repeated, halves(batch, time), sizes, "gradients", learns, backward=True).trying(
        "tokens")
    zeros = torch.zeros(batch, time, dtype=torch.int64)
    yield case("backward, word 0 and part 0", zeros, zeros, sizes, "gradients", "0 is an id like any other.",
               backward=True).trying("token_table")
    yield case("backward, float64", tokens, halves(batch, time), sizes, "gradients", learns, backward=True,
               dtype=torch.float64)

    example = torch.tensor([[1.0], [2.0]]), torch.tensor([[10.0], [20.0], [30.0]]), torch.tensor([[100.0], [200.0]])
    ids = {"tokens": torch.tensor([[1, 0]]), "segments": torch.tensor([[0, 1]])}
    yield Case("docstring example", {**ids, **dict(zip(_TABLES, example, strict=True))}, "any input").trying("returns")
    yield case("a position table of exactly T rows", tokens, halves(batch, time), (words, time, 2, width), "any input").trying(
        "position_table")
    yield case("tables of one size", draw.ids((2, 5), 5), halves(2, 5), (5, 5, 5, 5), "any input").trying("token_table")
    three = torch.cat([torch.tensor([2, 0, 1]), draw.ids(batch * time - 3, 3)])[draw.distinct(batch * time, batch * time)]
    yield case("three parts, mixed", tokens, three.reshape(batch, time), (words, length, 3, width), "any input",
               "Segments are ids: any number of them, in any order.").trying("segments int64", "segment_table")
    many = torch.cat([torch.arange(7), draw.ids(8, 7)])[draw.distinct(15, 15)].reshape(3, 5)
    yield case("seven parts, mixed", draw.ids((3, 5), words), many, (words, length, 7, width), "any input",
               "Segments are ids: any number of them, in any order.").trying("segment_table")
    yield case("a long text", draw.ids((1, 1030), words), halves(1, 1030), (words, 1033, 2, 2), "any input",
               "A text is as long as the position table allows.").trying("position_table")
    yield case("a segment table of one row", tokens, zeros, (words, length, 1, width), "any input").trying("segment_table")
    yield case("one place", draw.ids((3, 1), words), draw.ids((3, 1), 2), sizes, "any input").trying("returns")
    empty = draw.ids((batch, 0), words)
    yield case("no places", empty, empty, sizes, "any input", "The result is empty and keeps B and d.").trying(
        "tokens", "returns")
    none = draw.ids((0, time), words)
    yield case("no sentences", none, none, sizes, "any input").trying("returns")
    yield case("not contiguous in memory", tokens, halves(batch, time), sizes, "any input", gaps=True)
    yield case("large values", tokens, halves(batch, time), sizes, "any input", scale=1e4).trying("returns")
    yield case("float64", tokens, halves(batch, time), sizes, "any input", dtype=torch.float64).trying("returns")


input_embedding = Exercise(
    id="06.input_embedding",
    title="Three vectors in one",
    why="BERT adds word, position and segment vectors, normalises the sum and feeds it to its first layer.",
    difficulty=1,
    minutes=11,
    criteria=(
        Criterion("sum", 1, "token vector + position vector + segment vector at each position", tries=("position_table",)),
        Criterion("gradients", 1, "gradients reach all three tables, every use of a row counted", tries=("gradients reach",)),
        Criterion("any input", 1, "any number of segments, tables of any size, one position, none, float64, large values"),
    ),
    hints=(
        "Two of the three tables are looked up with ids that you are given. Which ids belong to the third one?",
        "Position t needs row t of the position table, whatever the sentence: so its first T rows, which broadcast over B.",
        "Index the tables with the id tensors themselves, and add. Modules such as `nn.Embedding.from_pretrained` freeze "
        "the table unless told otherwise, and `.data` or `torch.tensor(...)` cut the gradient off.",
    ),
    cases=_input_cases,
    of_driver=("grad_output",),
    run=_run_input,
    compare=Comparison(rules=gradient_rules(*_TABLES)),
)
