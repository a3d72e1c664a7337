"""Is what a verdict says of an unknown wrong answer true? Tried on the known ones, as if nobody had catalogued them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from embedding_course.checking.compare import Mismatch
from embedding_course.checking.exercise import Exercise
from embedding_course.checking.next_step import received
from embedding_course.checking.observation import Observation
from embedding_course.checking.relations.explain import Relation, claims_of, pairs_that_differ, relation
from embedding_course.checking.relations.which_cases import mostly_of_the_kind

from ..course_source.catalogue import Mistake
from ..course_source.prepared import Prepared, prepared

__all__ = ["explained", "holds"]

#: What says no more than what happened in these cases.
_FACTS = ("modified", "only", "cases")


def explained(exercise: Exercise, mistake: Mistake, seed: int) -> Relation | None:
    """What a verdict would say of this mistake's results on these cases, did the catalogue not know it."""
    ready = prepared(exercise.id, seed)
    seen, faults = _tried(ready, mistake)
    if not any(faults):
        return None
    return relation(exercise, ready.cases, ready.expected, seen, faults, _given(ready))


def holds(exercise: Exercise, mistake: Mistake, said: Relation, seed: int) -> bool:
    """Does the same hold on other cases, or on most of them? A word that happens to be right at a second place makes no
    sentence a coincidence."""
    ready = prepared(exercise.id, seed)
    seen, faults = _tried(ready, mistake)
    if said.key[0] in _FACTS:
        return True
    if said.key[0] == "kind":
        return mostly_of_the_kind(said.key[1:], [fault is not None for fault in faults], _given(ready))
    _, differ = pairs_that_differ(exercise, ready.cases, ready.expected, seen, faults, _given(ready))
    pairs = list(differ)
    enough = max(1, (len(pairs) + 1) // 2)
    held = (pair for pair in pairs if said.key in claims_of(pair))
    return len(list(islice(held, enough))) == enough


def _tried(ready: Prepared, mistake: Mistake) -> tuple[list[Observation], list[Mismatch | None]]:
    seen = [ready.mistaken(mistake, index) for index in range(len(ready.cases))]
    pairs = zip(ready.expected, seen, ready.cases, strict=True)
    return seen, [ready.exercise.compare(right, other, case) for right, other, case in pairs]


def _given(ready: Prepared) -> Sequence[dict]:
    return [received(ready.exercise, case) for case in ready.cases]
