"""The sentences of a verdict: what happened in a case, with values in public cases, and redacted in hidden ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..messages import COMMA, Code, Listing, Message, as_text
from .next_step import arguments_of, received_arguments
from .redact import redact, vocabulary
from .result import CriterionResult
from .show import describe, kind, show

if TYPE_CHECKING:
    from .exercise import Case, Exercise
    from .score import CriterionScore
    from .trial import Trial

__all__ = ["PublicOutcome", "Wording", "call_of"]

_GIVEN = r"(?:f\(x\) = .+, )?{0}(?:, {0})*".format(r"\w+ of shape \([\d, ]*\)")
#: A call with what it is given and what is done with its result, in words: of a case that has too many numbers to print.
_IN_WORDS = re.compile(rf"(?P<call>.+?\))(?: with (?P<given>{_GIVEN}))?(?: and then (?P<then>\.?\w.*))?")
_SHAPE = re.compile(r"(\w+) of shape (\([\d, ]*\))")


@dataclass(frozen=True)
class PublicOutcome:
    """How public cases came out: all cases of the exercise, and the names of those that were tried and failed."""

    cases: Sequence[Case]
    failed: frozenset[str]


@dataclass(frozen=True)
class Wording:
    """Describe in words what is wrong with an answer to one exercise.

    `public` is called for hidden cases only; see `judge`.
    """

    exercise: Exercise
    hidden: bool = False
    public: Callable[[str], PublicOutcome | None] = lambda name: None

    def safe(self, trial: Trial, messages: Sequence[Message]) -> list[Message]:
        """Return messages about a trial as the verdict may show them: those on a hidden case are redacted."""
        if not self.hidden:
            return list(messages)
        words = vocabulary(trial.case, received_arguments(self.exercise, trial.case))
        return [redact(message, words) for message in messages]

    def of_case(self, trial: Trial, *, explained: bool = False) -> list[Message]:
        """Return what happened in a case, with the purpose of the case if nothing else explains the fault."""
        assert trial.mismatch is not None
        because = [Message(trial.case.because)] if trial.case.because and not explained else []
        if not self.hidden:
            message = Message("Case “{case}”, `{call}`: {fault}", case=Message(trial.case.name), fault=trial.mismatch.message)
            return [message.fill(call=call_of(self.exercise, trial.case)), *because]
        (fault,) = self.safe(trial, [trial.mismatch.hidden or trial.mismatch.message])
        kinds = [
            Message("{name}: {kind}", name=name, kind=describe(value, sizes=False))
            for name, value in received_arguments(self.exercise, trial.case).items()
            if value is not None and not isinstance(value, dict)
        ]
        message = Message("In a hidden case of the kind “{case}”: {fault}")
        if kinds:
            message = Message("In a hidden case of the kind “{case}” ({arguments}): {fault}")
        message = message.fill(case=Message(trial.case.name), arguments=Listing(kinds, COMMA), fault=fault)
        return [message, *because, *self._beside_public(trial.case)]

    def of_criterion(self, part: CriterionScore, gate: str, *, explained: bool = False) -> CriterionResult:
        """Return what a criterion earned, with what is wrong in its first case that fails. `gate` is the first criterion."""
        criterion, failed = part.criterion, [trial for trial in part.trials if trial.mismatch]
        message = ""
        if part.gated and part.share == 1:
            message = str(Message("counts once “{criterion}” is right", criterion=Message(gate)))
        elif failed:
            message = as_text(self.of_case(failed[0], explained=explained))
        elif part.share < 1:
            message = str(
                Message("{criterion}: {share} of the points.", criterion=Message(criterion.says), share=f"{part.share:.0%}")
            )
        return CriterionResult(
            criterion.name,
            str(Message(criterion.says)),
            criterion.points,
            part.earned,
            part.passed,
            len(part.trials),
            [trial.case.name for trial in failed],
            message,
        )

    def how_to_run(self, trial: Trial, number: int) -> list[Message]:
        """Return what gives the arguments of a public case, where the call cannot be typed as it is shown."""
        given = received_arguments(self.exercise, trial.case)
        typed = not self.exercise.is_class and "<" not in call_of(self.exercise, trial.case)
        if typed or any(isinstance(value, dict) for value in given.values()):
            return []
        return [arguments_of(self.exercise, number)]

    def _beside_public(self, case: Case) -> list[Message]:
        """Return what the public cases, tried in the same state, show beside a hidden case that fails."""
        public = self.public(case.name)
        if public is None:
            return []
        if case.name in public.failed:
            return [Message("The public case of that name fails too.")]
        if public.failed:
            passes = Message("Your public case of that name passes, but “{case}” fails.")
            return [passes.fill(case=Message(min(public.failed)))]
        alike = next((public_case for public_case in public.cases if public_case.name == case.name), None)
        theirs = received_arguments(self.exercise, alike) if alike else {}
        mine = received_arguments(self.exercise, case)
        other = [Code(f"`{name}`") for name, value in mine.items() if name not in theirs or kind(theirs[name]) != kind(value)]
        if not other:
            return [Message("Your public cases pass; this hidden case differs in its numbers alone.")]
        return [
            Message("Your public cases pass; this hidden case differs in the kind or size of {names}.", names=Listing(other))
        ]


def call_of(exercise: Exercise, case: Case) -> str:
    """Return the call of a public case as code."""
    if case.call:
        return _in_words(case.call)
    given = [show(value) for name, value in case.args.items() if name not in exercise.of_driver]
    given += [f"{name}={show(value)}" for name, value in case.options.items() if name not in exercise.of_driver]
    return f"{exercise.name}({', '.join(given)})"


def _in_words(call: str) -> str:
    """Return the call of a case with the words between its pieces of code in the language in use.

    >>> _in_words("leaks(model, x) with x of shape (2, 5)"), _in_words("f(x) and then .backward(...)"), _in_words("f(x)")
    ('leaks(model, x) with x of shape (2, 5)', 'f(x) and then .backward(...)', 'f(x)')
    """
    match = _IN_WORDS.fullmatch(call)
    if not match:
        return call
    text, given, then = match["call"], match["given"], match["then"]
    if given:
        shapes = _SHAPE.sub(lambda one: str(Message("{name} of shape {shape}", name=one[1], shape=one[2])), given)
        text = str(Message("{call} with {given}", call=text, given=shapes))
    return str(Message("{call} and then {step}", call=text, step=then)) if then else text
