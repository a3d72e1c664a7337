"""Inputs seen from outside: how alike two cases are, and what their arguments reveal without any computation."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from embedding_course.checking.carried import carried
from embedding_course.checking.exercise import Case
from embedding_course.subject.tensors import torch

__all__ = ["distance", "leaves", "traits"]


def leaves(case: Case) -> dict[str, Any]:
    """Return every number, text and tensor among the inputs by its path, such as "model.dropout" or "ids"."""
    return dict(_leaves("", {**case.args, **case.options}))


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(f"{path}.{key}", part)
    elif isinstance(value, (list, tuple)) and not all(isinstance(part, (int, float)) for part in value):
        yield f"{path}.length", len(value)
        for index, part in enumerate(value):
            yield from _leaves(f"{path}.{index}", part)
    elif isinstance(value, (list, tuple, np.ndarray)):
        yield path, carried(np.asarray(value))
    else:
        yield path, value


def distance(case: Case, other: Case) -> float:
    """Return 0 for equal inputs, and 1 more for each part that only one of them has, or that has another form."""
    mine, theirs = leaves(case), leaves(other)
    return len(mine.keys() ^ theirs.keys()) + sum(_apart(mine[path], theirs[path]) for path in mine.keys() & theirs.keys())


def _apart(value: Any, other: Any) -> float:
    tensors = isinstance(value, torch.Tensor) and isinstance(other, torch.Tensor)
    if not tensors and not (isinstance(value, np.ndarray) and isinstance(other, np.ndarray)):
        return float(type(value) is not type(other) or value != other)
    if value.shape != other.shape or value.dtype != other.dtype:
        return 1.0
    mine, theirs = _exact(value), _exact(other)
    gap, size = float(np.abs(mine - theirs).sum()), float((np.abs(mine) + np.abs(theirs)).sum())
    return gap / size if size and math.isfinite(gap / size) else 0.0


def traits(case: Case) -> dict[str, Hashable]:
    """Return simple properties of the inputs by name.

    Flags, names and sizes are taken as they are. For tensors they are the form, and patterns such as zeros, whole numbers,
    symmetry and triangles.
    """
    properties: dict[str, Hashable] = {}
    for path, leaf in leaves(case).items():
        if isinstance(leaf, (torch.Tensor, np.ndarray)):
            properties |= {f"{path} {name}": value for name, value in _form(leaf).items()}
        else:
            properties[path] = leaf if isinstance(leaf, Hashable) else str(leaf)
    return properties


def _exact(leaf: torch.Tensor | np.ndarray) -> np.ndarray:
    return leaf.astype(np.float64) if isinstance(leaf, np.ndarray) else leaf.detach().double().numpy()


def _form(leaf: torch.Tensor | np.ndarray) -> dict[str, Hashable]:
    exact = _exact(leaf)
    square = exact.ndim == 2 and exact.shape[0] == exact.shape[1] > 1
    size = float(np.abs(exact).mean()) if exact.size else 0.0
    return {
        "shape": exact.shape,
        "type": leaf.dtype,
        "contiguous": leaf.flags.c_contiguous if isinstance(leaf, np.ndarray) else leaf.is_contiguous(),
        "all zero": not exact.any(),
        "some zero": bool((exact == 0).any()),
        "whole": bool((exact == exact.round()).all()),
        "constant": bool((exact == exact.ravel()[:1]).all()) if exact.size else True,
        "lower triangle": square and np.array_equal(exact, np.tril(exact)),
        "upper triangle": square and np.array_equal(exact, np.triu(exact)),
        "symmetric": square and np.array_equal(exact, exact.T),
        "order of size": round(math.log10(size)) if size and math.isfinite(size) else None,
    }
