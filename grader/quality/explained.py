"""Test whether verdicts on unknown wrong answers are true, with known mistakes as if nobody had catalogued them."""

from __future__ import annotations

from itertools import islice

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.next_step import received_arguments
from embedding_course.checking.relations.explain import Relation, claims_of, pairs_that_differ, relation
from embedding_course.checking.relations.which_cases import mostly_of_the_kind
from embedding_course.checking.trial import Trial, trials_of

from ..course_source.catalogue import Mistake
from ..course_source.prepared import Prepared, prepared

__all__ = ["explained", "holds"]

#: What says no more than what happened in these cases.
_FACTS = ("modified", "only", "cases")


def explained(exercise: Exercise, mistake: Mistake, seed: int) -> Relation | None:
    """Return what a verdict would say of this mistake's results if the catalogue did not know it.

    Parameters
    ----------
    exercise : Exercise
    mistake : Mistake
    seed : int
        Seed of the hidden cases.
    """
    trials = _trials(prepared(exercise.id, seed), mistake)
    return relation(exercise, trials) if any(trial.mismatch for trial in trials) else None


def holds(exercise: Exercise, mistake: Mistake, relation: Relation, seed: int) -> bool:
    """Return True if a relation holds on these cases, or on most of them.

    A word that happens to be right at a second position makes no sentence a coincidence.

    Parameters
    ----------
    exercise : Exercise
    mistake : Mistake
    relation : Relation
        The explanation of the mistake's results on other cases.
    seed : int
        Seed of the cases on which it is tested.
    """
    trials = _trials(prepared(exercise.id, seed), mistake)
    if relation.key[0] in _FACTS:
        return True
    if relation.key[0] == "kind":
        given = [received_arguments(exercise, trial.case) for trial in trials]
        return mostly_of_the_kind(relation.key[1:], [trial.mismatch is not None for trial in trials], given)
    _, differ = pairs_that_differ(exercise, trials)
    pairs = list(differ)
    enough = max(1, (len(pairs) + 1) // 2)
    explained_pairs = (pair for pair in pairs if relation.key in claims_of(pair))
    return len(list(islice(explained_pairs, enough))) == enough


def _trials(ready: Prepared, mistake: Mistake) -> list[Trial]:
    seen = [ready.mistaken(mistake, index) for index in range(len(ready.cases))]
    return trials_of(ready.exercise, ready.cases, ready.expected, seen)
