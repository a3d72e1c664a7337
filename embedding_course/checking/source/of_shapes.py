"""Lines that hold for one number of axes only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from ...with_torch import torch
from .slip import Slip, quoted
from .written import Written, as_name

__all__ = ["shapes_taken_apart"]


def shapes_taken_apart(written: Written, given: Mapping[str, Any]) -> Iterator[Slip]:
    """`B, T, d = x.shape`, where x as it is given has another number of axes."""
    for function in written.in_use.values():
        stored = {one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        for node in ast.walk(function):
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], (ast.Tuple, ast.List)):
                continue
            name, names = _shape_of(node.value), node.targets[0].elts
            value = given.get(name)
            if name in stored or not isinstance(value, torch.Tensor) or any(isinstance(one, ast.Starred) for one in names):
                continue
            if value.ndim != len(names):
                axes = f"{value.ndim} {'axis' if value.ndim == 1 else 'axes'}"
                says = f"Line {node.lineno} takes {quoted(node.value)} apart into {len(names)} names; here `{name}` has {axes}."
                step = f"Take what holds for any number of axes: `{name}.shape[-1]`, or `*rest, last = {name}.shape`."
                yield Slip("shape", says, step)


def _shape_of(value: ast.expr) -> str:
    """The name whose shape this is: `x.shape`, `x.size()`; empty for anything else."""
    if isinstance(value, ast.Call) and not value.args and not value.keywords:
        name = as_name(value.func)
        return name.removesuffix(".size") if name.endswith(".size") else ""
    name = as_name(value)
    return name.removesuffix(".shape") if name.endswith(".shape") else ""
