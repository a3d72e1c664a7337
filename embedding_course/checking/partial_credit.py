"""Criteria that can be met in part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

__all__ = ["balanced"]


def balanced(faults: Sequence[Any], expected: Sequence[Any], got: Sequence[Any]) -> float:
    """Return sensitivity + specificity - 1: the partial credit for a learner's own test (Youden's J, 1950).

    Each case is one stand-in; the expected observation's value says whether it is broken (True) or sound (False).
    A constant answer has 0 and a guess comes near it: what luck can reach, up to four standard deviations of a guesser's
    score, earns nothing.
    """
    right = {True: [0, 0], False: [0, 0]}
    for fault, case in zip(faults, expected, strict=True):
        tally = right[bool(case.value)]
        tally[0] += fault is None
        tally[1] += 1
    if not (right[True][1] and right[False][1]):
        raise ValueError("a test is graded on broken and on sound stand-ins; one kind is missing")
    score = right[True][0] / right[True][1] + right[False][0] / right[False][1] - 1
    return score if score > _luck(right[True][1], right[False][1]) else 0.0


def _luck(broken: int, sound: int) -> float:
    """Return four standard deviations of the score of random guesses, but at most 0.75.

    A test that is always right scores more.
    """
    return min(4 * math.sqrt(0.25 / broken + 0.25 / sound), 0.75)
