"""Compute what is shipped for the public check: inputs, right results, fingerprints of known mistakes."""

from __future__ import annotations

from embedding_course.checking.expected import PUBLIC_SEED, Expectation
from embedding_course.checking.fingerprint import Fingerprint
from embedding_course.exercises import exercises_of

from ..course_source.prepared import Prepared

__all__ = ["expectations"]


def expectations(topic: str) -> dict[str, Expectation]:
    """The public expectations of one notebook by exercise id."""
    found = {}
    for exercise in exercises_of(topic):
        ready = Prepared(exercise, PUBLIC_SEED)
        kept = tuple(entry for entry in ready.fingerprints if any(entry.observations))
        found[exercise.id] = Expectation(ready.cases, ready.expected, _distinct(kept))
    return found


def _distinct(fingerprints: tuple[Fingerprint, ...]) -> tuple[Fingerprint, ...]:
    """Two mistakes that compute the same everywhere cannot be told apart: the first one keeps the name."""
    seen: dict[str, Fingerprint] = {}
    for entry in fingerprints:
        seen.setdefault(repr(entry.observations), entry)
    return tuple(seen.values())
