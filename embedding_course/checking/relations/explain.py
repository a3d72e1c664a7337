"""Describe the results of a wrong answer by the right ones, if a relation holds in every case that failed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...messages import Code, Count, Listing, Message
from ..compare import MADE_UP
from ..next_step import received_arguments
from .arrangement import another_order, another_shape, axes_exchanged, one_short, reversed_or_shifted
from .by_products import found_by_the_answer, of_the_call
from .carrier_words import LEAVE_ALONE
from .claim import ENOUGH, RIGHT, Claim, Pair, Rule
from .factors import plus_a_number, times_a_number, times_a_number_a_line
from .functions import function_of_each_entry, function_of_lines, reduced, softmax_over_another_axis
from .nearness import same
from .parts import WHOLE, first_wrong_part, pair_of, parts_of
from .plain_results import an_input, another_part, one_number, the_other_answer
from .positions import right_elsewhere
from .right_numbers import another_container, another_type, nearly_right
from .sequences import dict_arranged, list_arranged, lists_arranged, text_arranged
from .which_cases import all_but_one_part, all_but_some_cases, only_in_cases_of_a_kind

if TYPE_CHECKING:
    from ..exercise import Case, Exercise
    from ..trial import Trial


#: The rules, the simplest first; the first that holds is reported.
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
#: Rules that also apply to results with nan or inf.
_OF_SHAPE: tuple[Rule, ...] = (axes_exchanged, another_shape, reversed_or_shifted, one_short)
#: Rules that apply if the numbers are right.
_OF_RIGHT_NUMBERS: tuple[Rule, ...] = (another_container, another_type, nearly_right)
#: Rules that apply to True and False, for which differences and factors mean nothing.
_OF_BOOLEANS: tuple[Rule, ...] = (the_other_answer,)
#: A relation that was seen in one case only may be a coincidence.
_MIN_CASES = 2


@dataclass(frozen=True)
class Relation:
    """What holds between the results of an answer and the right ones.

    Attributes
    ----------
    key : tuple
        Equal for the same relation.
    says : Message
        One sentence.
    next_step : Message or None
        What to look at.
    aside : Message or None
        Numbers of the case that is shown: for public cases only.
    """

    key: tuple[Any, ...]
    says: Message
    next_step: Message | None = None
    aside: Message | None = None


def relation(exercise: Exercise, trials: Sequence[Trial]) -> Relation | None:
    """Return the simplest relation that holds wherever the answer is wrong, and not by coincidence.

    Looked at is the part of the result that is wrong first, in all cases in which it is wrong; at least half of the cases that
    fail, so that an answer that mostly raises is not explained by the rest.
    """
    given = [received_arguments(exercise, trial.case) for trial in trials]
    failing = [trial for trial in trials if trial.mismatch]
    changed = _changed_arguments(failing)
    if changed:
        ours = {name for arguments in given for name in arguments}  # a learner's process may call them anything
        names = [Code(f"`{name}`") for name in changed if name in ours]
        says = Message("The result is right, but the call changes {names}.")
        return Relation(
            ("modified", *changed), says.fill(names=Listing(names) if names else Message("an argument")), LEAVE_ALONE
        )
    part, relations = relations_that_hold(exercise, trials)
    best = next((candidate.claim for candidate in relations if candidate.evidence >= ENOUGH), None)
    if best:
        return _worded(best, part)
    return _only_a_part(exercise, failing) or _only_some_cases(trials) or _only_of_a_kind(trials, given)


def _only_a_part(exercise: Exercise, failing: Sequence[Trial]) -> Relation | None:
    seen = [parts_of(exercise, trial) for trial in failing]
    wrong = [[name for name, (_, _, is_wrong) in parts.items() if is_wrong] for parts in seen]
    part = all_but_one_part(wrong, [list(parts) for parts in seen])
    if part in ("", WHOLE) or not _another_result(exercise, part, seen, [trial.case for trial in failing]):
        return None
    return Relation(("only", part), Message("Everything is right but the {part}.", part=Code(part)))


def _another_result(
    exercise: Exercise, part: str, seen: Sequence[Mapping[str, tuple[Any, Any, bool]]], cases: Sequence[Case]
) -> bool:
    """Return True if anything else is right that the answer had to find. A function with one result has nothing else."""
    return of_the_call(exercise, part) or any(
        found_by_the_answer(exercise, name, right, case)
        for parts, case in zip(seen, cases, strict=True)
        for name, (right, _, _) in parts.items()
        if name != part
    )


def _only_some_cases(trials: Sequence[Trial]) -> Relation | None:
    names = all_but_some_cases([trial.mismatch for trial in trials], [trial.case.name for trial in trials])
    if not names:
        return None
    cases = Listing([Message("“{case}”", case=Message(name)) for name in names])
    says = Message("Right in {right} of {cases} cases; wrong only in {names}.", names=cases)
    return Relation(("cases", *names), says.fill(right=Count(len(trials) - len(names)), cases=Count(len(trials))))


def _only_of_a_kind(trials: Sequence[Trial], given: Sequence[Mapping[str, Any]]) -> Relation | None:
    finding = next(only_in_cases_of_a_kind([trial.mismatch is not None for trial in trials], given), None)
    return Relation(("kind", *finding[0][0]), finding[1]) if finding else None


def _changed_arguments(failing: Sequence[Trial]) -> tuple[str, ...]:
    """Return the arguments that are changed, where that is all that is ever wrong."""
    if not all(trial.mismatch and trial.mismatch.stage == "property" and trial.received.modified for trial in failing):
        return ()
    return tuple(sorted({name for trial in failing for name in trial.received.modified}))


@dataclass(frozen=True)
class Supported:
    """A relation that holds in all cases so far, in the words of the first one, with the evidence of all and its rules."""

    claim: Claim
    evidence: float
    rules: set[Rule]

    def and_in(self, case: Supported) -> Supported:
        """Return this relation with the evidence of one more case added."""
        return replace(self, evidence=self.evidence + case.evidence)


def relations_that_hold(exercise: Exercise, trials: Sequence[Trial]) -> tuple[str, list[Supported]]:
    """Return the part of the result that is wrong first, and all that holds of it, the simplest first, coincidences too."""
    failing = sum(trial.mismatch is not None for trial in trials)
    part, pairs = pairs_that_differ(exercise, trials)
    relations: list[Supported] = []
    looked_at = 0
    for pair in pairs:
        if looked_at == 0:
            relations = list(claims_of(pair).values())
        else:
            rules = {rule for candidate in relations for rule in candidate.rules}  # what no rule gave before cannot hold in all
            claims = claims_of(pair, rules)
            relations = [
                candidate.and_in(claims[candidate.claim.key]) for candidate in relations if candidate.claim.key in claims
            ]
        looked_at += 1
        if not relations:
            break
    return part, relations if looked_at >= max(_MIN_CASES, failing / 2) else []


def pairs_that_differ(exercise: Exercise, trials: Sequence[Trial]) -> tuple[str, Iterator[Pair]]:
    """Return the part of the result that is wrong first, and this part of each case in which it is wrong."""
    failing = [trial for trial in trials if trial.mismatch]
    part = first_wrong_part(exercise, failing[0]) if failing else ""
    pairs = (pair_of(exercise, trial, part) for trial in failing if part)
    return part, (pair for pair in pairs if pair is not None)  # None: it raised there, or another part is wrong


def _worded(claim: Claim, part: str) -> Relation:
    if part == WHOLE:
        names = {"Yours": Message("Your result"), "yours": Message("your result")}
    else:
        names = {"Yours": Message("Your value of “{part}”"), "yours": Message("your value of “{part}”")}
    names = {name: words.fill(part=Code(part)) for name, words in names.items()}
    says = claim.says.fill(**names, right=RIGHT, Right=Message("The right one"))
    return Relation(claim.key, says, claim.next_step, claim.aside)


def claims_of(pair: Pair, worth: Collection[Rule] | None = None) -> dict[tuple[Any, ...], Supported]:
    """Return the relations that hold for a pair by their keys, the simplest first; `worth` limits the rules."""
    claims: dict[tuple[Any, ...], Supported] = {}
    with np.errstate(all="ignore"):  # a logarithm of 0 is no reason to speak up: its result agrees with nothing
        for view in _views(pair):
            for rule in _rules(view):
                if worth is not None and rule not in worth:
                    continue
                try:
                    for claim in rule(view):
                        claims.setdefault(claim.key, Supported(claim, claim.evidence, set())).rules.add(rule)
                except MADE_UP:  # something that has not the form which the rule looks for
                    continue
    return claims


def _rules(pair: Pair) -> Sequence[Rule]:
    """Return the rules that are worth trying; for results with nan or inf, only those on shapes and positions."""
    if not pair.numbers:
        return _RULES
    if all(isinstance(value, bool) for value in pair.as_sent):
        return _OF_BOOLEANS
    if same(pair.right, pair.other):
        return _OF_RIGHT_NUMBERS
    finite = np.isfinite(pair.right).all() and np.isfinite(pair.other).all()
    return _RULES if finite else (*_OF_SHAPE, right_elsewhere)


def _views(pair: Pair) -> Iterator[Pair]:
    """Yield the pair itself, and two lists of whole numbers as arrays too."""
    yield pair
    if all(
        isinstance(value, list) and value and all(type(number) is int and abs(number) < 2**53 for number in value)
        for value in (pair.right, pair.other)
    ):
        right, other = (np.array(value, dtype=np.float64) for value in (pair.right, pair.other))
        yield Pair(right, other, pair.given)
