"""Make a verdict of observations. The learner's kernel and the grader use the same function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..messages import Message, as_text
from .explanation import Evidence, explain
from .fingerprint import Fingerprint
from .next_step import next_step
from .result import CriterionResult, Result, Status, versions
from .score import first_failing, is_untouched, score, total
from .trial import trials_of
from .two_mistakes import PairPrints
from .wording import PublicOutcome, Wording

if TYPE_CHECKING:
    from .exercise import Case, Exercise
    from .observation import Observation
    from .source.answer_tree import Written

__all__ = ["PublicOutcome", "judge", "stopped"]

_UNTOUCHED = Message("Nothing here yet: write your answer where the stub says `YOUR CODE HERE`.")
_METHOD = Message("The stub of `{method}` is still there: write this method where it says `YOUR CODE HERE`.")


def judge(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    got: Sequence[Observation],
    fingerprints: Callable[[], Iterable[Fingerprint]] = tuple,
    *,
    hidden: bool = False,
    seed: int | None = None,
    written: Callable[[], Written | None] = lambda: None,
    pairs: Callable[[], PairPrints | None] = lambda: None,
    public: Callable[[str], PublicOutcome | None] = lambda name: None,
) -> Result:
    """Compare each observation with the expected one, and say what is wrong, why, and what to do.

    Parameters
    ----------
    exercise : Exercise
    cases, expected, got : sequence
        The cases, the right result of each, and what the answer gave.
    fingerprints, written, pairs : callable
        Called only when something is wrong: what known mistakes compute, the text of the answer, and what two known mistakes
        compute together.
    hidden : bool
        Say of the cases only what `redact` leaves: kinds, numbers of axes, properties; no value and no size.
    seed : int, optional
        The seed of hidden cases.
    public : callable
        Called for a wrong hidden verdict with the name of a case: how the public case of that name, or all of them, came out in
        the same state; None where they were not tried.
    """
    trials = trials_of(exercise, cases, expected, got)
    first = first_failing(trials)
    if first and is_untouched(trials):
        method = first.received.raised.place.method if first.received.raised else ""
        message = _METHOD.fill(method=method) if method in ("__init__", "forward") else _UNTOUCHED
        return stopped(exercise, "not attempted", "not attempted", message, hidden=hidden, seed=seed)
    scores = score(exercise, trials)
    earned = total(scores)
    wording = Wording(exercise, hidden, public)
    gate = exercise.criteria[0].name
    criteria = [wording.of_criterion(part, gate) for part in scores]
    common = {
        "exercise": exercise.id,
        "title": exercise.title,
        "score": earned,
        "max_score": exercise.points,
        "core": exercise.core,
        "hidden": hidden,
        "seed": seed,
        "versions": versions(),
    }
    if all(part.passed for part in scores):
        praise = Message("Every hidden case came out right.") if hidden else Message("Every public case came out right.")
        return Result(passed=True, status="passed", stage="passed", message=str(praise), criteria=criteria, **common)
    common |= {"passed": False, "status": "partly" if earned else "wrong"}
    if first is None or first.mismatch is None:  # a criterion that is earned by degrees fell short without any single fault
        short = next(criterion for criterion in criteria if not criterion.passed)
        return Result(stage="property", message=short.message, criteria=criteria, **common)
    evidence = None
    if not any(trial.has_no_form for trial in trials):
        evidence = Evidence(exercise, trials, list(fingerprints()), written(), pairs, hidden)
    why = explain(evidence) if evidence else None
    number = trials.index(first) + 1
    explained = bool(why and (why.mistake or why.complete))
    step = (
        why.next_step
        if why and why.next_step
        else next_step(exercise, first, first.case.name if hidden else number, evidence.written if evidence else None)
    )
    message = wording.of_case(first, explained=explained)
    if not hidden and not any("call" in sentence.slots for sentence in step):
        message += wording.how_to_run(first, number)
    if why and why.complete:
        criteria = [wording.of_criterion(part, gate, explained=True) for part in scores]
    return Result(
        stage=first.mismatch.stage,
        mistake=why.mistake if why else None,
        diagnosis=as_text(wording.safe(first, why.says)) if why else "",
        message=as_text(message),
        next_step=as_text(wording.safe(first, step)),
        case=first.case.name,
        criteria=criteria,
        **common,
    )


def stopped(
    exercise: Exercise, status: Status, stage: str, message: str | Message, *, hidden: bool = False, seed: int | None = None
) -> Result:
    """Return a result without points, for an answer that could not be judged.

    Parameters
    ----------
    exercise : Exercise
        The exercise; its criteria earn nothing.
    status : Status
        What became of the answer.
    stage : str
        Where the check stopped, such as "name missing".
    message : str or Message
        What the learner reads.
    hidden : bool, optional
        True if the cases are hidden.
    seed : int or None, optional
        Seed of the hidden cases.
    """
    criteria = [
        CriterionResult(criterion.name, str(Message(criterion.says)), criterion.points, 0.0, False, 0)
        for criterion in exercise.criteria
    ]
    return Result(
        exercise=exercise.id,
        title=exercise.title,
        passed=False,
        score=0.0,
        max_score=exercise.points,
        status=status,
        stage=stage,
        criteria=criteria,
        message=str(message),
        core=exercise.core,
        hidden=hidden,
        seed=seed,
        versions=versions(),
    )
