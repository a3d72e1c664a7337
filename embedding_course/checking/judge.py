"""From observations to a verdict. The same function serves the learner's kernel and the grader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .changed_arguments import with_changes
from .compare import Mismatch
from .discreet import discreet
from .explanation import explain
from .fingerprint import Fingerprint
from .grammar import article, in_a_row
from .next_step import arguments_of, next_step, received
from .result import CriterionResult, Result, Status, versions
from .show import kind, show
from .source.fitting import fitting
from .two_mistakes import PairPrints

if TYPE_CHECKING:
    from .exercise import Case, Exercise
    from .observation import Observation
    from .source.written import Written

__all__ = ["PublicOutcome", "failed_cases", "judge", "points_of", "stopped", "told"]


@dataclass(frozen=True)
class PublicOutcome:
    """How public cases came out: all cases of the exercise, and the names of those that were tried and failed."""

    cases: Sequence[Case]
    failed: frozenset[str]


UNTOUCHED = "Nothing here yet: write your answer where the stub says `YOUR CODE HERE`."
_METHOD = "The stub of `{}` is still there: write this method where it says `YOUR CODE HERE`."
_NO_FORM = "what came back has no form that an answer to this exercise can have"


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
    """Compare each observation with the expected one and say what that means.

    `fingerprints`, `written` (the answer's text) and `pairs` (what two known mistakes compute together) are only called when
    something is wrong. `public`, called for a hidden verdict on a wrong answer only and with the name of a case, says how the
    public case of that name, or all of them, came out in the same state; None where they were not tried. Hidden verdicts name
    kinds, numbers of axes and properties; values and sizes are said of public cases only.
    """
    got = _with_changes(exercise, cases, got)
    faults = _faults(exercise, cases, expected, got)
    first = next((index for index, fault in enumerate(faults) if fault), None)
    if _untouched(faults):
        return stopped(exercise, "not attempted", "not attempted", _unwritten(faults), hidden=hidden, seed=seed)
    criteria = _criteria(exercise, cases, expected, got, faults, hidden, public=public)
    score = _sum(criteria)
    passed = all(entry.passed for entry in criteria)
    common = {
        "exercise": exercise.id, "title": exercise.title, "score": score, "max_score": exercise.points,
        "criteria": criteria, "core": exercise.core, "hidden": hidden, "seed": seed, "versions": versions(),
    }  # fmt: skip
    if passed:
        return Result(passed=True, status="passed", stage="passed", message=_praise(hidden), **common)
    if first is None:  # a criterion that is earned by degrees fell short without any single fault
        short = next(entry for entry in criteria if not entry.passed)
        return Result(passed=False, status="partly" if score else "wrong", stage="property", message=short.message, **common)
    fault, case = faults[first], cases[first]
    assert fault is not None
    made_up = any(one and one.what == _NO_FORM for one in faults)
    text = None if made_up else written()
    why = None
    if not made_up:
        mistakes = list(fingerprints())
        why = explain(exercise, cases, expected, got, faults, mistakes, text, pairs, hidden=hidden)
    which = case.name if hidden else first + 1
    step = fitting((why.next_step if why else "") or next_step(exercise, fault, case, which), text)
    explained = bool(why and (why.mistake or why.complete))
    message = _message(exercise, case, fault, got[first], expected[first], hidden, explained, public)
    if not hidden and "case(" not in step:
        message += _to_run(exercise, case, first + 1)
    if why and why.complete:
        common["criteria"] = _criteria(exercise, cases, expected, got, faults, hidden, explained=True, public=public)
    return Result(
        passed=False,
        status="partly" if score else "wrong",
        stage=fault.stage,
        mistake=why.mistake if why else None,
        diagnosis=why.says if why else "",
        message=message,
        next_step=step,
        case=case.name,
        **common,
    )


def points_of(exercise: Exercise, cases: Sequence[Case], expected: Sequence[Observation], got: Sequence[Observation]) -> float:
    """The score that `judge` gives, without the words: of what is wrong no explanation is sought."""
    got = _with_changes(exercise, cases, got)
    faults = _faults(exercise, cases, expected, got)
    return 0.0 if _untouched(faults) else _sum(_criteria(exercise, cases, expected, got, faults, hidden=True))


def failed_cases(
    exercise: Exercise, cases: Sequence[Case], expected: Sequence[Observation], got: Sequence[Observation]
) -> frozenset[str]:
    """Return the names of the cases in which something is wrong."""
    faults = _faults(exercise, cases, expected, _with_changes(exercise, cases, got))
    return frozenset(case.name for case, fault in zip(cases, faults, strict=True) if fault)


def stopped(
    exercise: Exercise, status: Status, stage: str, message: str, *, hidden: bool = False, seed: int | None = None
) -> Result:
    """A verdict without points: nothing was judged, because nothing could be."""
    criteria = [CriterionResult(entry.name, entry.says, entry.points, 0.0, False, 0) for entry in exercise.criteria]
    return Result(
        exercise=exercise.id, title=exercise.title, passed=False, score=0.0, max_score=exercise.points,
        status=status, stage=stage, criteria=criteria, message=message, core=exercise.core, hidden=hidden, seed=seed,
        versions=versions(),
    )  # fmt: skip


def _with_changes(exercise: Exercise, cases: Sequence[Case], got: Sequence[Observation]) -> list[Observation]:
    return [with_changes(exercise, case, seen) for case, seen in zip(cases, got, strict=True)]


def _faults(
    exercise: Exercise, cases: Sequence[Case], expected: Sequence[Observation], got: Sequence[Observation]
) -> list[Mismatch | None]:
    return [_fault(exercise, mine, theirs, case) for mine, theirs, case in zip(expected, got, cases, strict=True)]


def _untouched(faults: Sequence[Mismatch | None]) -> bool:
    """Did the first case that fails meet the stub?"""
    first = next((fault for fault in faults if fault), None)
    return first is not None and first.stage == "not attempted"


def _unwritten(faults: Sequence[Mismatch | None]) -> str:
    """What is still to be written: all of it, or one method of a class."""
    first = next(fault for fault in faults if fault)
    method = next((name for name in ("__init__", "forward") if f"in `{name}`" in first.detail), None)
    return _METHOD.format(method) if method else UNTOUCHED


def _sum(criteria: Sequence[CriterionResult]) -> float:
    return round(sum(entry.earned for entry in criteria), 4)


def _fault(exercise: Exercise, expected: Observation, got: Observation, case: Case) -> Mismatch | None:
    """What is wrong in a case. A process that lies about what it did may send parts that no driver makes, which a rule need not
    foresee."""
    try:
        return exercise.compare(expected, got, case)
    except Exception:
        return Mismatch("type", _NO_FORM)


def _criteria(
    exercise, cases, expected, got, faults, hidden, explained=False, public=lambda name: None
) -> list[CriterionResult]:
    criteria: list[CriterionResult] = []
    for criterion in exercise.criteria:
        picked = [index for index, case in enumerate(cases) if case.criterion == criterion.name]
        if not picked:
            raise LookupError(f"{exercise.id}: no case belongs to the criterion {criterion.name!r}")
        share = criterion.share(
            [faults[index] for index in picked], [expected[index] for index in picked], [got[index] for index in picked]
        )
        gated = bool(criteria) and not criteria[0].earned
        failed = [index for index in picked if faults[index]]
        message = ""
        if failed:
            one = failed[0]
            message = _message(exercise, cases[one], faults[one], got[one], expected[one], hidden, explained, public)
        if not failed and share < 1:
            message = f"{criterion.says}: {share:.0%} of the points."
        if gated and share == 1:
            message = f"counts once “{criteria[0].name}” is right"
        criteria.append(
            CriterionResult(
                criterion.name, criterion.says, criterion.points, 0.0 if gated else round(criterion.points * share, 4),
                share == 1 and not gated, len(picked), [cases[index].name for index in failed], message,
            )
        )  # fmt: skip
    return criteria


def _praise(hidden: bool) -> str:
    return "Every hidden case came out right." if hidden else "Every public case came out right."


def _call(exercise: Exercise, case: Case) -> str:
    if case.call:
        return case.call
    given = [show(value) for name, value in case.args.items() if name not in exercise.of_driver]
    given += [f"{name}={show(value)}" for name, value in case.options.items() if name not in exercise.of_driver]
    return f"{exercise.name}({', '.join(given)})"


def _kinds(exercise: Exercise, case: Case) -> str:
    """Say of what kind the arguments of a hidden case are."""
    given = received(exercise, case)
    return ", ".join(
        f"{name} {article(kind(value, sizes=False))}"
        for name, value in given.items()
        if value is not None and not isinstance(value, dict)
    )


def _message(
    exercise: Exercise, case: Case, fault: Mismatch, got: Observation, expected: Observation, hidden: bool,
    explained: bool = False, public: Callable[[str], PublicOutcome | None] = lambda name: None,
) -> str:  # fmt: skip
    """What happened in a case. Why the case is there is said only where nothing else explains the fault."""
    because = f" {case.because}" if case.because and not explained else ""
    if hidden:
        kinds = _kinds(exercise, case)
        where = f"In a hidden case of the kind “{case.name}”" + (f" ({kinds})" if kinds else "")
        said = discreet(fault.hidden or fault.what, got, expected, exercise.lesson.topic)
        return f"{where}: {_ended(said)}{because}{_beside_public(exercise, case, public(case.name))}"
    return f"Case “{case.name}”: {told(exercise, case, fault)}{because}"


def _beside_public(exercise: Exercise, case: Case, public: PublicOutcome | None) -> str:
    """Return what the public cases, tried in the same state, show beside a hidden case that fails."""
    if public is None:
        return ""
    if case.name in public.failed:
        return " The public case of that name fails too."
    if public.failed:
        return f" Your public case of that name passes, but “{min(public.failed)}” fails."
    return f" Your public cases pass; this hidden case differs in {_difference(exercise, case, public.cases)}."


def _difference(exercise: Exercise, case: Case, public: Sequence[Case]) -> str:
    """Return in which arguments a hidden case is of another kind or shape than the public one of its name."""
    alike = next((one for one in public if one.name == case.name), None)
    theirs = received(exercise, alike) if alike else {}
    mine = received(exercise, case)
    other = [f"`{name}`" for name, value in mine.items() if name not in theirs or kind(theirs[name]) != kind(value)]
    return f"kind or size of {in_a_row(other)}" if other else "its numbers alone"


def told(exercise: Exercise, case: Case, fault: Mismatch) -> str:
    """What is wrong in a public case: the call, with values, and the fault."""
    return f"for `{_call(exercise, case)}`, {_ended(fault.what + fault.detail)}"


def _to_run(exercise: Exercise, case: Case, number: int) -> str:
    """Where the call cannot be typed as it is shown: what gives its arguments."""
    given = received(exercise, case)
    if any(isinstance(value, dict) for value in given.values()) or not (exercise.is_class or "<" in _call(exercise, case)):
        return ""
    return f" {arguments_of(exercise, number)}"


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith("?") else f"{sentence}."
