"""The hidden check: fresh cases from a seed, expectations from the reference, observations over the wire."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import msgspec

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.grammar import in_a_row
from embedding_course.checking.judge import stopped
from embedding_course.checking.observation import Observation
from embedding_course.checking.result import Result
from embedding_course.checking.seed import SEED_BITS

from ..course_source.judged_before import key_of
from ..course_source.prepared import Prepared
from ..engine.learner import Crashed, Learner, OutOfTime, TimedOut, opened
from .reference_answers import Lender

__all__ = ["ENDED", "USED_UP", "check", "check_lent", "check_with_blame", "fresh_seed"]


#: How an exercise stands when the learner's process came to its end over it, and what is said then.
ENDED = {
    "timed out": "it did not come back in time. Is there a loop that never ends?",
    "crashed": "the process ended. Does something call exit?",
    "out of memory": "it needed more memory than there is. Is something made that grows without end?",
    "flooded": "it printed, returned or wrote to files far more than anybody could read.",
}
#: What is said of an exercise over which, or before which, a submission's time ran out.
USED_UP = "The submission had used up the time that it has as a whole. Does something in it wait or compute for long?"


def fresh_seed() -> int:
    """A seed for hidden cases that nobody can foresee. It is stored with the grade, so a regrade can repeat it."""
    return secrets.randbits(SEED_BITS)


def check(learner: Learner, exercise: Exercise, seed: int, ready: Prepared | None = None) -> Result:
    """Try the learner's answer on hidden cases. Never raises for anything the learner's code does;
    `Crashed` and `TimedOut` become verdicts, after which the learner's process is of no further use."""
    ready = ready or Prepared(exercise, seed)
    packed: list[msgspec.Raw] = []
    seen: list[Observation] = []
    try:
        for one in learner.observe_packed(ready.question, len(ready.cases)):
            packed.append(one)
        key = key_of(packed)
        if before := ready.judged.find(key):
            return before
        for one in packed:
            observation = opened(one)
            if observation is None:
                message = f"There is no `{exercise.name}`: the cell that defines it is missing, or failed."
                return stopped(exercise, "not attempted", "name missing", message, hidden=True, seed=seed)
            seen.append(observation)
    except OutOfTime:
        return stopped(exercise, "timed out", "raises", USED_UP, hidden=True, seed=seed)
    except (TimedOut, Crashed):
        status = learner.why()
        reached = seen if len(packed) == len(ready.cases) else packed
        message = f"{_where(ready, len(reached))}: {ENDED[status]}"
        return stopped(exercise, status, "raises", message, hidden=True, seed=seed)
    result = _short_of_memory(ready.judge(seen, learner.cells), ready, seen)
    ready.judged.keep(key, result)
    return result


def _short_of_memory(result: Result, ready: Prepared, seen: Sequence[Observation]) -> Result:
    """Python and torch tell of the end of memory by exceptions; say so where one decided."""
    raised = next((one.raised for case, one in zip(ready.cases, seen, strict=True) if case.name == result.case), None)
    if raised is None or not ("MemoryError" in raised.type or "t allocate memory" in raised.message):
        return result
    return msgspec.structs.replace(result, status="out of memory", message=f"{result.message} ({ENDED['out of memory']})")


def _where(ready: Prepared, reached: int) -> str:
    return f"In a hidden case of the kind “{ready.cases[reached].name}”"


def check_with_blame(
    learner: Learner, exercise: Exercise, seed: int, failed: Sequence[str], ready: Prepared | None = None
) -> Result:
    """The hidden check, where a fault in an earlier exercise costs its marks only once.

    `failed` are the names of the learner's earlier exercises that are wrong. When the answer fails and builds on
    one of them, it is tried again with the trusted side answering for that one; if it passes then, it has its
    points and the verdict says whose fault it was.
    """
    result = check(learner, exercise, seed, ready)
    if result.passed or result.status in ("not attempted", *ENDED):
        return result
    return check_lent(learner, exercise, seed, failed, result, ready)


def check_lent(
    learner: Learner, exercise: Exercise, seed: int, failed: Sequence[str], result: Result, ready: Prepared | None = None
) -> Result:
    """Try an answer that came to `result` again, with right ones in place of the earlier exercises in `failed`.

    Returns the better of the two. After a time-out or a crash, `learner` is a fresh process.
    """
    earlier = [name for name in exercise.uses if name in failed]
    if not earlier:
        return result
    try:
        learner.lend(earlier, Lender(exercise))
        again = check(learner, exercise, seed, ready)
        if again.status not in ENDED:
            learner.restore()
    except (TimedOut, Crashed):  # while it is told of the loan, too
        return result
    if again.score <= result.score:
        return result
    named, wrong = in_a_row([f"`{name}`" for name in earlier]), "is" if len(earlier) == 1 else "are"
    said = f"{again.message} It was tried with a right {named} in place of yours, which {wrong} wrong: that costs nothing here."
    return msgspec.structs.replace(again, message=said, blamed=earlier[0])
