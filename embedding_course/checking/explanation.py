"""Why an answer is wrong: the known mistake, the slip in its text, the relation between its results and the right ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .carried import array_of, is_one
from .compare import Mismatch
from .discreet import stands_in_the_course
from .fingerprint import Fingerprint, recognise
from .next_step import arguments_of, received
from .relations.by_products import of_the_call
from .relations.explain import relation
from .relations.parts import first_wrong_part, parts_of
from .relations.unchanged import unchanged_argument
from .source.look import first_slip, sure_slip
from .source.not_finite import causes_of_nan
from .source.raised import why_it_raised
from .two_mistakes import PairPrints, recognise_two

if TYPE_CHECKING:
    from .exercise import Case, Exercise
    from .observation import Observation
    from .source.written import Written

__all__ = ["NOT_ALL", "Explanation", "explain"]

#: Said of a mistake with which the answer agrees in the case that is shown, and not in all others.
NOT_ALL = "There may be more: check again when it is mended."
#: Relations that can be said of a result whose type is wrong.
_OF_TYPES = ("container", "type", "rounding")


@dataclass(frozen=True)
class Explanation:
    """What is wrong, in sentences, and what to do.

    `mistake` is the name of the known mistake, if it is one. `complete` means that it accounts for all that is wrong.
    """

    says: str
    next_step: str = ""
    mistake: str | None = None
    complete: bool = True


def explain(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    faults: Sequence[Mismatch | None],
    mistakes: Sequence[Fingerprint],
    written: Written | None,
    pairs: Callable[[], PairPrints | None],
    *,
    hidden: bool,
) -> Explanation | None:
    """The likeliest explanation of an answer that is wrong in at least one case; None where nothing is known.

    The order: nan and inf; what the text shows to be a cause; an argument that should have changed; a known mistake, or two of
    them; other slips and relations.
    """
    first = next(index for index, fault in enumerate(faults) if fault)
    found = _without_nan(exercise, cases, expected, got, faults, mistakes, written, pairs, first, hidden)
    broken = _not_finite(expected[first], got[first])
    if not broken:
        return found
    says = f"Your result holds {broken} in this case."
    cause = causes_of_nan(written) if written and not (found and found.mistake) else None
    if cause:
        return Explanation(f"{says} {cause.says}", cause.next_step)
    if found is None:
        return Explanation(says, complete=False)
    return replace(found, says=f"{says} {found.says}")


def _without_nan(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    faults: Sequence[Mismatch | None],
    mistakes: Sequence[Fingerprint],
    written: Written | None,
    pairs: Callable[[], PairPrints | None],
    first: int,
    hidden: bool,
) -> Explanation | None:
    fault = faults[first]
    assert fault is not None
    given = [received(exercise, case) for case in cases]
    raised = got[first].raised
    sure = why_it_raised(exercise, raised, written, given[first], hidden=hidden) if raised else None
    if written and (sure is None or not sure.instead):
        sure = sure_slip(written, given[first], _words_passed(exercise, cases, hidden)) or sure
    part = first_wrong_part(exercise, cases[first], expected[first], got[first])
    known = recognise(mistakes, faults, got, cases, exercise, part) if mistakes else None
    explains_all = known is not None and not known.partly
    if sure and sure.kind == "attribute" and explains_all:  # a list where a tensor belongs, say: the name itself is right
        sure = None
    if sure and (sure.instead or (sure.first and raised and not explains_all)):
        return Explanation(sure.says, sure.next_step)
    if sure and sure.kind == "raised":
        sure = replace(sure, next_step=f"{sure.next_step} {arguments_of(exercise, cases[first].name if hidden else first + 1)}")
    prints = pairs() if mistakes and not explains_all else None
    if prints:
        known = recognise_two(prints, mistakes, faults, got, cases, exercise) or known
    unchanged = unchanged_argument(exercise, cases[first], expected[first], got[first])
    if unchanged and (not known or known.partly):
        return Explanation(unchanged.says, unchanged.next_step)
    if known:
        sure = sure if sure and sure.first else None  # what an exception means in general, a known mistake says better
        says = f"{sure.says} {known.diagnosis}" if sure else known.diagnosis
        if known.second:
            says = f"{says} A second mistake shows in other cases: {known.second}"
        elif known.partly:
            says = f"{says} {_other_part(exercise, cases[first], expected[first], got[first], part) or NOT_ALL}"
        return Explanation(says, sure.next_step if sure else known.next_step, known.slug, not known.partly)
    if sure and sure.first:
        return Explanation(sure.says, sure.next_step)
    slip = first_slip(written, given[first], draws=exercise.draws, raised=raised is not None) if written else None
    if sure and not slip:
        return Explanation(sure.says, sure.next_step, complete=False)
    related = relation(exercise, cases, expected, got, faults, given, hidden=hidden)
    if fault.stage in ("type", "dtype"):  # the case that is shown fails by its type, whatever else is wrong
        related = related if related and related.key[0] in _OF_TYPES else None
        if slip:
            return Explanation(f"Besides the wrong type: {slip.says}", "", complete=False)
    says = [cause.says for cause in (slip, related) if cause]
    step = next((cause.next_step for cause in (slip, related) if cause and cause.next_step), "")
    return Explanation(" ".join(says), step) if says else None


def _words_passed(exercise: Exercise, cases: Sequence[Case], hidden: bool) -> Mapping[str, set[str]]:
    """The words that each argument may be; of hidden cases only those that the course itself names."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases:
        for name, value in _texts({**case.args, **case.options}):
            found[name].add(value)
    if not hidden:
        return found
    own = exercise.lesson.topic
    return {name: words for name, words in found.items() if all(stands_in_the_course(word, own) for word in words)}


def _texts(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, entry in value.items():
        if isinstance(entry, str):
            yield name, entry
        elif isinstance(entry, dict) and all(isinstance(key, str) for key in entry):
            yield from _texts(entry)


def _other_part(exercise: Exercise, case: Case, expected: Observation, got: Observation, part: str) -> str:
    """What is wrong in the case that is shown beside the part that the verdict speaks of."""
    parts = parts_of(exercise, case, expected, got)
    wrong = [name for name, (_, _, is_wrong) in parts.items() if is_wrong and name != part and not of_the_call(name)]
    return f"Besides, the {wrong[0]} {'are' if re.search('[^s]s$', wrong[0]) else 'is'} wrong too." if wrong else ""


def _not_finite(expected: Observation, got: Observation) -> str:
    """ "nan" or "inf", where a result holds it and the right one does not; else nothing."""
    if got.raised or expected.raised:
        return ""
    mine, theirs = set(_odd(expected.value)), set(_odd(got.value))
    return next((name for name in ("nan", "inf") if name in theirs and name not in mine), "")


def _odd(value: Any) -> Iterator[str]:
    if is_one(value):
        array = array_of(value)
        if array.dtype.kind == "f":
            yield from ["nan"] * bool(np.isnan(array).any()) + ["inf"] * bool(np.isinf(array).any())
    elif isinstance(value, float):
        yield from ["nan"] * (value != value) + ["inf"] * (abs(value) == float("inf"))
    elif isinstance(value, (dict, list)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _odd(entry)
