"""Positions that are learned, a table that is added: cases and comparison."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, strided
from ...checking.gradient_rules import gradient_rules
from ...checking.training_mode import IN_TRAINING, in_training_mode, no_dropout, whatever_was_dropped
from ...messages import Listing, Message


def _run_learned(
    candidate: Callable[..., Any],
    build: Mapping[str, int],
    table: torch.Tensor,
    x: torch.Tensor,
    grad_output: torch.Tensor | None = None,
    before: torch.Tensor | None = None,
    training: bool = False,
    start: bool = False,
    by_name: bool = False,
) -> NamedParts:
    """Construct the module, set its one parameter to `table` and call it; with `grad_output`, also run backward.

    `before` is a tensor with which the module is called before the parameter is set. With `training`, also report the result in
    training mode. With `start`, report only what the new table holds. With `by_name`, pass the sizes by name.
    """
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(0)
        model = candidate(**build) if by_name else candidate(*build.values())
    parameters = list(model.parameters())
    parts = NamedParts({"parameters": [list(tensor.shape) for tensor in parameters]})
    if parts["parameters"] != [list(table.shape)]:
        return parts
    (parameter,) = parameters
    if start:
        parts["new table"] = parameter
        return parts
    model = model.to(x.dtype).eval()
    if before is not None:
        model(before)
    (parameter,) = model.parameters()
    parameter.data.copy_(table)
    if grad_output is None:
        parts["result"] = model(x)
        if training:
            parts[IN_TRAINING] = in_training_mode(model, lambda: model(x))
        return parts
    leaf = x.clone().requires_grad_()
    parts["result"] = model(leaf)
    parts["result"].backward(grad_output)
    parts["gradient of x"], parts["gradient of the table"] = leaf.grad, parameter.grad
    return parts


def _one_table(expected: list, got: Any, case: Case) -> Mismatch | None:
    if got == expected:
        return None
    shape = tuple(expected[0])
    hidden = Message("The module should have one parameter, a table of shape (max_len, d).")
    if not got:
        nothing = Message("The module has no parameter; it should have one of shape {shape}.", shape=shape)
        return Mismatch("property", nothing, hidden)
    message = Message.plural(
        "The module has {count} parameter, of shape {shapes}; it should have one, of shape {shape}.",
        "The module has {count} parameters, of the shapes {shapes}; it should have one, of shape {shape}.",
        len(got), shapes=Listing([tuple(parameter) for parameter in got[:3]]), shape=shape,
    )  # fmt: skip
    return Mismatch("property", message, hidden)


def _starts_somewhere(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Accept any table with which a training can begin: of the right shape, and not all zeros."""
    fault = Comparison(dtype="floating").leaf(expected, got, Message("the new table"), float("inf"))
    if fault:
        return fault
    return None if got.any() else Mismatch("property", Message("The new table holds only zeros."))


def _learned_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        max_length: int,
        x: torch.Tensor,
        criterion: str,
        because: str = "",
        backward: bool = False,
        before: torch.Tensor | None = None,
        **options: bool,
    ) -> Case:
        width = x.shape[-1]
        args = {
            "build": {"max_length": max_length, "d": width},
            "table": draw.normal(max_length, width, dtype=x.dtype),
            "x": x,
        }
        more: dict[str, Any] = dict(options)
        then = ", in eval mode and in training mode" if options.get("training") else ""
        if backward:
            more["grad_output"] = draw.normal(*x.shape, dtype=x.dtype)
            then = " and then backward"
        if before is not None:
            more["before"] = before
            then = f", after x of shape {tuple(before.shape)} and a change of the table"
        sizes = f"max_length={max_length}, d={width}" if options.get("by_name") else f"{max_length}, {width}"
        made = f"LearnedPositions({sizes})"
        call = f"the table of a new {made}" if options.get("start") else f"{made}(x) with x of shape {tuple(x.shape)}{then}"
        return Case(name, args, criterion, more, call, because)

    batch, time, width = draw.choice(((2, 3, 5), (3, 2, 7), (2, 5, 3), (5, 3, 2)))
    row = "Row t of the table is added at position t of every sentence."
    yield case("a table with rows to spare", 11, draw.normal(batch, time, width), "adds", row).trying("Its one parameter")
    yield case("sentences as long as the table", time, draw.normal(batch, time, width), "adds", row).trying(
        "returns a new", "Raises ValueError")
    yield case("as many sentences as words", 7, draw.normal(3, 3, 5), "adds", row)
    yield case("as many words as columns", 11, draw.normal(2, 5, 5), "adds", row)
    yield case("more sentences than the table has rows", 3, draw.normal(5, 2, 7), "adds", row).trying("x tensor")

    learns = "A row gets the sum of what arrives at its position in all sentences; rows beyond T get 0."
    yield case("backward", 11, draw.normal(batch, time, width), "learns", learns, backward=True).trying("Add the first")
    yield case("backward, as long as the table", 5, draw.normal(5, 5, 2), "learns", learns, backward=True)
    yield case("backward, float64", 7, draw.normal(batch, time, width, dtype=torch.float64), "learns", learns,
               backward=True)
    yield case("a new table", 11, draw.normal(batch, time, width), "learns", "It does not begin with zeros alone.",
               start=True).trying("Make the table")

    yield case("one position", 7, draw.normal(3, 1, 5), "any length").trying("x tensor")
    yield case("one sentence", 7, draw.normal(1, 5, 3), "any length").trying("x tensor")
    yield case("a table of one row", 1, draw.normal(2, 1, 3), "any length").trying("Its one parameter")
    yield case("docstring example", 5, torch.zeros(2, 4, 3), "any length", row, by_name=True).trying("returns a new")
    still = draw.normal(3, 5, 2)
    still[0, 1], still[-1, 0] = 0.0, 0.0
    yield case("vectors of zeros in x", 7, still, "any length", "A vector of zeros has a position, too.").trying(
        "Add the first")
    yield case("after shorter sentences", 11, draw.normal(2, 7, 3), "any length", "Nothing is kept from call to call.",
               before=draw.normal(2, 5, 3)).trying("Add the first")
    yield case("after sentences of the same size", 11, draw.normal(2, 7, 3), "any length", "The table may have learned since.",
               before=draw.normal(2, 7, 3))
    yield case("in training mode", 11, draw.normal(3, 7, 5), "any length", "There is no dropout: the result is the same.",
               training=True).trying("There is no dropout")
    yield case("x not contiguous in memory", 11, strided(draw.normal(batch, time, width)), "any length").trying("x tensor")
    yield case("large values", 7, draw.normal(batch, time, width, scale=1e4), "any length").trying("x tensor")
    yield case("float64", 7, draw.normal(batch, time, width, dtype=torch.float64), "any length").trying("returns a new")
    yield case("a long table", 2053, draw.normal(1, 2051, 2), "any length", "Any length works.").trying("Add the first")
    yield case("one position too many", 5, draw.normal(2, 6, 3), "any length", "There is no row for the last position.").trying(
        "Raises ValueError", "Raises ValueError")
    yield case("many positions too many", 3, draw.normal(2, 11, 5), "any length").trying(
        "Raises ValueError", "Raises ValueError")
    yield case("one position too many, one sentence", 2, draw.normal(1, 3, 2), "any length").trying("Raises ValueError")
    yield case("two positions, a table of one row", 1, draw.normal(2, 2, 3), "any length",
               "Broadcasting would give both positions the same row.").trying("Raises ValueError")


LearnedPositions = Exercise(
    id="06.LearnedPositions",
    title="Positions that are learned",
    why="BERT and GPT-2 learn a vector for each position, so they have none beyond the last row of the table.",
    difficulty=1,
    minutes=12,
    criteria=(
        Criterion("adds", 1, "row t of the one table is added at position t of every sentence", tries=("Add the first",)),
        Criterion("learns", 1, "the new table is not all zeros; gradients reach x and the rows that were used"),
        Criterion("any length", 1, "up to max_length positions; a ValueError beyond"),
    ),
    hints=(
        "In x of shape (B, T, d), which axis is the position? Which rows of the table are needed for T of them?",
        "The first T rows have shape (T, d). Broadcasting adds them to (B, T, d) without a loop.",
        "A parameter is an `nn.Parameter` (or the weight of an `nn.Embedding`) that `__init__` stores on self. Compare "
        "T with the number of rows before you slice: a slice that is too long does not complain by itself.",
    ),
    cases=_learned_cases,
    of_driver=("build", "table", "grad_output", "start", "by_name", "before", "training"),
    run=_run_learned,
    by_products=("parameters",),
    compare=Comparison(
        tolerances=whatever_was_dropped,
        rules={
            "parameters": _one_table,
            "new table": _starts_somewhere,
            IN_TRAINING: no_dropout(),
            **gradient_rules("x", "the table"),
        },
    ),
)
