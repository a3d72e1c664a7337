"""Clipping rows, and a lookup that clips: cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided
from ...show import show
from .tables import limit, table

__all__ = ["lookup_with_max_norm_", "renorm_rows"]

_INF = float("inf")
_CLOSE = "A little too long is too long; a little shorter than max_norm is short enough."


def _renorm_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, weight: torch.Tensor, max_norm: float, criterion: str, because: str = "", **options: Any) -> Case:
        return Case(name, {"weight": weight, "max_norm": max_norm}, criterion, options, because=because)

    rows, width = draw.sizes(2, smallest=5)
    top = limit(draw)
    yield case("long and short rows", table(draw, rows, width, top), top, "length")
    yield case("no row is too long", table(draw, rows, width, top, long=False), top, "length",
               "A row that is short enough stays as it is.")  # fmt: skip
    yield case("every row is too long", table(draw, rows, width, top, long=True), top, "length")
    yield case("as many rows as columns", table(draw, width, width, top), top, "length")
    yield case("max_norm far below 1", table(draw, rows, width, 0.2), 0.2, "length", "A row of length 0.5 is too long here.")
    yield case("rows close to max_norm", table(draw, rows, width, top, close=True), top, "length", _CLOSE)

    for name, norm_type in (("the sum of absolute values", 1.0), ("the largest absolute value", _INF),
                            ("the cubic norm", 3.0), ("the norm of power 1.5", 1.5),
                            ("a norm_type that is an int", 1)):  # fmt: skip
        top = limit(draw)
        weight = table(draw, rows, width, top, norm_type=norm_type)
        because = f"With norm_type={norm_type} no row may be longer than max_norm in that norm."
        yield case(name, weight, top, "norm types", because, norm_type=norm_type)

    top = limit(draw)
    weight = table(draw, rows, width, top)
    weight[draw.integer(0, rows - 1)] = 0.0
    yield case("a row of zeros", weight, top, "any table", "A row of zeros has norm 0, and stays a row of zeros.")
    yield case("a single row", table(draw, 1, width, top, long=True), top, "any table")
    yield case("a single column", table(draw, rows, 1, top), top, "any table")
    yield case("no rows", torch.zeros(0, width), top, "any table")
    yield case("a table with gaps in memory", strided(table(draw, rows, width, top)), top, "any table")
    yield case("max_norm is an int", table(draw, rows, width, 2), 2, "any table")
    yield case("float64", table(draw, rows, width, top, dtype=torch.float64), top, "any table")
    large = table(draw, rows, width, 2500.0)
    yield case("large values", large, 2500.0, "any table")
    yield case("large values, small max_norm", large.clone(), 1.5, "any table")


renorm_rows = Exercise(
    id="03.renorm_rows",
    title="Shorten the rows that are too long",
    why="It is the whole of what max_norm does to a row; everything else is about which rows, and when.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("length", 1, "rows longer than max_norm come down to it in their own direction, others stay"),
        Criterion("norm types", 1, "the length is measured in the norm that norm_type names"),
        Criterion("any table", 1, "zero rows, one row, no row, float64, large values, any memory layout"),
    ),
    hints=(
        "Each row needs one number to be multiplied with: 1 for a short row, less than 1 for a long one.",
        "`torch.linalg.vector_norm(weight, ord=..., dim=..., keepdim=True)` gives the length of every row, for "
        "every norm_type; `keepdim=True` lets the result multiply whole rows.",
        "The factor is max_norm / norm, but never more than 1, and it must not be 0 / 0 for a row of zeros.",
        "If norms below max_norm count as max_norm (`clamp`), then max_norm / norm is 1 for exactly those rows.",
    ),
    cases=_renorm_cases,
)


def _run_lookup(
    candidate: Callable[..., Any],
    weight: torch.Tensor,
    ids: torch.Tensor,
    max_norm: float,
    *norm_type: float,
    grad_mode: bool = True,
    twice: bool = False,
    **options: Any,
) -> Parts:
    """Look up with gradients recorded or not; report the result, and the state in which the call left things. `twice`
    makes the table three times as long and looks up again."""
    needs_grad, memory = weight.requires_grad, weight.data_ptr()
    with torch.set_grad_enabled(grad_mode):
        result = candidate(weight, ids, max_norm, *norm_type, **options)
        if twice:
            result = candidate(weight.mul_(3.0), ids, max_norm, *norm_type, **options)
        parts = Parts({"result": result, "weight afterwards": weight})
        parts["memory kept"] = weight.data_ptr() == memory
        parts["requires_grad kept"] = weight.requires_grad == needs_grad
        parts["grad mode kept"] = torch.is_grad_enabled() == grad_mode
    return parts


def _same_memory(_: Any, kept: Any, __: Case) -> Fault | None:
    said = "the weight was given new memory; what shares the old one (a view, an array) does not see the change"
    return None if kept is True else Fault("property", said)


def _kept(what: str) -> Callable[[Any, Any, Case], Fault | None]:
    def rule(_: Any, kept: Any, __: Case) -> Fault | None:
        return None if kept is True else Fault("property", f"{what}, and was not set back")

    return rule


def _lookup_cases(draw: Draw) -> Iterator[Case]:
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
    yield case("every row once", table(draw, rows, width, top), draw.distinct(rows, rows), top, "in place")
    yield case("every row once, all too long", table(draw, rows, width, top, long=True), draw.distinct(rows, rows), top,
               "in place")  # fmt: skip

    yield case("max_norm far below 1", table(draw, rows, width, 0.2), draw.distinct(rows, rows), 0.2, "in place",
               "A row of length 0.5 is too long here.")  # fmt: skip
    weight = table(draw, rows, width, top, close=True)
    yield case("rows close to max_norm", weight, draw.distinct(rows, rows), top, "in place", _CLOSE)

    alone = "Only the rows that are looked up change; the others keep their length, however long they are."
    for name, size in (("some rows, all too long", rows), ("as many rows as columns", width)):
        ids = draw.distinct(max(2, size // 2), size)
        yield case(name, table(draw, size, width, top, long=True), ids, top, "only those", alone)
    ids = draw.distinct(rows // 2, rows)
    yield case("long and short rows, some looked up", table(draw, rows, width, top), ids, top, "only those", alone)
    ids = torch.tensor(draw.shuffled(draw.distinct(rows // 2, rows).tolist() * 3))
    yield case("repeated ids", table(draw, rows, width, top, long=True), ids, top, "only those",
               "A row that is looked up three times is still clipped to max_norm.")  # fmt: skip
    given = {"weight": table(draw, rows, width, top), "ids": draw.distinct(rows // 2, rows), "max_norm": top}
    call = f"lookup_with_max_norm_({', '.join(map(show, given.values()))}), then weight.mul_(3.0) and the same lookup again"
    yield Case("rows that have grown since the last lookup", given, "only those", {"twice": True}, call,
               "Every lookup clips, also rows that an earlier one clipped.")  # fmt: skip

    ids = draw.distinct(6, rows).reshape(2, 3)
    yield case("ids of shape (B, T)", table(draw, rows, width, top, long=True), ids, top, "any ids")
    yield case("ids of shape (A, B, T)", table(draw, rows, width, top), draw.distinct(6, rows).reshape(2, 1, 3), top, "any ids")
    yield case("a single id", table(draw, rows, width, top, long=True), draw.ids((), rows), top, "any ids")
    yield case("one id, shape (1,)", table(draw, rows, width, top), draw.ids((1,), rows), top, "any ids")
    yield case("one sentence, shape (1, T)", table(draw, rows, width, top), draw.distinct(length, rows)[None], top, "any ids")
    yield case("no ids", table(draw, rows, width, top), draw.ids((0,), rows), top, "any ids")
    yield case("no ids, in two dimensions", table(draw, rows, width, top), draw.ids((3, 0), rows), top, "any ids")
    gaps = strided(draw.distinct(6, rows).reshape(3, 2))
    yield case("ids with gaps in memory", table(draw, rows, width, top), gaps, top, "any ids")

    written = "Clipping is no step of the computation that is differentiated: it writes to the table even so."
    yield leaf("a weight that requires grad", draw.distinct(length, rows), True, written)
    yield leaf("a weight that requires grad, under no_grad", draw.distinct(length, rows), False)
    given = {"weight": table(draw, rows, width, top), "ids": draw.distinct(length, rows), "max_norm": top}
    call = f"with torch.no_grad(): lookup_with_max_norm_({', '.join(map(show, given.values()))})"
    yield Case("under no_grad", given, "any table", {"grad_mode": False}, call)
    gaps = strided(table(draw, rows, width, top, long=True))
    yield case("a weight with gaps in memory", gaps, draw.distinct(rows // 2, rows), top, "any table")
    weight = table(draw, rows, width, top, dtype=torch.float64)
    yield case("float64", weight, draw.distinct(length, rows), top, "any table")
    for name, norm_type in (("the sum of absolute values", 1.0), ("the largest absolute value", _INF),
                            ("the cubic norm", 3.0), ("the norm of power 2.5", 2.5)):  # fmt: skip
        weight = table(draw, rows, width, top, long=True, norm_type=norm_type)
        because = f"With norm_type={norm_type} the length of a row is {name}."
        yield case(name, weight, draw.distinct(length, rows), top, "any table", because, norm_type=norm_type)
    weight = table(draw, rows, width, 2500.0)
    weight[1] = 0.0
    ids = torch.cat([torch.tensor([1]), draw.distinct(length, rows)])
    yield case("large values and a row of zeros", weight, ids, 2500.0, "any table")


lookup_with_max_norm_ = Exercise(
    id="03.lookup_with_max_norm_",
    title="A lookup that writes to its table",
    why="Reading an embedding with max_norm changes the embedding: in training, in eval mode and under no_grad alike.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("in place", 1, "the result is clipped, and so are the rows of the table itself"),
        Criterion("only those", 1, "rows that are not looked up stay, repeated ids do no harm"),
        Criterion("any ids", 1, "ids of any shape, a single one or none"),
        Criterion("any table", 1, "a leaf that requires grad, either grad mode, any norm, dtype and memory layout"),
    ),
    hints=(
        "Three steps: which rows are asked for, clip those in the table, then look up as always.",
        "`weight[rows]` with a tensor of ids on the right of = is a copy; `weight[rows] = ...` on the left writes to "
        "the table.",
        "`ids.unique()` flattens ids of any shape and names each row once.",
        "A leaf that requires grad may be written to inside `with torch.no_grad():`. Call `renorm_rows` on the rows "
        "that you picked, and put the result back where they came from.",
    ),
    cases=_lookup_cases,
    run=_run_lookup,
    compare=Same(
        rules={
            "memory kept": _same_memory,
            "requires_grad kept": _kept("the call changed requires_grad of the weight"),
            "grad mode kept": _kept("the call changed torch's grad mode"),
        }
    ),
    changes=("weight",),
    uses=("renorm_rows",),
)
