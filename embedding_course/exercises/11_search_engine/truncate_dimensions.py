"""Fewer dimensions: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, show, strided
from ...checking.mismatch import RESULT
from ...messages import Message


def _as_rows(candidate: Callable[..., Any], x: torch.Tensor, keep: int, backward: bool = False) -> NamedParts:
    """Report the rows, and with `backward` what reaches x; an answer without a graph, made in numpy say, leaves nothing."""
    if not backward:
        return NamedParts({"rows": candidate(x, keep)})
    leaf = x.clone().requires_grad_()
    try:
        rows = candidate(leaf, keep)
    except RuntimeError:  # numpy takes no tensor that needs a gradient
        rows = candidate(x, keep)
    if isinstance(rows, torch.Tensor) and rows.requires_grad:
        rows.sum().backward()
    return NamedParts({"rows": rows, "gradient of x": leaf.grad})


def _finite(_: Any, got: Any, __: Case) -> Mismatch | None:
    """Return a mismatch if the gradient of x is not finite; at a row of zeros, any finite gradient or none is right."""
    if isinstance(got, torch.Tensor) and not bool(torch.isfinite(got).all()):
        return Mismatch("not finite", Message("There is nan or inf in the gradient of x."))
    return None


def _unit_rows(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Compare as `Comparison` does, with more tolerance for very short rows.

    In these, a tiny number that is added to the norms against division by 0 may show.
    """
    lengths = torch.linalg.vector_norm(case.args["x"][:, : case.args["keep"]].double(), dim=1)
    shortest = min(lengths[lengths > 0].tolist(), default=1.0)
    return Comparison().leaf(expected, got, RESULT, 1.5e-7 / shortest if shortest < 1e-3 else None)


def _truncate_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, keep: int, criterion: str, because: str = "", backward: bool = False) -> Case:
        call = f"truncate_dimensions({show(x)}, {keep}) and then .sum().backward()" if backward else ""
        return Case(name, {"x": x, "keep": keep}, criterion, {"backward": True} if backward else {}, call, because)

    rows, width = draw.choice(((3, 5), (3, 7), (5, 7), (7, 11)))
    yield case("two columns", draw.normal(rows, width), 2, "shorter")
    yield case("half of the columns", draw.normal(rows, 23), 11, "shorter")
    yield case("as many columns kept as there are rows", draw.normal(rows, width), rows, "shorter")
    yield case("as many rows as columns", draw.normal(5, 5), 3, "shorter")
    sizes = torch.logspace(-1, 2, rows)[draw.distinct(rows, rows), None]
    yield case("rows of different lengths", sizes * draw.normal(rows, width), width - 1, "shorter")

    whole = "All columns are kept, and the rows are unit vectors all the same."
    yield case("all columns", 3 * draw.normal(rows, width), width, "all columns", whole).trying("d or more")
    yield case("more than all columns", 3 * draw.normal(rows, width), width + 3, "all columns", whole).trying(
        "d or more", "returns")

    zero = draw.normal(rows, width)
    zero[draw.integer(0, rows - 1)] = 0
    yield case("a row of zeros", zero, 2, "zero rows", "It stays a row of zeros.").trying("where only zeros")
    head = draw.normal(rows, width)
    head[draw.integer(0, rows - 1), :2] = 0
    yield case("a row that begins with zeros", head, 2, "zero rows", "What is kept of it is a row of zeros.").trying(
        "where only zeros")
    yield case("a row of zeros, all columns", zero, width, "zero rows").trying("d or more", "where only zeros")
    finite = "0 / 0 is nan, and stays nan in the gradient, even where it was replaced afterwards."
    yield case("a gradient at a row of zeros", zero, width, "zero rows", finite, backward=True).trying("Where a graph")
    yield case("a gradient at a row that begins with zeros", head, 2, "zero rows", finite, backward=True).trying(
        "Where a graph")
    odd = torch.tensor([[1.5, -1.5, 0.25, -0.25, 9.0], [1.0, 0.0, 2.0, 1.0, 9.0], [0.0, 0.0, 3.0, 0.0, 9.0]])
    yield case("rows that sum to 0 or hold a 0", odd, 4, "zero rows",
               "Only a row that holds nothing but zeros is a zero row.").trying("where only zeros")
    yield case(
        "docstring example", torch.tensor([[3.0, 4.0, 12.0], [0.0, 0.0, 1.0]]), 2, "zero rows", "(3, 4) has the length 5."
    ).trying("x (N, d)", "keep how many", "returns", "where only zeros")

    first = draw.normal(rows, width)
    first[:, 0] += 0.3 * torch.where(first[:, 0] < 0, -1.0, 1.0)
    yield case("one column", first, 1, "any input", "What is left of each row is 1 or -1.").trying("keep how many")
    yield case("float64", draw.normal(rows, width, dtype=torch.float64, scale=0.1), width - 2, "any input").trying("returns")
    yield case("short rows", draw.normal(rows, width, scale=2.4e-4), width - 2, "any input",
               "Short rows have a direction too.").trying("returns")
    tiny = 1e-6 * torch.tensor([[3.0, 4.0, 12.0], [-4.5, 6.0, 5.0]])
    yield case("very short rows", tiny, 2, "any input", "Short rows have a direction too.").trying("returns")
    yield case("large numbers", draw.normal(rows, width, scale=5e3), width - 2, "any input").trying("returns")
    yield case("gaps in memory", strided(draw.normal(rows, width)), width - 1, "any input").trying("x (N, d)")
    yield case("one row", draw.normal(1, width), 2, "any input").trying("x (N, d)")
    yield case("no rows", draw.normal(0, width), 2, "any input", "The result has shape (0, 2).").trying("N may be 0")


truncate_dimensions = Exercise(
    id="11.truncate_dimensions",
    title="Fewer dimensions",
    why="A model trained as a Matryoshka doll puts what matters into the first columns: the rest may be cut off.",
    difficulty=1,
    minutes=5,
    core=False,
    criteria=(
        Criterion("shorter", 0.25, "the first columns, as unit vectors", tries=("x (N, d)", "keep how many", "returns")),
        Criterion("all columns", 0.25, "keep may be the number of columns, or more"),
        Criterion("zero rows", 0.25, "rows of zeros stay rows of zeros, and leave no nan in a gradient"),
        Criterion("any input", 0.25, "float64, large numbers, any memory layout, no rows"),
    ),
    hints=(
        "First cut, then normalise: what is left of a unit vector is shorter than 1.",
        "A slice that asks for more columns than there are simply stops at the end.",
        "Dividing a row of zeros by its length gives nan. Which function of torch normalises rows and deals with zeros?",
    ),
    cases=_truncate_cases,
    of_driver=("backward",),
    run=_as_rows,
    compare=Comparison(rules={"rows": _unit_rows, "gradient of x": _finite}),
)
