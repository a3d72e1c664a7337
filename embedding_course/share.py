"""Criteria that are earned by degrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["balanced"]


def balanced(faults: Sequence[Any], expected: Sequence[Any], got: Sequence[Any]) -> float:
    """Sensitivity + specificity - 1, floored at 0: the share earned by a learner's own test.

    Each case is one stand-in; the expected observation's value says whether it is broken (True) or sound (False).
    A constant answer or a guess earns nothing (Youden's J, 1950).
    """
    right = {True: [0, 0], False: [0, 0]}
    for fault, case in zip(faults, expected, strict=True):
        tally = right[bool(case.value)]
        tally[0] += fault is None
        tally[1] += 1
    if not (right[True][1] and right[False][1]):
        raise ValueError("a test is graded on broken and on sound stand-ins; one kind is missing")
    return max(0.0, right[True][0] / right[True][1] + right[False][0] / right[False][1] - 1)
