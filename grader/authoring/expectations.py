"""Compute what is shipped for the public check: inputs, right results, fingerprints of known mistakes."""

from dataclasses import replace

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.expected import PUBLIC_SEED, Expectation
from embedding_course.checking.fingerprint import Fingerprint

from ..course_source.prepared import Prepared
from ..course_source.two_mistakes import pair_prints


def expectation(exercise: Exercise) -> Expectation:
    """The public expectation of one exercise."""
    ready = Prepared(exercise, PUBLIC_SEED)
    whole = (replace(entry, traces=tuple(entry.traces)) for entry in ready.fingerprints)
    kept = tuple(entry for entry in whole if any(entry.traces))
    pairs = pair_prints(exercise, ready.cases, ready.expected, ready.tried)
    return Expectation(ready.cases, ready.expected, _distinct(kept), pairs)


def _distinct(fingerprints: tuple[Fingerprint, ...]) -> tuple[Fingerprint, ...]:
    """Two mistakes that compute the same everywhere cannot be told apart: the first one keeps the name."""
    seen: dict[str, Fingerprint] = {}
    for entry in fingerprints:
        seen.setdefault(repr(entry.traces), entry)
    return tuple(seen.values())
