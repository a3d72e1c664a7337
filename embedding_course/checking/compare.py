"""Compare a result with the expected one, in stages: type, shape, dtype, finite, values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ..messages import Code, Listing, Message
from ..subject.tensors import TENSORS, torch
from .call_fault import modified_fault, raised_fault, refusal_fault
from .case import Case
from .compare_numpy import array_fault
from .mismatch import (
    RESULT,
    STAGES,
    Mismatch,
    missing_part,
    no_single_number,
    not_finite,
    wrong_dtype,
    wrong_length,
    wrong_shape,
    wrong_single_value,
    wrong_type,
    wrong_values,
)
from .observation import Observation
from .show import show
from .wire_data import NamedParts, dtype_name

__all__ = ["MADE_UP", "STAGES", "Comparison", "Mismatch", "part_named"]

#: Exceptions that comparing raises if the result lacks the parts of the expected type.
MADE_UP = (AttributeError, TypeError, KeyError, IndexError, ValueError, RuntimeError, ArithmeticError)


@dataclass(frozen=True)
class Comparison:
    """The usual comparison: the answer's result equals that of the reference within rounding.

    `dtype` says how strict to be with floating tensors: "same" as the reference, "floating" for float32 or float64, "any" for
    every numeric or bool type. `tolerances` gives single named parts an absolute tolerance of their own, for statistics of
    random draws. `rounding` does so for parts of which float32 leaves fewer digits, and which are otherwise exact. `rules`
    judges named parts by a function instead.
    """

    dtype: Literal["same", "floating", "any"] = "same"
    rtol: float = 1e-4
    rtol64: float = 1e-6
    atol: float = 1e-12
    tolerances: Mapping[str, float] = field(default_factory=dict)
    rounding: Mapping[str, float] = field(default_factory=dict)
    rules: Mapping[str, Callable[[Any, Any, Case], Mismatch | None]] = field(default_factory=dict)

    def seen(self, observation: Observation, case: Case) -> Observation:
        """Return the part of an observation that is judged and by which a known mistake is recognised: here, all of it."""
        return observation

    def __call__(self, expected: Observation, got: Observation, case: Case) -> Mismatch | None:
        """Compare what the answer did with what was expected in one case.

        Returns
        -------
        Mismatch or None
            What is wrong with the answer; None if it is right within rounding.
        """
        expected, got = self.seen(expected, case), self.seen(got, case)
        if expected.raised is not None:
            return refusal_fault(expected, got)
        if got.raised is not None:
            return raised_fault(got)
        fault = self._parts(expected.value, got.value, case)
        if fault is None and got.modified:
            return modified_fault(got)
        return fault

    def _parts(self, expected: Any, got: Any, case: Case) -> Mismatch | None:
        if not isinstance(expected, NamedParts):
            return self.leaf(expected, got, RESULT)
        for name, part in expected.items():
            theirs = got.get(name) if isinstance(got, dict) else None
            present = [other for other in expected if other in got] if isinstance(got, dict) else []
            if present and name not in got and name not in self.rules:
                return missing_part(part_named(name), Listing([part_named(other) for other in present]), part)
            if name in self.rules:
                fault = self.rules[name](part, theirs, case)
            else:
                fault = self.leaf(part, theirs, part_named(name), self._tolerance(name))
            if fault:
                return fault
        return None

    def _tolerance(self, name: str) -> float | None:
        return self.tolerances.get(name, self.rounding.get(name))

    def leaf(self, expected: Any, got: Any, where: Message, tolerance: float | None = None) -> Mismatch | None:
        """Compare one value; containers are compared entry by entry.

        Parameters
        ----------
        expected, got : Any
            The right value, and that of the answer.
        where : Message
            What the value is, for the sentence that says what is wrong.
        tolerance : float or None, optional
            Absolute tolerance of this value; without it that of the comparison holds.

        Returns
        -------
        Mismatch or None
            What is wrong; None if the value is right.
        """
        if isinstance(expected, torch.Tensor):
            return self._tensor(expected, got, where, tolerance)
        if isinstance(expected, np.ndarray):
            return self._array(expected, got, where, tolerance)
        if isinstance(expected, dict):
            return self._dict(expected, got, where)
        if isinstance(expected, list):
            return self._list(expected, got, where)
        return self._scalar(expected, got, where, tolerance)

    def _tensor(self, expected: torch.Tensor, got: Any, where: Message, tolerance: float | None) -> Mismatch | None:
        if not isinstance(got, torch.Tensor):
            return wrong_type(where, expected, got)
        if got.shape != expected.shape:
            return wrong_shape(where, expected.shape, got.shape)
        if not self._dtype_fits(expected.dtype, got.dtype):
            wanted, received = dtype_name(expected.dtype), dtype_name(got.dtype)
            return wrong_dtype(where, wanted, received, floating=self.dtype == "floating" and expected.is_floating_point())
        if expected.numel() == 0 or (expected.dtype == got.dtype and torch.equal(expected, got)):
            return None
        if not expected.is_floating_point() and not got.is_floating_point() and self.dtype != "any":
            return _first_difference(expected, got, expected != got, where)
        mine, theirs = expected.double(), got.double()
        bad = ~torch.isfinite(theirs) & torch.isfinite(mine)
        if bad.any():
            return not_finite(where, [int(index) for index in bad.nonzero()[0]])
        apart = _apart(mine, theirs, self._rtol(expected), tolerance, self.atol)
        return _first_difference(expected, got, apart, where)

    def _array(self, expected: np.ndarray, got: Any, where: Message, tolerance: float | None) -> Mismatch | None:
        if TENSORS:  # no exercise asks for one: two results of a learner are compared with each other
            same = isinstance(got, np.ndarray) and np.array_equal(expected, got)
            return None if same else Mismatch("values", Message("The value of {part} is another array.", part=where))
        return array_fault(self, expected, got, where, tolerance)

    def _rtol(self, expected: torch.Tensor) -> float:
        return self.rtol64 if expected.dtype == torch.float64 and self.dtype == "same" else self.rtol

    def _dtype_fits(self, expected: torch.dtype, got: torch.dtype) -> bool:
        if self.dtype == "any":
            return not got.is_complex
        if self.dtype == "floating" and expected.is_floating_point:
            return got in (torch.float32, torch.float64)
        return got == expected

    def _dict(self, expected: dict, got: Any, where: Message) -> Mismatch | None:
        if not isinstance(got, dict):
            return wrong_type(where, expected, got)
        missing = [key for key in expected if key not in got]
        extra = [key for key in got if key not in expected]
        if missing or extra:
            return _wrong_keys(where, missing, extra)
        for key, value in expected.items():
            fault = self.leaf(value, got[key], Message("entry {key} of {part}", key=repr(key), part=where))
            if fault:
                return replace(fault, hidden=Message("An entry of {part} is wrong.", part=where))
        return None

    def _list(self, expected: list, got: Any, where: Message) -> Mismatch | None:
        if not isinstance(got, list):
            return wrong_type(where, expected, got)
        for index, (mine, theirs) in enumerate(zip(expected, got, strict=False)):
            fault = self.leaf(mine, theirs, Message("entry {index} of {part}", index=index, part=where))
            if fault and fault.stage in ("type", "dtype"):
                return fault
            if fault and len(expected) == len(got):
                return fault
        if len(expected) != len(got):
            return wrong_length(where, len(expected), len(got))
        return None

    def _scalar(self, expected: Any, got: Any, where: Message, tolerance: float | None) -> Mismatch | None:
        if isinstance(got, torch.Tensor) or (isinstance(got, np.ndarray) and not TENSORS):
            if got.ndim:
                return no_single_number(where, got)
            got = got.item()
        if expected is None:
            return None if got is None else wrong_type(where, expected, got)
        if isinstance(expected, float) and type(got) is int:
            got = float(got)
        if type(got) is not type(expected):
            return wrong_type(where, expected, got)
        if isinstance(expected, float):
            if math.isfinite(expected) and not math.isfinite(got):
                return not_finite(where, ())
            limit = tolerance if tolerance is not None else self.rtol * max(abs(expected), 1e-6)
            near = math.isfinite(expected) and abs(expected - got) <= limit  # no finite number is near to inf
            if near or expected == got or (math.isnan(expected) and math.isnan(got)):
                return None
        elif expected == got:
            return None
        return wrong_single_value(where, expected, got)


def part_named(name: str) -> Message:
    """Return a noun phrase for a part of the right result, by the name that the exercise gave it.

    >>> str(part_named("gradient of weight")), str(part_named("weight afterwards")), str(part_named("ids"))
    ('the gradient of weight', 'the weight afterwards', 'the ids')
    """
    if name in _PARTS:
        return _PARTS[name]
    if name.startswith(_GRADIENT):
        return Message("the gradient of {name}", name=Code(name.removeprefix(_GRADIENT)))
    if name.endswith(_AFTERWARDS):
        return Message("the {name} afterwards", name=Code(name.removesuffix(_AFTERWARDS)))
    return Message("the {name}", name=Code(name))


_GRADIENT, _AFTERWARDS = "gradient of ", " afterwards"
_PARTS = {"result": Message("the result"), "gradient": Message("the gradient"), "loss": Message("the loss")}


def _wrong_keys(where: Message, missing: Sequence[Any], extra: Sequence[Any]) -> Mismatch:
    """Return the fault of a dict in which keys are missing, or too many."""
    if missing and extra:
        message = Message(
            "The keys of {part} are not the expected ones: {missing} missing, {extra} too many; {key} is missing."
        )
        hidden = Message("The keys of {part} are not the expected ones: some are missing and some are too many.", part=where)
    elif missing:
        message = Message("The keys of {part} are not the expected ones: {missing} missing, among them {key}.")
        hidden = Message("The keys of {part} are not the expected ones: some are missing.", part=where)
    else:
        message = Message("The keys of {part} are not the expected ones: {extra} too many, among them {key}.")
        hidden = Message("The keys of {part} are not the expected ones: some are too many.", part=where)
    key = show(missing[0] if missing else extra[0])
    return Mismatch("values", message.fill(part=where, missing=len(missing), extra=len(extra), key=key), hidden)


def _apart(mine: torch.Tensor, theirs: torch.Tensor, rtol: float, tolerance: float | None, atol: float) -> torch.Tensor:
    """Return which entries differ by more than rounding.

    The allowed difference grows with the entry's own size, and with a tenth of the tensor's largest entry, since sums of large
    terms leave an absolute error. `atol` is allowed in a tensor of zeros. No finite number is close to inf.
    """
    finite = torch.isfinite(mine)
    gap = (mine - theirs).abs()
    largest = mine[finite].abs().max() if finite.any() else mine.new_zeros(())
    floor = atol if largest <= atol else 1e-12
    limit = tolerance if tolerance is not None else rtol * mine.abs() + 0.1 * rtol * largest + floor
    same = (finite & (gap <= limit)) | (mine == theirs) | (mine.isnan() & theirs.isnan())
    return ~same


def _first_difference(expected: torch.Tensor, got: torch.Tensor, apart: torch.Tensor, where: Message) -> Mismatch | None:
    if not apart.any():
        return None
    if apart.ndim == 0:
        return wrong_single_value(where, expected, got)
    gap = torch.where(apart, (expected.double() - got.double()).abs(), -1.0) if expected.is_floating_point() else apart.int()
    worst = tuple(int(index) for index in np.unravel_index(int(gap.argmax()), gap.shape))
    return wrong_values(where, int(apart.sum()), apart.numel(), worst, expected[worst].item(), got[worst].item())
