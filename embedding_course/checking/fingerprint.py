"""Fingerprints of the results of known mistakes, by which the mistake in a wrong answer is recognised."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..subject.tensors import torch
from .compare import STAGES, Mismatch
from .difference import difference, outline_for
from .observation import Observation
from .wire_data import NamedParts

if TYPE_CHECKING:
    from .case import Case
    from .exercise import Exercise
    from .trial import Trial

__all__ = ["Fingerprint", "Recognised", "Trace", "recognise", "trace"]


@dataclass(frozen=True)
class Trace:
    """What is kept of a mistake in one case.

    It holds the stage of the comparison at which the mistake fails, a checksum of its mismatch, and an outline of its result.
    """

    stage: str
    checksum: int
    outline: Observation


@dataclass(frozen=True)
class Fingerprint:
    """What a known mistake computes.

    Attributes
    ----------
    slug, diagnosis, next_step : str
        Its name, and what the catalogue says of it.
    traces : sequence of Trace or None
        A trace for each case, None where the mistake is right.
    removes : tuple of str
        The code that the next step asks to remove.
    """

    slug: str
    diagnosis: str
    next_step: str
    traces: Sequence[Trace | None]
    removes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recognised:
    """A known mistake that was found in an answer.

    Attributes
    ----------
    mistake : Fingerprint
    partly : bool
        True where the answer does not agree with the mistake in every case.
    second : Fingerprint or None
        Another known mistake in the same answer.
    together : bool
        True where the two explain every case only together; else `second` explains the cases that `mistake` does not.
    """

    mistake: Fingerprint
    partly: bool = False
    second: Fingerprint | None = None
    together: bool = False


def trace(exercise: Exercise, case: Case, expected: Observation, seen: Observation) -> Trace | None:
    """Return the trace that a mistake leaves in one case; None where it happens to be right.

    Parameters
    ----------
    exercise : Exercise
        The exercise whose comparison is used.
    case : Case
    expected, seen : Observation
        The right result of the case, and that of the mistake.
    """
    mismatch = exercise.compare(expected, seen, case)
    outlined = outline_for(exercise.compare, seen, case)
    return Trace(mismatch.stage, _checksum(mismatch), outlined) if mismatch and outlined else None


#: Too few values to tell mistakes apart.
_MIN_NUMBERS = 3
#: An answer may be right in one of so many cases in which the mistake that it holds is wrong: the two may differ in a corner.
_STRAY = 4
#: Is the outline of an answer in the case of this index that of the trace?
_Same = Callable[[Trace, int], bool]


@dataclass(frozen=True)
class _Candidate:
    """A mistake that the answer equals in the first failing case, with its trace there and all its traces by case."""

    mistake: Fingerprint
    first: Trace
    traces: dict[int, Trace]

    def equal_in(self, same: _Same, indices: Iterable[int]) -> set[int]:
        """Return those of the cases in which the answer equals the mistake."""
        return {index for index in indices if index in self.traces and same(self.traces[index], index)}


def recognise(known: Sequence[Fingerprint], trials: Sequence[Trial], exercise: Exercise, part: str = "") -> Recognised | None:
    """Return the known mistake that explains the trials that fail; None where there is no such mistake.

    float64 is compared as such first, and only where no mistake is found so, as nearly as float32: what works in float32 inside
    rounds differently on every machine. Then float32 and float64 count as the same type where both are right. Where none
    explains everything, two faults may have met, and a mistake is named that explains what is shown first.

    Parameters
    ----------
    known : sequence of Fingerprint
    trials : sequence of Trial
        At least one of them fails.
    exercise : Exercise
    part : str, optional
        What is wrong first in the first failing case, where a result has several parts.
    """
    comparer = _Comparer(exercise, trials)
    failing = {index for index, trial in enumerate(trials) if trial.mismatch}
    exactly, nearly = comparer.same(as_float32=False), comparer.same(as_float32=True)
    complete = _explains_all(_candidates(known, trials, exactly), trials, exactly)
    if complete:
        return Recognised(complete)
    candidates = list(_candidates(known, trials, nearly))
    complete = _explains_all(candidates, trials, nearly)
    if complete:
        return Recognised(complete)
    criterion = trials[min(failing)].case.criterion
    shown = {index for index, trial in enumerate(trials) if trial.case.criterion == criterion}
    candidates = [candidate for candidate in candidates if _may_be_part(candidate, failing)]
    likely = _explains_most(candidates, nearly) or _explains_shown(candidates, failing, nearly, shown)
    if part and not likely:
        in_part = comparer.same(as_float32=True, part=part)
        of_part = [candidate for candidate in _candidates(known, trials, in_part) if _may_be_part(candidate, failing)]
        likely = _explains_shown(of_part, failing, in_part, shown)
    return Recognised(likely, True, _explains_the_rest(likely, known, failing, nearly)) if likely else None


class _Comparer:
    """Compare traces of known mistakes with the results of an answer."""

    def __init__(self, exercise: Exercise, trials: Sequence[Trial]) -> None:
        self._exercise, self._trials = exercise, trials
        self._outlines = [outline_for(exercise.compare, trial.received, trial.case) for trial in trials]

    def same(self, *, as_float32: bool, part: str = "") -> _Same:
        """Return the function that says whether an answer computes what a trace holds, in all or in one part of the result."""

        def agree(trace: Trace, index: int) -> bool:
            mine, theirs = trace.outline, self._outlines[index]
            if part and theirs is not None:
                mine, theirs = _part(mine, part), _part(theirs, part)
            if mine is None or theirs is None:
                return False
            mismatch = self._trials[index].mismatch
            type_is_right = mismatch is not None and mismatch.stage == trace.stage == "values"
            return not difference(
                mine,
                theirs,
                self._trials[index].case,
                self._exercise.compare,
                as_float32=as_float32,
                any_float=as_float32 and type_is_right,
            )

        return agree


def _explains_the_rest(first: Fingerprint, known: Sequence[Fingerprint], failing: set[int], same: _Same) -> Fingerprint | None:
    """Return the only other mistake that the answer equals in every failing case in which it does not equal the first.

    There are two such cases at least, unless the mistake fails nowhere else.
    """
    rest = {index for index in failing if (trace := first.traces[index]) is None or not same(trace, index)}
    matches = []
    for other in known if rest else ():
        if other.slug == first.slug or any((trace := other.traces[index]) is None or not same(trace, index) for index in rest):
            continue
        wrong = {index: trace for index, trace in enumerate(other.traces) if trace is not None}
        raised = all(trace.outline.raised for trace in wrong.values())
        if not raised and wrong.keys() <= failing and (len(rest) > 1 or wrong.keys() == rest):
            matches.append((len(wrong), other))
    return _only_best(matches)


def _may_be_part(candidate: _Candidate, failing: set[int]) -> bool:
    """Return False if the answer is right in many cases in which the mistake fails."""
    return _STRAY * len(candidate.traces.keys() - failing) <= len(candidate.traces)


def _part(outline: Observation, name: str) -> Observation | None:
    """Return the outline of one part alone; None where it is no tensor, or has too few numbers."""
    value = outline.value
    if not isinstance(value, NamedParts) or not isinstance(value.get(name), torch.Tensor) or value[name].numel() < _MIN_NUMBERS:
        return None
    return Observation(NamedParts({key: value[key] for key in (name, f"{name}, its form") if key in value}))


def _explains_all(candidates: Iterable[_Candidate], trials: Sequence[Trial], same: _Same) -> Fingerprint | None:
    """Return the mistake that the answer equals wherever the mistake is wrong.

    Among several, the one that fails in the same cases as the answer; else the one that explains most; else the one with the
    same mismatch in the first failing case.
    """
    failing = {index for index, trial in enumerate(trials) if trial.mismatch}
    checksum = _checksum(trials[min(failing)].mismatch)
    matches = []
    for candidate in candidates:
        equal = candidate.equal_in(same, candidate.traces)
        if equal == candidate.traces.keys() and equal <= failing:
            matches.append(((equal == failing, len(equal), candidate.first.checksum == checksum), candidate.mistake))
    return max(matches, key=lambda ranked: ranked[0])[1] if matches else None


def _explains_most(candidates: Iterable[_Candidate], same: _Same) -> Fingerprint | None:
    """Return the only mistake that the answer equals in most of the mistake's own cases."""
    partly = []
    for candidate in candidates:
        equal = candidate.equal_in(same, candidate.traces)
        if len(equal) > len(candidate.traces) / 2 and not candidate.first.outline.raised:
            partly.append((len(equal), candidate.mistake))
    return _only_best(partly)


def _explains_shown(candidates: Iterable[_Candidate], failing: set[int], same: _Same, shown: set[int]) -> Fingerprint | None:
    """Return the only mistake that the answer equals wherever it fails in `shown`, the cases of the first failing criterion."""
    failing = failing & shown
    partly = []
    for candidate in candidates:
        equal = candidate.equal_in(same, failing)
        if equal == failing and candidate.traces.keys() & shown == failing and not candidate.first.outline.raised:
            partly.append((len(equal), candidate.mistake))
    return _only_best(partly)


def _candidates(known: Sequence[Fingerprint], trials: Sequence[Trial], same: _Same) -> Iterator[_Candidate]:
    """Yield the mistakes that the answer equals in the first failing case."""
    failing = {index for index, trial in enumerate(trials) if trial.mismatch}
    first = min(failing)
    shown = trials[first].mismatch
    assert shown is not None
    for mistake in known:
        there = mistake.traces[first]
        if there is None or not same(there, first):
            continue
        if STAGES.index(there.stage) < STAGES.index(shown.stage):
            continue  # equal numbers, but the mistake falls at a rung that the answer has passed
        traces = {index: trace for index, trace in enumerate(mistake.traces) if trace is not None}
        if traces.keys() != failing and all(trace.outline.raised for trace in traces.values()):
            continue  # exceptions resemble each other: a mistake that only raises must explain every failure
        yield _Candidate(mistake, there, traces)


def _only_best(partly: Sequence[tuple[int, Fingerprint]]) -> Fingerprint | None:
    """Return the mistake that explains most, where no other does as much."""
    most = max((count for count, _ in partly), default=0)
    likely = [mistake for count, mistake in partly if count == most]
    return likely[0] if len(likely) == 1 else None


def _checksum(mismatch: Mismatch | None) -> int:
    return zlib.crc32(repr(mismatch.message).encode()) if mismatch else 0
