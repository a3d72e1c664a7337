"""What a known mistake computes, and which one explains a wrong answer."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .compare import STAGES, Mismatch
from .difference import difference, outline_for

if TYPE_CHECKING:
    from .case import Case
    from .exercise import Exercise
    from .observation import Observation

__all__ = ["Fingerprint", "Trace", "recognise", "trace"]


@dataclass(frozen=True)
class Trace:
    """What is kept of a mistake in one case: the rung at which it falls, a checksum of what is said of it, and an outline of
    what it computes there."""

    stage: str
    said: int
    outline: Observation


@dataclass(frozen=True)
class Fingerprint:
    """What a known mistake computes: a trace for each case, None where it is right."""

    slug: str
    diagnosis: str
    next_step: str
    traces: Sequence[Trace | None]


def trace(exercise: Exercise, case: Case, expected: Observation, seen: Observation) -> Trace | None:
    """The trace that a mistake leaves in one case; None where it happens to be right."""
    fault = exercise.compare(expected, seen, case)
    outlined = outline_for(exercise.compare, seen, case)
    return Trace(fault.stage, _said(fault), outlined) if fault and outlined else None


def recognise(
    known: Sequence[Fingerprint],
    faults: Sequence[Mismatch | None],
    got: Sequence[Observation],
    cases: Sequence[Case],
    exercise: Exercise,
) -> Fingerprint | None:
    """The known mistake that explains these faults, of which there is at least one; None where there is no such mistake.

    float64 is compared as such first. Only where no mistake is found so, as nearly as float32: what works in float32 inside
    rounds differently on every machine.
    """
    outlines = [outline_for(exercise.compare, seen, case) for seen, case in zip(got, cases, strict=True)]

    def explains(as_float32: bool) -> Fingerprint | None:
        def same(entry: Trace, index: int) -> bool:
            theirs = outlines[index]
            return theirs is not None and not difference(
                entry.outline, theirs, cases[index], exercise.compare, as_float32=as_float32
            )

        return _explains(known, faults, same)

    return explains(as_float32=False) or explains(as_float32=True)


def _explains(
    known: Sequence[Fingerprint], faults: Sequence[Mismatch | None], same: Callable[[Trace, int], bool]
) -> Fingerprint | None:
    """The mistake that explains what was seen: the answer equals it wherever the mistake is wrong, the first failing
    case included, since that is the one the verdict shows.

    Among several, the one that fails in the same cases as the answer; else the one that explains most; else the one of which
    the same is said. Where none explains everything, two faults may have met: then the one mistake that the answer equals in
    the first failing case and in most of the mistake's own.
    """
    failing = {index for index, fault in enumerate(faults) if fault}
    first = min(failing)
    shown = faults[first]
    assert shown is not None
    found, partly = [], []
    for fingerprint in known:
        there = fingerprint.traces[first]
        if there is None or not same(there, first):
            continue
        if STAGES.index(there.stage) < STAGES.index(shown.stage):
            continue  # equal numbers, but the mistake falls at a rung that the answer has passed
        wrong = {index: entry for index, entry in enumerate(fingerprint.traces) if entry is not None}
        if wrong.keys() != failing and all(entry.outline.raised for entry in wrong.values()):
            continue  # one exception is much like another: a mistake that only raises must explain every failure
        equal = {index for index, entry in wrong.items() if same(entry, index)}
        if equal == wrong.keys() and equal <= failing:
            found.append(((equal == failing, len(equal), there.said == _said(shown)), fingerprint))
        elif len(equal) > len(wrong) / 2 and not there.outline.raised:
            partly.append((len(equal), fingerprint))
    if found:
        return max(found, key=lambda one: one[0])[1]
    most = max((count for count, _ in partly), default=0)
    likely = [fingerprint for count, fingerprint in partly if count == most]
    return likely[0] if len(likely) == 1 else None


def _said(fault: Mismatch) -> int:
    return zlib.crc32(f"{fault.what}{fault.detail}".encode())
