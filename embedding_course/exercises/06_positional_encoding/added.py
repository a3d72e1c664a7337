"""Positions that are added: the learned table and the sum that enters BERT."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...gradient_rules import gradient_rules
from ...plain import Parts, strided
from ...show import show
from ...training_mode import TRAINING, trained_alike, training_rules

__all__ = ["input_embedding", "learned_positions"]


def _run_learned(
    candidate: Callable[..., Any],
    build: Mapping[str, int],
    table: torch.Tensor,
    x: torch.Tensor,
    grad_output: torch.Tensor | None = None,
    before: torch.Tensor | None = None,
    training: bool = False,
) -> Parts:
    """Construct, set the one parameter to `table`, call; with `grad_output` also run backward.

    `before` is a tensor that is called first, before the parameter is set. With `training` also say whether the numbers
    are the same in training mode.
    """
    model = candidate(*build.values())
    parameters = list(model.parameters())
    parts = Parts({"parameters": [list(one.shape) for one in parameters]})
    parts["start"] = _start(parameters)
    if parts["parameters"] != [list(table.shape)]:
        return parts
    model = model.to(x.dtype).eval()
    if before is not None:
        model(before)
    (parameter,) = model.parameters()
    parameter.data.copy_(table)
    if grad_output is None:
        parts["result"] = model(x)
        if training:
            parts[TRAINING] = trained_alike(model, lambda: {"result": model(x)}, {"result": parts["result"]})
        return parts
    leaf = x.clone().requires_grad_()
    parts["result"] = model(leaf)
    parts["result"].backward(grad_output)
    parts["gradient of x"], parts["gradient of the table"] = leaf.grad, parameter.grad
    return parts


def _start(parameters: list[torch.nn.Parameter]) -> str:
    if not all(bool(one.isfinite().all()) and bool(one.any()) for one in parameters):
        return "only zeros, or numbers that are not finite"
    if any(one.ndim == 2 and len(one.detach().unique(dim=0)) < len(one) for one in parameters):
        return "rows that are equal"
    return "rows that differ"


def _one_table(expected: list, got: Any, case: Case) -> Fault | None:
    if got == expected:
        return None
    shape = tuple(expected[0])
    if not got:
        return Fault("property", f"the module has no parameter; it should have one, a table of shape {shape}")
    count = "one parameter" if len(got) == 1 else f"{len(got)} parameters"
    have = f"the module has {count} of shape {' and '.join(str(tuple(one)) for one in got[:3])}"
    return Fault("property", f"{have}; it should have one, a table of shape {shape}")


def _starts_somewhere(expected: str, got: Any, case: Case) -> Fault | None:
    if case.name != "a new table" or got == expected:
        return None
    return Fault("property", f"the new table holds {got}")


def _learned_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        max_length: int,
        x: torch.Tensor,
        criterion: str,
        because: str = "",
        backward: bool = False,
        before: torch.Tensor | None = None,
        training: bool = False,
    ) -> Case:
        width = x.shape[-1]
        args = {
            "build": {"max_length": max_length, "d": width},
            "table": draw.normal(max_length, width, dtype=x.dtype),
            "x": x,
        }
        options: dict[str, Any] = {"grad_output": draw.normal(*x.shape, dtype=x.dtype)} if backward else {}
        then = " and then backward" if backward else ""
        if before is not None:
            options["before"] = before
            then += f", after x of shape {tuple(before.shape)} and a change of the table"
        if training:
            options["training"] = True
            then += ", in eval mode and in training mode"
        call = f"LearnedPositions({max_length}, {width})(x) with x of shape {tuple(x.shape)}{then}"
        return Case(name, args, criterion, options, call, because)

    batch, time, width = draw.choice(((2, 3, 5), (3, 2, 7), (2, 5, 3), (5, 3, 2)))
    row = "Row t of the table is added at position t of every sentence."
    yield case("a new table", 11, draw.normal(batch, time, width), "adds", row)
    yield case("sentences as long as the table", time, draw.normal(batch, time, width), "adds", row)
    yield case("as many sentences as words", 7, draw.normal(3, 3, 5), "adds", row)
    yield case("as many words as columns", 11, draw.normal(2, 5, 5), "adds", row)
    yield case("more sentences than the table has rows", 3, draw.normal(5, 2, 7), "adds", row)

    learns = "A row gets the sum of what arrives at its position in all sentences; rows beyond T get 0."
    yield case("backward", 11, draw.normal(batch, time, width), "learns", learns, backward=True)
    yield case("backward, as long as the table", 5, draw.normal(5, 5, 2), "learns", learns, backward=True)
    yield case("backward, float64", 7, draw.normal(batch, time, width, dtype=torch.float64), "learns", learns,
               backward=True)  # fmt: skip

    yield case("one position", 7, draw.normal(3, 1, 5), "any length")
    yield case("one sentence", 7, draw.normal(1, 5, 3), "any length")
    yield case("a table of one row", 1, draw.normal(2, 1, 3), "any length")
    still = draw.normal(3, 5, 2)
    still[0, 1], still[-1, 0] = 0.0, 0.0
    yield case("vectors of zeros in x", 7, still, "adds", "A vector of zeros has a position, too.")
    yield case("after shorter sentences", 11, draw.normal(2, 7, 3), "any length", "Nothing is kept from call to call.",
               before=draw.normal(2, 5, 3))  # fmt: skip
    yield case("after sentences of the same size", 11, draw.normal(2, 7, 3), "any length", "The table may have learned since.",
               before=draw.normal(2, 7, 3))  # fmt: skip
    yield case("in training mode", 11, draw.normal(3, 7, 5), "any length", "There is no dropout unless somebody asks for it.",
               training=True)  # fmt: skip
    yield case("x not contiguous in memory", 11, strided(draw.normal(batch, time, width)), "any length")
    yield case("large values", 7, draw.normal(batch, time, width, scale=1e4), "any length")
    yield case("float64", 7, draw.normal(batch, time, width, dtype=torch.float64), "any length")
    yield case("one position too many", 5, draw.normal(2, 6, 3), "any length", "There is no row for the last position.")
    yield case("many positions too many", 3, draw.normal(2, 11, 5), "any length")
    yield case("one position too many, one sentence", 2, draw.normal(1, 3, 2), "any length")
    yield case("two positions, a table of one row", 1, draw.normal(2, 2, 3), "any length",
               "Broadcasting would give both positions the same row.")  # fmt: skip


learned_positions = Exercise(
    id="06.LearnedPositions",
    title="Positions that are learned",
    why="BERT and GPT-2 learn their positions like words; so they have none beyond the last row of the table.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("adds", 1, "row t of the one table is added at position t of every sentence"),
        Criterion("learns", 1, "gradients reach x and the rows that were used"),
        Criterion("any length", 1, "up to max_length positions; a ValueError beyond"),
    ),
    hints=(
        "In x of shape (B, T, d), which axis is the position? Which rows of the table are needed for T of them?",
        "The first T rows have shape (T, d). Broadcasting adds them to (B, T, d) without a loop.",
        "A parameter is an `nn.Parameter` (or the weight of an `nn.Embedding`) that `__init__` stores on self. Compare "
        "T with the number of rows before you slice: a slice that is too long does not complain by itself.",
    ),
    cases=_learned_cases,
    run=_run_learned,
    compare=Same(
        rules={
            "parameters": _one_table,
            "start": _starts_somewhere,
            **training_rules,
            **gradient_rules("x", "the table"),
        }
    ),
)


_TABLES = ("token_table", "position_table", "segment_table")


def _run_input(
    candidate: Callable[..., Any],
    tokens: torch.Tensor,
    segments: torch.Tensor,
    token_table: torch.Tensor,
    position_table: torch.Tensor,
    segment_table: torch.Tensor,
    grad_output: torch.Tensor | None = None,
) -> Parts:
    """Call; with `grad_output` the tables require gradients, and what arrives at them is reported."""
    tables = [token_table, position_table, segment_table]
    if grad_output is None:
        return Parts({"result": candidate(tokens, segments, *tables)})
    leaves = [table.clone().requires_grad_() for table in tables]
    result = candidate(tokens, segments, *leaves)
    if getattr(result, "requires_grad", False):
        result.backward(grad_output)
    gradients = {f"gradient of {name}": leaf.grad for name, leaf in zip(_TABLES, leaves, strict=True)}
    return Parts({"result": result, **gradients})


def _input_cases(draw: Draw) -> Iterator[Case]:
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
        """Two parts in each row, the border in another place each time; both occur."""
        borders = 1 + draw.ids(batch, time - 1)
        return (torch.arange(time) >= borders[:, None]).long()

    batch, time = draw.choice(((2, 3), (3, 5), (2, 5), (5, 3)))
    width = draw.choice([size for size in (2, 3, 5, 7) if size not in (batch, time)])
    words, length = 11, 13
    sizes = (words, length, 2, width)
    tokens = draw.ids((1, time), words)
    yield case("one sentence of one part", tokens, torch.zeros_like(tokens), sizes, "sum",
               "Three vectors are added at each place.")  # fmt: skip
    tokens = draw.ids((batch, time), words)
    yield case("two parts", tokens, halves(batch, time), sizes, "sum",
               "Row t of the position table belongs to place t, in every sentence.")  # fmt: skip
    yield case("a position table that just suffices", tokens, halves(batch, time), (words, time, 2, width), "sum")
    yield case("as many sentences as places", draw.ids((3, 3), words), halves(3, 3), (words, length, 2, 5), "sum",
               "Positions run along the second axis, also when both have the same length.")  # fmt: skip
    yield case("as many places as columns", draw.ids((2, 5), words), halves(2, 5), (words, 7, 2, 5), "sum")
    yield case("tables of one size", draw.ids((2, 5), 5), halves(2, 5), (5, 5, 5, 5), "sum")

    repeated = draw.ids((batch, 1), words).repeat(1, time)
    learns = "A row of a table gets the sum of what arrives at all places where it was used."
    yield case("backward", tokens, halves(batch, time), sizes, "gradients", learns, backward=True)
    yield case("backward, a repeated word", repeated, halves(batch, time), sizes, "gradients", learns, backward=True)
    zeros = torch.zeros(batch, time, dtype=torch.int64)
    yield case("backward, word 0 and part 0", zeros, zeros, sizes, "gradients", "0 is an id like any other.",
               backward=True)  # fmt: skip
    yield case("backward, float64", tokens, halves(batch, time), sizes, "gradients", learns, backward=True,
               dtype=torch.float64)  # fmt: skip

    three = torch.cat([torch.tensor([2, 0, 1]), draw.ids(batch * time - 3, 3)])[draw.distinct(batch * time, batch * time)]
    yield case("three parts, mixed", tokens, three.reshape(batch, time), (words, length, 3, width), "any input",
               "Segments are ids: any number of them, in any order.")  # fmt: skip
    yield case("a segment table of one row", tokens, zeros, (words, length, 1, width), "any input")
    yield case("one place", draw.ids((3, 1), words), draw.ids((3, 1), 2), sizes, "any input")
    empty = draw.ids((batch, 0), words)
    yield case("no places", empty, empty, sizes, "any input", "The result is empty and keeps B and d.")
    none = draw.ids((0, time), words)
    yield case("no sentences", none, none, sizes, "any input")
    yield case("not contiguous in memory", tokens, halves(batch, time), sizes, "any input", gaps=True)
    yield case("large values", tokens, halves(batch, time), sizes, "any input", scale=1e4)
    yield case("float64", tokens, halves(batch, time), sizes, "any input", dtype=torch.float64)


input_embedding = Exercise(
    id="06.input_embedding",
    title="Three vectors in one",
    why="Word, place and sentence part share one vector: this sum is all that BERT's first layer gets to see.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("sum", 1, "token vector + position vector + segment vector at each place"),
        Criterion("gradients", 1, "gradients reach all three tables, every use of a row counted"),
        Criterion("any input", 1, "any number of segments, one place, none, float64, large values"),
    ),
    hints=(
        "Two of the three tables are looked up with ids that you are given. Which ids belong to the third one?",
        "Place t needs row t of the position table, whatever the sentence: so its first T rows, which broadcast over B.",
        "Index the tables with the id tensors themselves, and add. Modules such as `nn.Embedding.from_pretrained` freeze "
        "the table unless told otherwise, and `.data` or `torch.tensor(...)` cut the gradient off.",
    ),
    cases=_input_cases,
    run=_run_input,
    compare=Same(rules=gradient_rules(*_TABLES)),
)
