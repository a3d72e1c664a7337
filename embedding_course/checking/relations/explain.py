"""Say of a wrong answer what its results are of the right ones, where that holds in every case that failed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compare import MADE_UP, Mismatch
from ..grammar import agreeing, verb
from .all_but import all_but_one_part, all_but_some_cases
from .arrangement import another_order, another_shape, axes_exchanged, one_short, reversed_or_shifted
from .by_products import found_by_the_answer, of_the_call
from .claim import ENOUGH, Claim, Pair, Rule
from .functions import function_of_each_entry, function_of_lines, reduced, softmax_over_another_axis
from .in_words import LEAVE_ALONE
from .nearness import same
from .parts import WHOLE, first_wrong_part, pair_of, parts_of
from .places import right_elsewhere
from .plain_results import an_input, another_part, one_number, the_other_answer
from .right_numbers import another_container, another_type, nearly_right
from .sequences import dict_arranged, list_arranged, lists_arranged, text_arranged
from .times import plus_a_number, times_a_number, times_a_number_a_line
from .which_cases import only_in_cases_of_a_kind

if TYPE_CHECKING:
    from ..exercise import Case, Exercise
    from ..observation import Observation

__all__ = ["Held", "Relation", "claims_of", "pairs_that_differ", "relation", "relations_that_hold"]

#: The simplest first: of all that hold, the first is said.
_RULES: tuple[Rule, ...] = (
    one_number,
    an_input,
    another_part,
    times_a_number,
    plus_a_number,
    axes_exchanged,
    another_shape,
    reversed_or_shifted,
    one_short,
    list_arranged,
    lists_arranged,
    text_arranged,
    dict_arranged,
    reduced,
    function_of_each_entry,
    function_of_lines,
    softmax_over_another_axis,
    times_a_number_a_line,
    another_order,
    right_elsewhere,
)
#: What can be said where there is nan or inf too.
_OF_SHAPE: tuple[Rule, ...] = (axes_exchanged, another_shape, reversed_or_shifted, one_short)
#: What can be said where the numbers are right.
_OF_RIGHT_NUMBERS: tuple[Rule, ...] = (another_container, another_type, nearly_right)
#: What can be said of True and False: that one is the other plus 1 helps nobody.
_OF_YES_AND_NO: tuple[Rule, ...] = (the_other_answer,)
#: A relation that was seen in one case only may be a coincidence.
_FEWEST = 2


@dataclass(frozen=True)
class Relation:
    """What holds: a sentence, and perhaps what to look at. `key` is the same for the same relation."""

    key: tuple[Any, ...]
    says: str
    next_step: str


def relation(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    faults: Sequence[Mismatch | None],
    given: Sequence[Mapping[str, Any]],
    *,
    hidden: bool = False,
) -> Relation | None:
    """The simplest relation that holds between result and right result wherever the answer is wrong, and not by coincidence.

    Looked at is the part of the result that is wrong first, in all cases in which it is wrong; at least half of the cases that
    fail, so that an answer that mostly raises is not explained by the rest. `given` is what the answer received in each case.
    Of hidden cases no number is said.
    """
    changed = _changed_arguments(faults, got)
    if changed:
        ours = {name for one in given for name in one}  # what a learner's process calls them may be anything
        named = " and ".join(f"`{name}`" for name in changed if name in ours) or "an argument"
        return Relation(("modified", *changed), f"The result is right, but the call changes {named}.", LEAVE_ALONE)
    part, held = relations_that_hold(exercise, cases, expected, got, faults, given)
    best = next((one.claim for one in held if one.evidence >= ENOUGH), None)
    if best:
        return _said(best, part, hidden)
    part_alone = _only_a_part(exercise, cases, expected, got, faults)
    return part_alone or _only_some_cases(cases, faults) or _only_of_a_kind(faults, given)


def _only_a_part(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    faults: Sequence[Mismatch | None],
) -> Relation | None:
    failing = [index for index, fault in enumerate(faults) if fault]
    seen = [parts_of(exercise, cases[index], expected[index], got[index]) for index in failing]
    wrong = [[name for name, (_, _, is_wrong) in parts.items() if is_wrong] for parts in seen]
    part = all_but_one_part(wrong, [list(parts) for parts in seen])
    if part in ("", WHOLE) or not _another_result(part, seen, [cases[index] for index in failing]):
        return None
    return Relation(("only", part), f"Everything else is right: only {verb(f'the {part}', 'is', 'are')} not.", "")


def _another_result(part: str, seen: Sequence[Mapping[str, tuple[Any, Any, bool]]], cases: Sequence[Case]) -> bool:
    """Is anything else right that the answer had to find? A function with one result has nothing else to get right."""
    return of_the_call(part) or any(
        found_by_the_answer(name, right, case)
        for parts, case in zip(seen, cases, strict=True)
        for name, (right, _, _) in parts.items()
        if name != part
    )


def _only_some_cases(cases: Sequence[Case], faults: Sequence[Mismatch | None]) -> Relation | None:
    names = all_but_some_cases(faults, [case.name for case in cases])
    if not names:
        return None
    which = " and ".join(f"“{name}”" for name in names)
    others = len(cases) - len(names)
    says = f"Right in {others} of {len(cases)} cases: only {which} {'fail' if len(names) > 1 else 'fails'}."
    return Relation(("cases", *names), says, "")


def _only_of_a_kind(faults: Sequence[Mismatch | None], given: Sequence[Mapping[str, Any]]) -> Relation | None:
    found = next(only_in_cases_of_a_kind([fault is not None for fault in faults], given), None)
    return Relation(("kind", *found[0][0]), found[1], "") if found else None


def _changed_arguments(faults: Sequence[Mismatch | None], got: Sequence[Observation]) -> tuple[str, ...]:
    """The arguments that are changed, where that is all that is ever wrong."""
    failing = [(fault, seen) for fault, seen in zip(faults, got, strict=True) if fault]
    if not all(fault.stage == "property" and seen.modified for fault, seen in failing):
        return ()
    return tuple(sorted({name for _, seen in failing for name in seen.modified}))


@dataclass(frozen=True)
class Held:
    """A relation that holds in all cases looked at, as it is said of the first; with the evidence of all and its rules."""

    claim: Claim
    evidence: float
    rules: set[Rule]

    def and_in(self, case: Held) -> Held:
        """The same, seen in one more case."""
        return replace(self, evidence=self.evidence + case.evidence)


def relations_that_hold(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    faults: Sequence[Mismatch | None],
    given: Sequence[Mapping[str, Any]],
) -> tuple[str, list[Held]]:
    """The part of the result that is wrong first, and all that holds of it, the simplest first, coincidences too."""
    failing = sum(fault is not None for fault in faults)
    part, pairs = pairs_that_differ(exercise, cases, expected, got, faults, given)
    held: list[Held] = []
    looked_at = 0
    for pair in pairs:
        if looked_at == 0:
            held = list(claims_of(pair).values())
        else:
            found = claims_of(pair, {rule for one in held for rule in one.rules})  # what no rule gave before cannot hold in all
            held = [one.and_in(found[one.claim.key]) for one in held if one.claim.key in found]
        looked_at += 1
        if not held:
            break
    return part, held if looked_at >= max(_FEWEST, failing / 2) else []


def pairs_that_differ(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    faults: Sequence[Mismatch | None],
    given: Sequence[Mapping[str, Any]],
) -> tuple[str, Iterator[Pair]]:
    """The part of the result that is wrong first, and this part of each case in which it is wrong."""
    failing = [index for index, fault in enumerate(faults) if fault]
    part = first_wrong_part(exercise, cases[failing[0]], expected[failing[0]], got[failing[0]]) if failing else ""
    pairs = (pair_of(exercise, cases[index], expected[index], got[index], part, given[index]) for index in failing if part)
    return part, (pair for pair in pairs if pair is not None)  # None: it raised there, or another part is wrong


def _said(claim: Claim, part: str, hidden: bool) -> Relation:
    yours, right = "your result" if part == WHOLE else f"your {part}", "the right one"
    text = agreeing(yours, claim.says.format(yours=yours, right=right))
    aside = f" ({claim.aside})" if claim.aside and not hidden else ""
    return Relation(claim.key, f"{text[0].upper()}{text[1:]}{aside}.", claim.next_step)


def claims_of(pair: Pair, worth: Collection[Rule] | None = None) -> dict[tuple[Any, ...], Held]:
    """All that holds of a pair, by its key, the simplest first; of some rules only, where those are said."""
    found: dict[tuple[Any, ...], Held] = {}
    with np.errstate(all="ignore"):  # a logarithm of 0 is no reason to speak up: its result agrees with nothing
        for view in _views(pair):
            for rule in _rules(view):
                if worth is not None and rule not in worth:
                    continue
                try:
                    for claim in rule(view):
                        found.setdefault(claim.key, Held(claim, claim.evidence, set())).rules.add(rule)
                except MADE_UP:  # something that has not the form which the rule looks for
                    continue
    return found


def _rules(pair: Pair) -> Sequence[Rule]:
    """Those that are worth trying: of nan and inf only the position can be said."""
    if not pair.numbers:
        return _RULES
    if all(isinstance(one, bool) for one in pair.as_sent):
        return _OF_YES_AND_NO
    if same(pair.right, pair.other):
        return _OF_RIGHT_NUMBERS
    finite = np.isfinite(pair.right).all() and np.isfinite(pair.other).all()
    return _RULES if finite else (*_OF_SHAPE, right_elsewhere)


def _views(pair: Pair) -> Iterator[Pair]:
    """The pair itself, and two lists of whole numbers as arrays too."""
    yield pair
    if all(
        isinstance(one, list) and one and all(type(entry) is int and abs(entry) < 2**53 for entry in one)
        for one in (pair.right, pair.other)
    ):
        right, other = (np.array(one, dtype=np.float64) for one in (pair.right, pair.other))
        yield Pair(right, other, pair.given)
