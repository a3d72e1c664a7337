"""Cosine similarity of every vector with every other: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, NamedParts, RandomInputs, show, strided
from ...checking.gradient_rules import gradient_rules
from .backward import with_gradients

_call = with_gradients("a", "b")


def _run(candidate: Callable[..., Any], a: torch.Tensor, b: torch.Tensor, grad_output: torch.Tensor | None = None) -> Any:
    """Call the answer, and run backward if `grad_output` is given.

    At a zero row the gradient need only be finite. Its value depends on how the division by 0 was avoided, so it is reported
    as 0.
    """
    result = _call(candidate, a, b, grad_output=grad_output)
    if isinstance(result, NamedParts):
        for name, given in (("a", a), ("b", b)):
            gradient = result[f"gradient of {name}"]
            if isinstance(gradient, torch.Tensor) and gradient.shape == given.shape:
                zero = (given == 0).all(dim=1, keepdim=True)
                result[f"gradient of {name}"] = torch.where(zero & gradient.isfinite(), 0.0, gradient)
    return result


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, a: torch.Tensor, b: torch.Tensor, criterion: str, because: str = "", backward: bool = False) -> Case:
        options = {"grad_output": draw.normal(len(a), len(b), dtype=a.dtype)} if backward else {}
        call = f"cosine_similarity_matrix({show(a)}, {show(b)}) and then .backward(...)" if backward else ""
        return Case(name, {"a": a, "b": b}, criterion, options, call, because)

    def vectors(rows: int, width: int, scale: float = 1.0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return rows with clearly different norms, 0.5 to 4 times `scale`, in random order."""
        direction = torch.nn.functional.normalize(draw.normal(rows, width, dtype=dtype), dim=1)
        return direction * draw.uniform(rows, 1, low=0.5, high=4.0, dtype=dtype) * scale

    def with_zero(rows: int, width: int, at: int) -> torch.Tensor:
        table = vectors(rows, width)
        table[at] = 0.0
        return table

    rows, columns, width = draw.choice(((2, 3, 5), (3, 2, 5), (5, 2, 3), (3, 5, 7), (5, 3, 2), (2, 7, 3)))
    yield case("more than one of each", vectors(rows, width), vectors(columns, width), "cosines",
               "Entry (i, j) belongs to row i of a and row j of b.").trying(
        "tensor of shape (N, d)", "tensor of shape (M, d)", "returns")
    yield case("as many rows in a as in b", vectors(rows, width), vectors(rows, width), "cosines")
    own = vectors(rows, width)
    yield case("a with itself", own, own.clone(), "cosines", "The diagonal is 1.")
    yield case("the same directions, other lengths", own, -2.5 * own, "cosines", "A cosine may be negative.")

    zero_row = "A row of zeros has no direction: its similarities are 0."
    yield case("a zero row in a", with_zero(rows, width, rows - 1), vectors(columns, width), "zero rows", zero_row).trying(
        "a row of zeros")
    yield case("a zero row in b", vectors(rows, width), with_zero(columns, width, 0), "zero rows", zero_row).trying(
        "a row of zeros")
    yield case("a zero row in both", with_zero(rows, width, 0), with_zero(columns, width, columns - 1), "zero rows",
               zero_row).trying("a row of zeros")
    yield case("only zeros", torch.zeros(rows, width), torch.zeros(columns, width), "zero rows", zero_row).trying(
        "a row of zeros")

    itself = torch.tensor([[3.0, 4.0], [0.0, 0.0], [1.0, -2.0]])
    yield case("a with itself, a zero row", itself, itself.clone(), "zero rows", zero_row)
    odd = torch.tensor([[1.5, -1.5, 0.25, -0.25], [1.0, 0.0, 2.0, 1.0], [0.0, 0.0, 3.0, 0.0]])
    only = "Only a row that holds nothing but zeros is a zero row."
    yield case("rows of a that sum to 0 or hold a 0", odd, vectors(columns, 4), "zero rows", only).trying("a row of zeros")
    yield case("rows of b that sum to 0 or hold a 0", vectors(rows, 4), odd, "zero rows", only)

    example = torch.tensor([[3.0, 0.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, -2.0], [3.0, 4.0]])
    yield case("docstring example", *example, "zero rows", zero_row).trying("a row of zeros")

    yield case("as many rows in a as columns", vectors(width, width), vectors(columns, width), "any vectors").trying(
        "tensor of shape (N, d)")
    yield case("as many rows in b as columns", vectors(rows, width), vectors(width, width), "any vectors")
    yield case("three equal sizes", vectors(width, width), vectors(width, width), "any vectors")
    yield case("one vector with many", vectors(1, width), vectors(columns, width), "any vectors").trying(
        "tensor of shape (N, d)")
    yield case("many vectors with one", vectors(rows, width), vectors(1, width), "any vectors").trying("tensor of shape (M, d)")
    yield case("one with one", vectors(1, width), vectors(1, width), "any vectors", "The result has shape (1, 1).").trying(
        "returns")
    yield case("vectors of one number", vectors(rows, 1), vectors(columns, 1), "any vectors")
    yield case("nothing in a", torch.zeros(0, width), vectors(columns, width), "any vectors")
    yield case("nothing in b", vectors(rows, width), torch.zeros(0, width), "any vectors")
    yield case("not contiguous in memory", strided(vectors(rows, width)), strided(vectors(columns, width)), "any vectors")
    double = torch.float64
    yield case("float64", vectors(rows, width, dtype=double), vectors(columns, width, dtype=double), "any vectors").trying(
        "tensor of shape (M, d)", "returns")
    yield case("large numbers", vectors(rows, width, 2500.0), vectors(columns, width, 2500.0), "any vectors").trying("returns")
    short = "Short vectors have a direction too."
    yield case("short vectors in a", vectors(rows, width, 2.4e-4), vectors(columns, width, 4.0), "any vectors", short)
    yield case("short vectors in b", vectors(rows, width, 4.0), vectors(columns, width, 2.4e-4), "any vectors", short)

    yield case("gradient", vectors(rows, width), vectors(columns, width), "gradient", backward=True)
    yield case("gradient, as many rows in a as in b", vectors(rows, width), vectors(rows, width), "gradient", backward=True)
    yield case("gradient, a zero row in a", with_zero(rows, width, 0), vectors(columns, width), "gradient",
               "The gradient must be finite everywhere, at a row of zeros too.", backward=True)
    yield case("gradient, a zero row in b", vectors(rows, width), with_zero(columns, width, 0), "gradient",
               "The gradient must be finite everywhere, at a row of zeros too.", backward=True)


cosine_similarity_matrix = Exercise(
    id="08.cosine_similarity_matrix",
    title="Cosine similarity of all pairs",
    why="Search, clustering and contrastive losses all read from this one matrix; a nan in it spoils a whole training run.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("cosines", 1.5, "the cosine of every row of a with every row of b"),
        Criterion("zero rows", 1, "a row of zeros gives zeros"),
        Criterion("any vectors", 0.5, "any sizes, none at all, any floating type, layout and length of vectors"),
        Criterion("gradient", 0.5, "gradients reach a and b, and are finite", tries=("Gradients flow",)),
    ),
    hints=(
        "The cosine of two unit vectors is their dot product. What is left to do when every row has length 1?",
        "Divide each row by its own norm: keep the axis (`keepdim=True`), or the norms meet the wrong axis.",
        "All dot products of the rows of a with the rows of b are one matrix product. Which of the two is transposed?",
        "A norm of 0 must not be divided by: put a tiny lower bound under the norms. `F.normalize` does just that.",
    ),
    cases=_cases,
    of_driver=("grad_output",),
    run=_run,
    compare=Comparison(rules=gradient_rules("a", "b")),
)
