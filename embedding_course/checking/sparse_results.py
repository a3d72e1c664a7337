"""Sparse tensors among the results: they travel in parts, so that none is taken for a dense one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..subject.tensors import torch
from .compare import Comparison, Mismatch
from .exercise import Case
from .wire_data import NamedParts

__all__ = ["dense", "in_parts"]


def in_parts(result: Any) -> Any:
    """The indices and values of a sparse tensor; anything else as it is.

    >>> in_parts(torch.eye(2).to_sparse())["values"]
    tensor([1., 1.])
    """
    if not isinstance(result, torch.Tensor) or result.layout is torch.strided:
        return result
    entries = result.detach().to_sparse_coo().coalesce()
    return NamedParts({"indices": entries.indices(), "values": entries.values()})


def dense(name: str) -> Callable[[Any, Any, Case], Mismatch | None]:
    """The rule for a part that must be a dense tensor."""

    def rule(expected: Any, got: Any, _: Case) -> Mismatch | None:
        if isinstance(got, dict) and got.keys() == {"indices", "values"}:
            return Mismatch("type", f"the {name} is a sparse tensor; a dense one was asked for")
        return Comparison().leaf(expected, got, f"the {name}")

    return rule
