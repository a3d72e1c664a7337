"""Ids and gradients for the cases on the table's gradient, and how these are run."""

from collections.abc import Callable
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, NamedParts, RandomInputs
from ...checking.sparse_results import dense, in_parts

#: The comparison for `dense_gradient`.
same_gradient = Comparison(rules={"gradient": dense("gradient")})


def dense_gradient(
    candidate: Callable[..., Any], ids: torch.Tensor, grad_output: torch.Tensor, *args: Any, **options: Any
) -> NamedParts:
    """Call the answer and return the gradient, a sparse one in parts.

    If `grad_output` has gaps in memory, the answer receives it with its axes in another order in memory, as a backward pass
    often leaves it.
    """
    if not grad_output.is_contiguous():
        order = tuple(reversed(range(grad_output.ndim)))
        grad_output = grad_output.permute(order).contiguous().permute(order)
    return NamedParts({"gradient": in_parts(candidate(ids, grad_output, *args, **options))})


def shuffled_rows(draw: RandomInputs, tensor: torch.Tensor) -> torch.Tensor:
    """Return the rows of a tensor in random order."""
    return tensor[draw.distinct(len(tensor), len(tensor))]


def gradient_for(draw: RandomInputs, ids: torch.Tensor, width: int, **options: Any) -> torch.Tensor:
    """Return a random gradient of shape (*ids.shape, width) at the vectors that are looked up."""
    return draw.normal(*ids.shape, width, **options)


def lookup_case(
    draw: RandomInputs,
    name: str,
    ids: torch.Tensor,
    width: int,
    size: int,
    criterion: str,
    because: str = "",
    grad: torch.Tensor | None = None,
    **options: Any,
) -> Case:
    """Return a case of a lookup in a table of `size` rows; without `grad` the gradient at the vectors is random."""
    grad = gradient_for(draw, ids, width) if grad is None else grad
    return Case(name, {"ids": ids, "grad_output": grad, "num_embeddings": size}, criterion, options, because=because)


def repeated(draw: RandomInputs, count: int, size: int) -> torch.Tensor:
    """Return more ids than there are rows, with the first and the last row among them and the first one twice."""
    ids = torch.cat([torch.tensor([0, size - 1, 0]), draw.ids(count - 3, size)])
    return shuffled_rows(draw, ids)


def cancelling(draw: RandomInputs, size: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ids and gradients: each row gets two large gradients whose sum is small, so that rounding to float32 shows."""
    large = draw.normal(size, width, dtype=torch.float64, scale=1e4)
    small = draw.normal(size, width, dtype=torch.float64)
    order = draw.distinct(2 * size, 2 * size)
    return torch.arange(size).repeat(2)[order], torch.cat([large, small - large])[order]
