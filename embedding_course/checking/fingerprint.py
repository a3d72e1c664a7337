"""What a known mistake computes, and which one explains a wrong answer."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..subject.tensors import torch
from .compare import STAGES, Mismatch
from .difference import difference, outline_for
from .observation import Observation
from .wire_data import NamedParts

if TYPE_CHECKING:
    from .case import Case
    from .exercise import Exercise

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
    """What a known mistake computes: a trace for each case, None where it is right.

    `partly`: found in an answer that does not agree with it in every case. `second` is the diagnosis of another known mistake,
    with which that answer agrees in all the others.
    """

    slug: str
    diagnosis: str
    next_step: str
    traces: Sequence[Trace | None]
    partly: bool = False
    second: str = ""


def trace(exercise: Exercise, case: Case, expected: Observation, seen: Observation) -> Trace | None:
    """The trace that a mistake leaves in one case; None where it happens to be right."""
    fault = exercise.compare(expected, seen, case)
    outlined = outline_for(exercise.compare, seen, case)
    return Trace(fault.stage, _said(fault), outlined) if fault and outlined else None


#: Of fewer numbers many a mistake gives the same.
_TELLING = 3
#: An answer may be right in one of so many cases in which the mistake that it holds is wrong: the two may differ in a corner.
_STRAY = 4
_Same = Callable[[Trace, int], bool]
#: A mistake, its trace in the first failing case, and all its traces by case.
_Candidate = tuple[Fingerprint, Trace, dict[int, Trace]]


def recognise(
    known: Sequence[Fingerprint],
    faults: Sequence[Mismatch | None],
    got: Sequence[Observation],
    cases: Sequence[Case],
    exercise: Exercise,
    part: str = "",
) -> Fingerprint | None:
    """The known mistake that explains these faults, of which there is at least one; None where there is no such mistake.

    `part` is what is wrong first in the first failing case, where a result has several parts. float64 is compared as such
    first. Only where no mistake is found so, as nearly as float32: what works in float32 inside rounds differently on every
    machine; then float32 and float64 are one where both are right. Where none explains everything, two faults may have met, and
    one is named that explains what is shown first.
    """
    outlines = [outline_for(exercise.compare, seen, case) for seen, case in zip(got, cases, strict=True)]
    criterion = cases[next(index for index, fault in enumerate(faults) if fault)].criterion
    shown = {index for index, case in enumerate(cases) if case.criterion == criterion}

    def type_is_right(entry: Trace, index: int) -> bool:
        """Did the check find nothing wrong with the type of either?"""
        fault = faults[index]
        return fault is not None and fault.stage == entry.stage == "values"

    def same(as_float32: bool, part: str = "") -> _Same:
        def agree(entry: Trace, index: int) -> bool:
            mine, theirs = entry.outline, outlines[index]
            if part and theirs is not None:
                mine, theirs = _part(mine, part), _part(theirs, part)
            return (
                mine is not None
                and theirs is not None
                and not difference(
                    mine,
                    theirs,
                    cases[index],
                    exercise.compare,
                    as_float32=as_float32,
                    any_float=as_float32 and type_is_right(entry, index),
                )
            )

        return agree

    exactly, nearly = same(as_float32=False), same(as_float32=True)
    found = _explains(_equal_in_the_first(known, faults, exactly), faults, exactly)
    if found:
        return found
    equal = list(_equal_in_the_first(known, faults, nearly))
    found = _explains(equal, faults, nearly)
    if found:
        return found
    failing = {index for index, fault in enumerate(faults) if fault}
    equal = [one for one in equal if _is_in(one, failing)]
    likely = _explains_most(equal, nearly) or _explains_first(equal, failing, nearly, shown)
    if part and not likely:
        in_part = same(as_float32=True, part=part)
        of_part = [one for one in _equal_in_the_first(known, faults, in_part) if _is_in(one, failing)]
        likely = _explains_first(of_part, failing, in_part, shown)
    if likely is None:
        return None
    second = _explains_the_rest(likely, known, failing, nearly)
    return replace(likely, partly=True, second=second.diagnosis if second else "")


def _explains_the_rest(first: Fingerprint, known: Sequence[Fingerprint], failing: set[int], same: _Same) -> Fingerprint | None:
    """The one other mistake that the answer equals in every failing case in which it does not equal the first.

    There are two such cases at least, unless the mistake fails nowhere else.
    """
    rest = {index for index in failing if (entry := first.traces[index]) is None or not same(entry, index)}
    found = []
    for other in known if rest else ():
        if other.slug == first.slug or any((entry := other.traces[index]) is None or not same(entry, index) for index in rest):
            continue
        wrong = {index: entry for index, entry in enumerate(other.traces) if entry is not None}
        raised = all(entry.outline.raised for entry in wrong.values())
        if not raised and wrong.keys() <= failing and (len(rest) > 1 or wrong.keys() == rest):
            found.append((len(wrong), other))
    return _the_only_one(found)


def _is_in(candidate: _Candidate, failing: set[int]) -> bool:
    """Can a mistake be part of an answer? Hardly, where the answer is right in many a case in which the mistake is wrong."""
    _, _, wrong = candidate
    return _STRAY * len(wrong.keys() - failing) <= len(wrong)


def _part(outline: Observation, name: str) -> Observation | None:
    """The outline of one part alone; None where it is no tensor with some numbers, of which nothing could be told."""
    value = outline.value
    if not isinstance(value, NamedParts) or not isinstance(value.get(name), torch.Tensor) or value[name].numel() < _TELLING:
        return None
    return Observation(NamedParts({key: value[key] for key in (name, f"{name}, its form") if key in value}))


def _explains(equal_in_first: Iterable[_Candidate], faults: Sequence[Mismatch | None], same: _Same) -> Fingerprint | None:
    """The mistake that explains what was seen: the answer equals it wherever the mistake is wrong, the first failing
    case included, since that is the one the verdict shows.

    Among several, the one that fails in the same cases as the answer; else the one that explains most; else the one of which
    the same is said.
    """
    failing = {index for index, fault in enumerate(faults) if fault}
    found = []
    for fingerprint, there, wrong in equal_in_first:
        equal = {index for index, entry in wrong.items() if same(entry, index)}
        if equal == wrong.keys() and equal <= failing:
            found.append(((equal == failing, len(equal), there.said == _said(faults[min(failing)])), fingerprint))
    return max(found, key=lambda one: one[0])[1] if found else None


def _explains_most(equal_in_first: Iterable[_Candidate], same: _Same) -> Fingerprint | None:
    """The one mistake that the answer equals in the first failing case and in most of the mistake's own."""
    partly = []
    for fingerprint, there, wrong in equal_in_first:
        equal = {index for index, entry in wrong.items() if same(entry, index)}
        if len(equal) > len(wrong) / 2 and not there.outline.raised:
            partly.append((len(equal), fingerprint))
    return _the_only_one(partly)


def _explains_first(
    equal_in_first: Iterable[_Candidate], failing: set[int], same: _Same, shown: set[int]
) -> Fingerprint | None:
    """The one mistake that the answer equals wherever it fails among `shown`, the cases of the first failing criterion."""
    failing = failing & shown
    partly = []
    for fingerprint, there, wrong in equal_in_first:
        equal = {index for index in failing if index in wrong and same(wrong[index], index)}
        if equal == failing and wrong.keys() & shown == failing and not there.outline.raised:
            partly.append((len(equal), fingerprint))
    return _the_only_one(partly)


def _equal_in_the_first(known: Sequence[Fingerprint], faults: Sequence[Mismatch | None], same: _Same) -> Iterator[_Candidate]:
    """The mistakes that the answer equals in the first failing case: each with its trace there, and with all its traces."""
    failing = {index for index, fault in enumerate(faults) if fault}
    first = min(failing)
    shown = faults[first]
    assert shown is not None
    for fingerprint in known:
        there = fingerprint.traces[first]
        if there is None or not same(there, first):
            continue
        if STAGES.index(there.stage) < STAGES.index(shown.stage):
            continue  # equal numbers, but the mistake falls at a rung that the answer has passed
        wrong = {index: entry for index, entry in enumerate(fingerprint.traces) if entry is not None}
        if wrong.keys() != failing and all(entry.outline.raised for entry in wrong.values()):
            continue  # one exception is much like another: a mistake that only raises must explain every failure
        yield fingerprint, there, wrong


def _the_only_one(partly: Sequence[tuple[int, Fingerprint]]) -> Fingerprint | None:
    """The one that explains most, where no other does as much."""
    most = max((count for count, _ in partly), default=0)
    likely = [fingerprint for count, fingerprint in partly if count == most]
    return likely[0] if len(likely) == 1 else None


def _said(fault: Mismatch | None) -> int:
    return zlib.crc32(f"{fault.what}{fault.detail}".encode()) if fault else 0
