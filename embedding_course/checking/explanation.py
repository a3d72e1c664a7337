"""Explain why an answer is wrong; possible explanations are tried in a fixed order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..messages import Code, Message
from .carried import array_of, is_one
from .expected import PUBLIC_SEED
from .fingerprint import Fingerprint, Recognised, recognise
from .next_step import arguments_of, received_arguments
from .random_inputs import RandomInputs
from .relations.by_products import of_the_call
from .relations.explain import relation
from .relations.parts import first_wrong_part, parts_of
from .relations.unchanged import unchanged_argument
from .score import first_failing
from .source.find_slip import first_slip, sure_slip
from .source.not_finite import causes_of_nan
from .source.raised import why_it_raised
from .source.slip import Slip
from .source.suspects import in_place_of
from .two_mistakes import PairPrints, recognise_two

if TYPE_CHECKING:
    from .exercise import Exercise
    from .source.answer_tree import Written
    from .trial import Trial

__all__ = ["NOT_ALL", "Evidence", "Explanation", "explain"]

#: Said of a mistake with which the answer agrees in the case that is shown, and not in all others.
NOT_ALL = Message("There may be more: check again when this is fixed.")
#: Relations that apply to a result of the wrong type.
_OF_TYPES = ("container", "type", "rounding")


@dataclass(frozen=True)
class Explanation:
    """What is wrong, in sentences, and what to do.

    Attributes
    ----------
    says, next_step : list of Message
    mistake : str or None
        The name of the known mistake, if it is one.
    complete : bool
        True if it accounts for all that is wrong.
    """

    says: list[Message]
    next_step: list[Message]
    mistake: str | None = None
    complete: bool = True


@dataclass(frozen=True)
class Evidence:
    """All that is known about an answer that is wrong in at least one case. Costly parts are computed on first use."""

    exercise: Exercise
    trials: Sequence[Trial]
    mistakes: Sequence[Fingerprint]
    written: Written | None
    pairs: Callable[[], PairPrints | None]
    hidden: bool

    @cached_property
    def first(self) -> Trial:
        """Return the first case that fails, which is the one that a verdict shows."""
        first = first_failing(self.trials)
        assert first is not None
        return first

    @cached_property
    def given(self) -> Mapping[str, Any]:
        """Return what the answer receives in the first case that fails."""
        return received_arguments(self.exercise, self.first.case)

    @cached_property
    def part(self) -> str:
        """Return the first part of the result that is wrong in that case."""
        return first_wrong_part(self.exercise, self.first)

    @cached_property
    def alone(self) -> Recognised | None:
        """Return the known mistake that explains the answer by itself, or None."""
        return recognise(self.mistakes, self.trials, self.exercise, self.part) if self.mistakes else None

    @property
    def explained_by_one(self) -> bool:
        """Return True if a known mistake explains every case by itself."""
        return self.alone is not None and not self.alone.partly

    @cached_property
    def known(self) -> Recognised | None:
        """Return the known mistake, or the two known mistakes, that explain the answer; None if there are none."""
        prints = self.pairs() if self.mistakes and not self.explained_by_one else None
        both = recognise_two(prints, self.mistakes, self.trials, self.exercise) if prints else None
        return both or self.alone

    @cached_property
    def slip(self) -> Slip | None:
        """Return the cause that the code of the answer or the exception shows, or None."""
        raised = self.first.received.raised
        slip = why_it_raised(self.exercise, raised, self.written, self.given, hidden=self.hidden) if raised else None
        if self.written and (slip is None or not slip.instead):
            slip = sure_slip(self.written, self.given, self._words_passed()) or slip
        if slip and slip.kind == "attribute" and self.explained_by_one:
            return None  # a list where a tensor belongs, say: the name itself is right
        return slip

    def _words_passed(self) -> Mapping[str, set[str]]:
        """Return the strings that are passed for each argument.

        In hidden cases, an argument is included only if public cases pass all of its strings too, or the docstring names them.
        """
        passed: defaultdict[str, set[str]] = defaultdict(set)
        for trial in self.trials:
            for name, value in _texts({**trial.case.args, **trial.case.options}):
                passed[name].add(value)
        if not self.hidden:
            return passed
        if not passed:
            return {}
        public = self.exercise.cases(RandomInputs(PUBLIC_SEED, self.exercise.id))
        known = {value for case in public for _, value in _texts({**case.args, **case.options})}
        stub = self.written.stub if self.written else ""
        return {name: words for name, words in passed.items() if all(word in known or word in stub for word in words)}


def _texts(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, item in value.items():
        if isinstance(item, str):
            yield name, item
        elif isinstance(item, dict) and all(isinstance(key, str) for key in item):
            yield from _texts(item)


def explain(evidence: Evidence) -> Explanation | None:
    """Return the likeliest explanation of a wrong answer; None where nothing is known.

    Each explainer is asked in turn, and the first that knows something is believed. A result with nan or inf is called so in
    front of the explanation.
    """
    explanation = next((explanation for explainer in EXPLAINERS if (explanation := explainer(evidence))), None)
    broken = _not_finite(evidence.first)
    if not broken:
        return explanation
    says = Message("Your result holds {value} in this case.", value=Code(broken))
    cause = causes_of_nan(evidence.written) if evidence.written and not (explanation and explanation.mistake) else None
    if cause:
        return Explanation([says, cause.says], [cause.next_step])
    if explanation is None:
        return Explanation([says], [], complete=False)
    return replace(explanation, says=[says, *explanation.says])


def _cause_in_the_text(evidence: Evidence) -> Explanation | None:
    """Return a slip in the text that is the cause, whatever known mistake has the same results."""
    slip = evidence.slip
    first = slip is not None and slip.first and evidence.first.received.raised and not evidence.explained_by_one
    if slip is None or not (slip.instead or first):
        return None
    # The same exceptions in every case have the same cause: the text says it more exactly, and the mistake keeps its name.
    same = evidence.alone if evidence.first.received.raised and evidence.explained_by_one else None
    return Explanation([slip.says], [slip.next_step], same.mistake.slug if same else None)


def _unchanged_argument(evidence: Evidence) -> Explanation | None:
    """Return an argument that should have changed, and did not."""
    if evidence.known and not evidence.known.partly:
        return None
    unchanged = unchanged_argument(evidence.exercise, evidence.first)
    return Explanation([unchanged.says], [unchanged.next_step]) if unchanged else None


def _known_mistake(evidence: Evidence) -> Explanation | None:
    """Return a known mistake, or two of them; in front of it what the text shows."""
    known = evidence.known
    if known is None:
        return None
    diagnosis = Message(known.mistake.diagnosis)
    says, step = [diagnosis], [Message(known.mistake.next_step)]
    if evidence.written:
        step += in_place_of(known.mistake.removes, evidence.written)
    if known.together and known.second:
        both = Message("Two mistakes meet here. The first: {first} The second: {second}")
        says = [both.fill(first=diagnosis, second=Message(known.second.diagnosis))]
    elif known.second:
        says += [Message("A second mistake shows in other cases: {second}", second=Message(known.second.diagnosis))]
    elif known.partly:
        says += [_other_part(evidence) or NOT_ALL]
    if evidence.slip and evidence.slip.first:  # what an exception means in general, a known mistake explains better
        says, step = [evidence.slip.says, *says], [evidence.slip.next_step]
    return Explanation(says, step, known.mistake.slug, not known.partly)


def _likely_cause(evidence: Evidence) -> Explanation | None:
    """Return a slip in the text that is wrong whatever the results are."""
    slip = evidence.slip
    return Explanation([slip.says], [slip.next_step]) if slip and slip.first else None


def _slip_or_relation(evidence: Evidence) -> Explanation | None:
    """Return what an exception means; or a slip that may be the cause, and how the results relate to the right ones."""
    raised = evidence.first.received.raised is not None
    slip, known_cause = None, evidence.slip
    if evidence.written:
        slip = first_slip(evidence.written, evidence.given, draws=evidence.exercise.draws, raised=raised)
    if known_cause and not slip:
        step = [known_cause.next_step]
        if known_cause.kind == "raised":
            first = evidence.first
            which = first.case.name if evidence.hidden else evidence.trials.index(first) + 1
            step.append(arguments_of(evidence.exercise, which))
        return Explanation([known_cause.says], step, complete=False)
    related = relation(evidence.exercise, evidence.trials)
    if evidence.first.mismatch and evidence.first.mismatch.stage in ("type", "dtype"):
        if slip:
            return Explanation([Message("Besides the wrong type: {slip}", slip=slip.says)], [], complete=False)
        if related and related.key[0] not in _OF_TYPES:  # the case that is shown fails by its type, whatever else is wrong
            related = None
    says, steps = [], []
    if slip:
        says, steps = [slip.says], [slip.next_step]
    if related:
        says += [related.says, *([related.aside] if related.aside and not evidence.hidden else [])]
        steps += [related.next_step] if related.next_step else []
    return Explanation(says, steps[:1]) if says else None


#: Asked in this order.
EXPLAINERS: tuple[Callable[[Evidence], Explanation | None], ...] = (
    _cause_in_the_text,
    _unchanged_argument,
    _known_mistake,
    _likely_cause,
    _slip_or_relation,
)


def _other_part(evidence: Evidence) -> Message | None:
    """Return a note on a second wrong part in the shown case, or None if there is none."""
    parts = parts_of(evidence.exercise, evidence.first)
    for name, (_, received, is_wrong) in parts.items():
        if is_wrong and received is not None and name != evidence.part and not of_the_call(evidence.exercise, name):
            return Message("Besides, something is wrong with the {part}: check again when this is fixed.", part=Code(name))
    return None


def _not_finite(trial: Trial) -> str:
    """Return "nan" or "inf", where a result holds it and the right one does not; else nothing."""
    if trial.received.raised or trial.expected.raised:
        return ""
    right, received = set(_not_numbers(trial.expected.value)), set(_not_numbers(trial.received.value))
    return next((name for name in ("nan", "inf") if name in received and name not in right), "")


def _not_numbers(value: Any) -> Iterator[str]:
    if is_one(value):
        array = array_of(value)
        if array.dtype.kind == "f":
            yield from ["nan"] * bool(np.isnan(array).any()) + ["inf"] * bool(np.isinf(array).any())
    elif isinstance(value, float):
        yield from ["nan"] * (value != value) + ["inf"] * (abs(value) == float("inf"))
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _not_numbers(item)
