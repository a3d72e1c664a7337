"""Tell which arguments a call changed, by comparing them before it and after it.

The learner's process sends the arguments as they are after the call. The process that judges has the arguments that were
sent, and compares the two.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..subject.tensors import torch
from .observation import Observation
from .wire_data import plain

if TYPE_CHECKING:
    from .case import Case
    from .exercise import Exercise

__all__ = ["with_changes"]

_UNCHANGEABLE = (int, float, str, bool, bytes, type(None))


def with_changes(exercise: Exercise, case: Case, seen: Observation) -> Observation:
    """Return the observation with `modified` worked out from `after`, which is left out then.

    An observation without `after` stays as it is: it was made on this side, or is one of those that are shipped.
    """
    if seen.after is None:
        return seen
    modified = tuple(
        name
        for name, before in {**case.args, **case.options}.items()
        if name not in exercise.changes and not (name in seen.after and _is_unchanged(plain(before), seen.after[name]))
    )
    return replace(seen, modified=modified, after=None)


def _equal(before: torch.Tensor, after: torch.Tensor) -> bool:
    """Return True if two tensors are equal to the last bit; nan is equal to nan and to nothing else."""
    return torch.equal(before, after) or bool(((before == after) | (before.isnan() & after.isnan())).all())


def _is_unchanged(before: Any, after: Any) -> bool:
    if type(before) in _UNCHANGEABLE:
        return type(before) is type(after) and (before == after or before != before)
    if isinstance(before, torch.Tensor):
        return (
            isinstance(after, torch.Tensor)
            and before.shape == after.shape
            and before.dtype == after.dtype
            and _equal(before, after.detach())
        )
    if isinstance(before, np.ndarray):
        return (
            isinstance(after, np.ndarray)
            and before.dtype == after.dtype
            and np.array_equal(before, after, equal_nan=before.dtype.kind == "f")
        )
    if isinstance(before, dict):
        return (
            isinstance(after, dict)
            and list(before) == list(after)
            and all(_is_unchanged(value, after[key]) for key, value in before.items())
        )
    if isinstance(before, (list, tuple)):
        return (
            isinstance(after, (list, tuple))
            and len(before) == len(after)
            and all(_is_unchanged(*pair) for pair in zip(before, after, strict=True))
        )
    return type(before) is type(after) and (before == after or before != before)
