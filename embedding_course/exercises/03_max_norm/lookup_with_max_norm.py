"""A lookup that clips: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, show, strided
from ...checking.mismatch import RESULT
from ...messages import Message
from .tables import CLOSE, limit, one_long_row, small_limit, table
from .traces import gradient_at, gradient_of_a_product, like_before


def _run(
    candidate: Callable[..., Any],
    weight: torch.Tensor,
    ids: torch.Tensor,
    max_norm: float,
    *norm_type: float,
    grad_mode: bool = True,
    twice: bool = False,
    **options: Any,
) -> NamedParts:
    """Look up with gradients recorded or not, and report the result, the table, its memory and what gradients tell.

    The gradients show whether the weight still takes one, and whether torch still records them. `twice` multiplies the table by
    3 and looks up again.
    """
    memory = weight.detach()
    with torch.set_grad_enabled(grad_mode):
        result = candidate(weight, ids, max_norm, *norm_type, **options)
        if twice:
            result = candidate(weight.mul_(3.0), ids, max_norm, *norm_type, **options)
        later = gradient_of_a_product()
    return NamedParts({
        "result": result, "weight afterwards": weight, "memory of weight afterwards": memory,
        "gradient at weight afterwards": gradient_at(weight), "gradient of a later product": later,
    })


def _in_its_memory(expected: torch.Tensor, got: Any, _: Case) -> Mismatch | None:
    message = Message("The weight was given new memory; what shares the old one (a view, an array) does not see the change.")
    return Mismatch("property", message) if Comparison().leaf(expected, got, RESULT) else None


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        weight: torch.Tensor,
        ids: torch.Tensor,
        max_norm: float,
        criterion: str,
        because: str = "",
        **options: Any,
    ) -> Case:
        return Case(name, {"weight": weight, "ids": ids, "max_norm": max_norm}, criterion, options, because=because)

    def leaf(name: str, ids: torch.Tensor, grad_mode: bool, because: str = "") -> Case:
        weight = table(draw, rows, width, top).requires_grad_()
        before = "" if grad_mode else "with torch.no_grad(): "
        call = f"{before}lookup_with_max_norm_(nn.Parameter({show(weight.detach())}), {show(ids)}, {top})"
        given = {"weight": weight, "ids": ids, "max_norm": top}
        return Case(name, given, "any table", {"grad_mode": grad_mode}, call, because)

    width, length = draw.sizes(2, smallest=3)
    rows = draw.choice([size for size in (7, 11, 13) if size not in (width, length)])
    top = limit(draw)
    yield case("every row once", table(draw, rows, width, top), draw.distinct(rows, rows), top, "in place").trying(
        "(V, d) floating", "returns")
    yield case("every row once, all too long", table(draw, rows, width, top, long=True), draw.distinct(rows, rows), top,
               "in place").trying("Look rows", "(V, d) floating", "max_norm the greatest")

    small = small_limit(draw)
    yield case("max_norm far below 1", table(draw, rows, width, small), draw.distinct(rows, rows), small, "in place",
               "A row of length 0.5 is too long here.").trying("Look rows", "max_norm the greatest")

    alone = "Only the rows that are looked up change; the others keep their length, however long they are."
    for name, size in (("some rows, all too long", rows), ("as many rows as columns", width)):
        ids = draw.distinct(max(2, size // 2), size)
        yield case(name, table(draw, size, width, top, long=True), ids, top, "only those", alone).trying("all other rows")
    ids = draw.distinct(rows // 2, rows)
    yield case("long and short rows, some looked up", table(draw, rows, width, top), ids, top, "only those", alone).trying(
        "all other rows")
    yield case("one row too long among short ones", one_long_row(draw, rows, width, top), draw.distinct(rows, rows), top,
               "only those", "Each row is measured by itself.").trying("all other rows")
    ids = torch.tensor(draw.shuffled(draw.distinct(rows // 2, rows).tolist() * 3))
    yield case("repeated ids", table(draw, rows, width, top, long=True), ids, top, "only those",
               "A row that is looked up three times is still clipped to max_norm.").trying("ids int64")
    yield case("docstring example", torch.tensor([[3.0, 4.0], [6.0, 8.0]]), torch.tensor([1, 1]), 5.0, "only those").trying(
        "ids int64")
    given = {"weight": table(draw, rows, width, top), "ids": draw.distinct(rows // 2, rows), "max_norm": top}
    call = f"lookup_with_max_norm_({', '.join(map(show, given.values()))}), then weight.mul_(3.0) and the same lookup again"
    yield Case("rows that have grown since the last lookup", given, "only those", {"twice": True}, call,
               "Every lookup clips, also rows that an earlier one clipped.").trying("Look rows")

    ids = draw.distinct(6, rows).reshape(2, 3)
    yield case("ids of shape (B, T)", table(draw, rows, width, top, long=True), ids, top, "any ids").trying("returns")
    yield case("ids of shape (A, B, T)", table(draw, rows, width, top), draw.distinct(6, rows).reshape(2, 1, 3), top, "any ids")
    yield case("a single id", table(draw, rows, width, top, long=True), draw.ids((), rows), top, "any ids")
    yield case("one id, shape (1,)", table(draw, rows, width, top), draw.ids((1,), rows), top, "any ids").trying("returns")
    yield case("one sentence, shape (1, T)", table(draw, rows, width, top), draw.distinct(length, rows)[None], top,
               "any ids").trying("returns")
    yield case("no ids", table(draw, rows, width, top), draw.ids((0,), rows), top, "any ids")
    yield case("no ids, in two dimensions", table(draw, rows, width, top), draw.ids((3, 0), rows), top, "any ids").trying(
        "returns")
    gaps = strided(draw.distinct(6, rows).reshape(3, 2))
    yield case("ids with gaps in memory", table(draw, rows, width, top), gaps, top, "any ids")

    written = "Clipping is not differentiated, but it writes to the table."
    yield leaf("a weight that requires grad", draw.distinct(length, rows), True, written).trying(
        "It may be an nn.Parameter", "the call works")
    yield leaf("a weight that requires grad, under no_grad", draw.distinct(length, rows), False).trying("the call works")
    given = {"weight": table(draw, rows, width, top), "ids": draw.distinct(length, rows), "max_norm": top}
    call = f"with torch.no_grad(): lookup_with_max_norm_({', '.join(map(show, given.values()))})"
    yield Case("under no_grad", given, "any table", {"grad_mode": False}, call).trying("the call works")
    gaps = strided(table(draw, rows, width, top, long=True))
    yield case("a weight with gaps in memory", gaps, draw.distinct(rows // 2, rows), top, "any table").trying("(V, d) floating")
    weight = table(draw, rows, width, top, dtype=torch.float64)
    yield case("float64", weight, draw.distinct(length, rows), top, "any table").trying("(V, d) floating")
    weight = table(draw, rows, width, top, close=True)
    yield case("rows close to max_norm", weight, draw.distinct(rows, rows), top, "any table", CLOSE).trying("all other rows")
    power = draw.choice((1.25, 1.5, 2.5, 3.5))
    for name, norm_type in (("the sum of absolute values", 1.0), ("the largest absolute value", float("inf")),
                            ("the cubic norm", 3.0), ("the norm of another power", power)):
        weight = table(draw, rows, width, top, long=True, norm_type=norm_type)
        because = f"With norm_type={norm_type} the length of a row is {name}."
        yield case(name, weight, draw.distinct(rows, rows), top, "any table", because, norm_type=norm_type).trying("norm_type")
    weight = table(draw, rows, width, 2500.0)
    weight[1] = 0.0
    ids = torch.cat([torch.tensor([1]), draw.distinct(length, rows)])
    yield case("large values and a row of zeros", weight, ids, 2500.0, "any table").trying("(V, d) floating")


lookup_with_max_norm_ = Exercise(
    id="03.lookup_with_max_norm_",
    title="A lookup that writes to its table",
    why="A lookup with max_norm changes the table: in training, in eval mode and under no_grad.",
    difficulty=2,
    minutes=15,
    criteria=(
        Criterion("in place", 2, "the result is clipped, and so are the rows of the table itself"),
        Criterion("only those", 2, "rows that are not looked up stay, repeated ids do no harm"),
        Criterion("any ids", 1.5, "ids of any shape, a single one or none", tries=("ids int64",)),
        Criterion("any table", 1.5, "an nn.Parameter, either grad mode, any norm, dtype and memory layout"),
    ),
    hints=(
        "Three steps: find the rows that are looked up, clip them in the table, then look up as usual.",
        "On the right of =, `weight[rows]` with a tensor of ids is a copy. On the left, `weight[rows] = ...` writes to "
        "the table.",
        "`ids.unique()` flattens ids of any shape and lists each row once.",
        "Inside `with torch.no_grad():` you may write to an nn.Parameter. Call `renorm_rows` on the rows "
        "that you picked, and write the result back to the same rows.",
    ),
    cases=_cases,
    of_driver=("twice", "grad_mode"),
    run=_run,
    compare=Comparison(rules={
        "memory of weight afterwards": _in_its_memory,
        "gradient at weight afterwards": like_before(
            Message("The call changed requires_grad of the weight, and did not set it back.")
        ),
        "gradient of a later product": like_before(
            Message("The call changed the grad mode of torch, and did not set it back.")
        ),
    }),
    changes=("weight",),
    uses=("renorm_rows",),
)
