"""Compare what came back with what was expected, rung by rung: type, shape, dtype, finite, values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ..subject.tensors import TENSORS, torch
from .case import Case
from .compare_arrays import array_fault
from .grammar import article, verb
from .mismatch import STAGES, Mismatch, no_single_number, wrong_length, wrong_shape, wrong_type, wrong_values
from .observation import Observation
from .show import kind, show
from .wire_data import NamedParts, dtype_name

__all__ = ["MADE_UP", "STAGES", "Comparison", "Mismatch"]

#: What comparing raises where something was made up that has not the parts of what was asked for.
MADE_UP = (AttributeError, TypeError, KeyError, IndexError, ValueError, RuntimeError, ArithmeticError)


@dataclass(frozen=True)
class Comparison:
    """The usual comparison: the answer equals the reference's, within rounding.

    `dtype` says how strict to be with floating tensors: "same" as the reference, "floating" for float32 or
    float64, "any" for every numeric or bool type. `tolerances` gives single named parts their own absolute tolerance
    (statistics of random draws), `rounding` those of which float32 leaves fewer digits, and which are otherwise as exact
    as any. `rules` judges named parts by a function instead.
    """

    dtype: Literal["same", "floating", "any"] = "same"
    rtol: float = 1e-4
    rtol64: float = 1e-6
    atol: float = 1e-12
    tolerances: Mapping[str, float] = field(default_factory=dict)
    rounding: Mapping[str, float] = field(default_factory=dict)
    rules: Mapping[str, Callable[[Any, Any, Case], Mismatch | None]] = field(default_factory=dict)

    def seen(self, observation: Observation, case: Case) -> Observation:
        """What of an observation is judged, and by what a known mistake is recognised: all of it, unless said otherwise."""
        return observation

    def __call__(self, expected: Observation, got: Observation, case: Case) -> Mismatch | None:
        expected, got = self.seen(expected, case), self.seen(got, case)
        if expected.raised is not None:
            return _refusal(expected, got)
        if got.raised is not None:
            return raised_fault(got)
        fault = self._parts(expected.value, got.value, case)
        if fault is None and got.modified:
            return modified_fault(got)
        return fault

    def _parts(self, expected: Any, got: Any, case: Case) -> Mismatch | None:
        if not isinstance(expected, NamedParts):
            return self.leaf(expected, got, "the result")
        for name, part in expected.items():
            theirs = got.get(name) if isinstance(got, dict) else None
            if name in self.rules:
                fault = self.rules[name](part, theirs, case)
            else:
                fault = self.leaf(part, theirs, f"the {name}", self._tolerance(name))
            if fault:
                return fault
        return None

    def _tolerance(self, name: str) -> float | None:
        return self.tolerances.get(name, self.rounding.get(name))

    def leaf(self, expected: Any, got: Any, where: str, tolerance: float | None = None) -> Mismatch | None:
        """Compare one value; containers are compared entry by entry."""
        if isinstance(expected, torch.Tensor):
            return self._tensor(expected, got, where, tolerance)
        if isinstance(expected, np.ndarray):
            return self._array(expected, got, where, tolerance)
        if isinstance(expected, dict):
            return self._dict(expected, got, where)
        if isinstance(expected, list):
            return self._list(expected, got, where)
        return self._scalar(expected, got, where, tolerance)

    def _tensor(self, expected: torch.Tensor, got: Any, where: str, tolerance: float | None) -> Mismatch | None:
        if not isinstance(got, torch.Tensor):
            return wrong_type(f"a tensor of shape {tuple(expected.shape)}", got, where)
        if got.shape != expected.shape:
            return wrong_shape(where, got.shape, expected.shape)
        if not self._dtype_fits(expected.dtype, got.dtype):
            wanted = "a floating type" if self.dtype == "floating" else dtype_name(expected.dtype)
            return Mismatch("dtype", f"{verb(where, 'is', 'are')} of type {dtype_name(got.dtype)}; {wanted} was expected")
        if expected.numel() == 0 or (expected.dtype == got.dtype and torch.equal(expected, got)):
            return None
        if not expected.is_floating_point() and not got.is_floating_point() and self.dtype != "any":
            return _first_difference(expected, got, expected != got, where)
        mine, theirs = expected.double(), got.double()
        bad = ~torch.isfinite(theirs) & torch.isfinite(mine)
        if bad.any():
            spot = _spot(bad)
            return Mismatch("not finite", f"{verb(where, 'holds', 'hold')} nan or inf", f" (at {spot})")
        apart = _apart(mine, theirs, self._rtol(expected), tolerance, self.atol)
        return _first_difference(expected, got, apart, where)

    def _array(self, expected: np.ndarray, got: Any, where: str, tolerance: float | None) -> Mismatch | None:
        if TENSORS:  # no exercise asks for one: two results of a learner are held against each other
            same = isinstance(got, np.ndarray) and np.array_equal(expected, got)
            return None if same else Mismatch("values", f"{verb(where, 'is', 'are')} another array")
        return array_fault(self, expected, got, where, tolerance)

    def _rtol(self, expected: torch.Tensor) -> float:
        return self.rtol64 if expected.dtype == torch.float64 and self.dtype == "same" else self.rtol

    def _dtype_fits(self, expected: torch.dtype, got: torch.dtype) -> bool:
        if self.dtype == "any":
            return not got.is_complex
        if self.dtype == "floating" and expected.is_floating_point:
            return got in (torch.float32, torch.float64)
        return got == expected

    def _dict(self, expected: dict, got: Any, where: str) -> Mismatch | None:
        if not isinstance(got, dict):
            return wrong_type("a dict", got, where)
        missing = [key for key in expected if key not in got]
        extra = [key for key in got if key not in expected]
        if missing or extra:
            said = f" ({len(missing)} missing, {len(extra)} too many)"
            detail = f": missing {show(missing[:3])}" if missing else f": unexpected {show(extra[:3])}"
            other = f"{verb(where, 'has', 'have')} other keys than expected"
            some = " and ".join(["some are missing"] * bool(missing) + ["some are too many"] * bool(extra))
            return Mismatch("values", other + said, detail, f"{other}: {some}")
        for key, value in expected.items():
            fault = self.leaf(value, got[key], f"{where}[{key!r}]")
            if fault:
                return Mismatch(
                    fault.stage, f"{verb(where, 'has', 'have')} a wrong entry", f" at {key!r}: {fault.what}{fault.detail}"
                )
        return None

    def _list(self, expected: list, got: Any, where: str) -> Mismatch | None:
        if not isinstance(got, list):
            return wrong_type("a list", got, where)
        for index, (mine, theirs) in enumerate(zip(expected, got, strict=False)):
            fault = self.leaf(mine, theirs, f"entry {index} of {where}")
            if fault and fault.stage in ("type", "dtype"):
                return fault
            if fault and len(expected) == len(got):
                return fault
        if len(expected) != len(got):
            return wrong_length(where, len(got), len(expected))
        return None

    def _scalar(self, expected: Any, got: Any, where: str, tolerance: float | None) -> Mismatch | None:
        if isinstance(got, torch.Tensor):
            if got.ndim:
                return no_single_number(where, "a tensor", got.shape)
            got = got.item()
        elif isinstance(got, np.ndarray) and not TENSORS:
            if got.ndim:
                return no_single_number(where, "an array", got.shape)
            got = got.item()
        if expected is None:
            return None if got is None else wrong_type("None", got, where)
        if isinstance(expected, float) and type(got) is int:
            got = float(got)
        if type(got) is not type(expected):
            return wrong_type(article(type(expected).__name__), got, where)
        if isinstance(expected, float):
            if math.isfinite(expected) and not math.isfinite(got):
                return Mismatch("not finite", f"{verb(where, 'is', 'are')} {got}")
            limit = tolerance if tolerance is not None else self.rtol * max(abs(expected), 1e-6)
            near = math.isfinite(expected) and abs(expected - got) <= limit  # no finite number is near to inf
            if near or expected == got or (math.isnan(expected) and math.isnan(got)):
                return None
        elif expected == got:
            return None
        return Mismatch(
            "values", f"{verb(where, 'is', 'are')} not the expected {kind(expected)}", f": {show(got)}, not {show(expected)}"
        )


def raised_fault(got: Observation) -> Mismatch:
    """The fault of an answer that raised; a bare NotImplementedError of its own is an untouched stub."""
    raised = got.raised
    assert raised is not None
    if raised.of_a_stub:
        if raised.own_cell:
            return Mismatch("not attempted", "the stub is still there", raised.line)
        return Mismatch("raises", "it met a stub in which nothing is written yet", f" ({raised.line})")
    said = f": {raised.message}" if raised.message else ""
    at = f" ({raised.line})" if raised.line else ""
    return Mismatch("raises", f"it raised {public_type(raised.type)}", f"{said}{at}")


def modified_fault(got: Observation) -> Mismatch:
    names = " and ".join(f"`{name}`" for name in got.modified)
    if len(got.modified) == 1:
        return Mismatch("property", f"the argument {names} was changed by the call; it belongs to the caller")
    return Mismatch("property", f"the arguments {names} were changed by the call; they belong to the caller")


def public_type(name: str) -> str:
    """The name of an exception type if it is one of Python's own: a made-up name could carry hidden inputs."""
    import builtins

    known = getattr(builtins, name, None)
    return name if isinstance(known, type) and issubclass(known, BaseException) else "an exception"


def _refusal(expected: Observation, got: Observation) -> Mismatch | None:
    assert expected.raised is not None
    wanted = expected.raised.type
    if got.raised is None:
        return Mismatch("property", f"it returned something where {wanted} was asked for", f": {show(got.value)}")
    if wanted in got.raised.types:
        return modified_fault(got) if got.modified else None
    fault = raised_fault(got)
    if fault.stage != "raises":
        return fault
    return Mismatch("raises", f"{fault.what} where {wanted} was asked for", fault.detail)


def _spot(mask: torch.Tensor) -> str:
    index = tuple(int(entry) for entry in mask.nonzero()[0])
    return f"index {index if len(index) != 1 else index[0]}"


def _apart(mine: torch.Tensor, theirs: torch.Tensor, rtol: float, tolerance: float | None, atol: float) -> torch.Tensor:
    """Which entries differ by more than rounding. The scale is the entry's own size plus a tenth of the tensor's
    largest, since sums of large terms leave an absolute error; `atol` is what a tensor of zeros may hold. No finite number
    is near to inf."""
    finite = torch.isfinite(mine)
    gap = (mine - theirs).abs()
    largest = mine[finite].abs().max() if finite.any() else mine.new_zeros(())
    floor = atol if largest <= atol else 1e-12
    limit = tolerance if tolerance is not None else rtol * mine.abs() + 0.1 * rtol * largest + floor
    same = (finite & (gap <= limit)) | (mine == theirs) | (mine.isnan() & theirs.isnan())
    return ~same


def _first_difference(expected: torch.Tensor, got: torch.Tensor, apart: torch.Tensor, where: str) -> Mismatch | None:
    if not apart.any():
        return None
    if apart.ndim == 0:
        return Mismatch("values", f"{verb(where, 'is', 'are')} wrong", f": {show(got)}, not {show(expected)}")
    gap = torch.where(apart, (expected.double() - got.double()).abs(), -1.0) if expected.is_floating_point() else apart.int()
    worst = tuple(int(entry) for entry in np.unravel_index(int(gap.argmax()), gap.shape))
    return wrong_values(where, int(apart.sum()), apart.numel(), worst, got[worst].item(), expected[worst].item())
