"""Sparse tensors among the results, which are sent in parts, so that none is taken for a dense one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..messages import Code, Message
from ..subject.tensors import torch
from .compare import Comparison, Mismatch, part_named
from .exercise import Case
from .wire_data import NamedParts

__all__ = ["dense", "in_parts"]


def in_parts(result: Any) -> Any:
    """Return the indices and values of a sparse tensor; anything else as it is.

    >>> in_parts(torch.eye(2).to_sparse())["values"]
    tensor([1., 1.])
    """
    if not isinstance(result, torch.Tensor) or result.layout is torch.strided:
        return result
    entries = result.detach().to_sparse_coo().coalesce()
    return NamedParts({"indices": entries.indices(), "values": entries.values()})


def dense(name: str) -> Callable[[Any, Any, Case], Mismatch | None]:
    """Return the rule for a part that must be a dense tensor."""
    part = part_named(Code(name))

    def rule(expected: Any, got: Any, _: Case) -> Mismatch | None:
        if isinstance(got, dict) and got.keys() == {"indices", "values"}:
            return Mismatch("type", Message("A dense tensor was asked for, and {part} is a sparse one.", part=part))
        return Comparison().leaf(expected, got, part)

    return rule
