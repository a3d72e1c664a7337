"""What a known mistake computes, and which one explains a wrong answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .compare import STAGES, Comparison, Mismatch
from .difference import difference

if TYPE_CHECKING:
    from .case import Case
    from .exercise import Exercise
    from .observation import Observation

__all__ = ["Fingerprint", "recognise"]


@dataclass(frozen=True)
class Fingerprint:
    """What a known mistake computes: an observation for each case, None where it is right."""

    slug: str
    diagnosis: str
    next_step: str
    observations: Sequence[Observation | None]


def recognise(
    known: Sequence[Fingerprint],
    faults: Sequence[Mismatch | None],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    cases: Sequence[Case],
    exercise: Exercise,
) -> Fingerprint | None:
    """The known mistake that explains these faults, of which there is at least one; None where there is no such mistake.

    float64 is compared as such first. Only where no mistake is found so, as nearly as float32: what works in float32 inside
    rounds differently on every machine.
    """
    seen = (known, faults, expected, got, cases, exercise)
    return _explains(*seen, as_float32=False) or _explains(*seen, as_float32=True)


def _explains(
    known: Sequence[Fingerprint],
    faults: Sequence[Mismatch | None],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    cases: Sequence[Case],
    exercise: Exercise,
    as_float32: bool,
) -> Fingerprint | None:
    """The mistake that explains what was seen: the answer equals it wherever the mistake is wrong, the first failing
    case included, since that is the one the verdict shows.

    Among several, the one that fails in the same cases as the answer; else the one that explains most; else the one of which
    the same is said. Where none explains everything, two faults may have met: then the one mistake that the answer equals in
    the first failing case and in most of the mistake's own.
    """
    failing = {index for index, fault in enumerate(faults) if fault}
    compare = exercise.compare if isinstance(exercise.compare, Comparison) else None
    first = min(failing)
    found, partly = [], []
    for fingerprint in known:
        shown = fingerprint.observations[first]
        if shown is None or difference(shown, got[first], cases[first], compare, as_float32=as_float32):
            continue
        fault = exercise.compare(expected[first], shown, cases[first])
        if _rung(fault) < _rung(faults[first]):
            continue  # equal numbers, but the mistake falls at a rung that the answer has passed
        wrong = {index: entry for index, entry in enumerate(fingerprint.observations) if entry is not None}
        if wrong.keys() != failing and all(entry.raised for entry in wrong.values()):
            continue  # one exception is much like another: a mistake that only raises must explain every failure
        equal = {
            index
            for index, entry in wrong.items()
            if not difference(entry, got[index], cases[index], compare, as_float32=as_float32)
        }
        if equal == wrong.keys() and equal <= failing:
            found.append(((equal == failing, len(equal), fault == faults[first]), fingerprint))
        elif len(equal) > len(wrong) / 2 and not shown.raised:
            partly.append((len(equal), fingerprint))
    if found:
        return max(found, key=lambda one: one[0])[1]
    most = max((count for count, _ in partly), default=0)
    likely = [fingerprint for count, fingerprint in partly if count == most]
    return likely[0] if len(likely) == 1 else None


def _rung(fault: Mismatch | None) -> int:
    assert fault is not None, "only faults are ranked"
    return STAGES.index(fault.stage)
