"""Compare arrays of numpy in stages: type, shape, dtype, finite, values. For courses whose numbers are arrays."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..messages import Message
from .mismatch import Mismatch, not_finite, wrong_dtype, wrong_shape, wrong_single_value, wrong_type, wrong_values

__all__ = ["Strictness", "array_fault"]


class Strictness(Protocol):
    """The fields of a `Comparison` that say how strictly arrays are compared."""

    @property
    def dtype(self) -> str:
        """Return which dtypes are accepted: "same", "floating" or "any", as in `Comparison`."""
        ...

    @property
    def rtol(self) -> float:
        """Return the relative tolerance of float32 numbers."""
        ...

    @property
    def rtol64(self) -> float:
        """Return the relative tolerance of float64 numbers."""
        ...

    @property
    def atol(self) -> float:
        """Return the absolute tolerance of an array of zeros."""
        ...


def array_fault(rule: Strictness, expected: np.ndarray, got: Any, where: Message, tolerance: float | None) -> Mismatch | None:
    """Return what is wrong with an array, None where it equals the expected one within rounding.

    Parameters
    ----------
    rule : Strictness
        How strict to be with dtypes and numbers.
    expected : np.ndarray
        The right array.
    got : Any
        What the answer gave.
    where : Message
        What the value is, for the sentence that says what is wrong.
    tolerance : float or None
        Absolute tolerance of this array; without it that of the rule holds.
    """
    if not isinstance(got, np.ndarray):
        return wrong_type(where, expected, got)
    if got.shape != expected.shape:
        return wrong_shape(where, expected.shape, got.shape)
    if not _dtype_fits(rule, expected.dtype, got.dtype):
        floating = rule.dtype == "floating" and expected.dtype.kind == "f"
        return wrong_dtype(where, expected.dtype.name, got.dtype.name, floating=floating)
    if expected.size == 0:
        return None
    if expected.dtype.kind != "f" and got.dtype.kind != "f":
        return _first_difference(expected, got, expected != got, where)
    mine, theirs = expected.astype(np.float64), got.astype(np.float64)
    bad = ~np.isfinite(theirs) & np.isfinite(mine)
    if bad.any():
        return not_finite(where, [int(index) for index in np.argwhere(bad)[0]])
    rtol = rule.rtol64 if expected.dtype == np.float64 and rule.dtype == "same" else rule.rtol
    return _first_difference(expected, got, _apart(mine, theirs, rtol, tolerance, rule.atol), where)


def _dtype_fits(rule: Strictness, expected: np.dtype, got: np.dtype) -> bool:
    if rule.dtype == "any":
        return True  # complex arrays never travel
    if rule.dtype == "floating" and expected.kind == "f":
        return got in (np.dtype("float32"), np.dtype("float64"))
    return got == expected


def _apart(mine: np.ndarray, theirs: np.ndarray, rtol: float, tolerance: float | None, atol: float) -> np.ndarray:
    """Return which entries differ by more than rounding; as `compare` says it of tensors."""
    finite = np.isfinite(mine)
    with np.errstate(invalid="ignore"):  # inf - inf
        gap = np.abs(mine - theirs)
    largest = np.abs(mine[finite]).max() if finite.any() else 0.0
    floor = atol if largest <= atol else 1e-12
    limit = tolerance if tolerance is not None else rtol * np.abs(mine) + 0.1 * rtol * largest + floor
    same = (finite & (gap <= limit)) | (mine == theirs) | (np.isnan(mine) & np.isnan(theirs))
    return ~same


def _first_difference(expected: np.ndarray, got: np.ndarray, apart: np.ndarray, where: Message) -> Mismatch | None:
    if not apart.any():
        return None
    if apart.ndim == 0:
        return wrong_single_value(where, expected, got)
    with np.errstate(invalid="ignore"):
        far = np.abs(expected.astype(np.float64) - got.astype(np.float64))
    gap = np.where(apart, far, -1.0) if expected.dtype.kind == "f" else apart
    worst = tuple(int(index) for index in np.unravel_index(int(gap.argmax()), gap.shape))
    return wrong_values(where, int(apart.sum()), apart.size, worst, expected[worst].item(), got[worst].item())
