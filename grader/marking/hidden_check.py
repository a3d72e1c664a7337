"""The hidden check: fresh cases from a seed, expectations from the reference, observations over the wire."""

import secrets
from collections.abc import Sequence
from functools import cached_property

import msgspec

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.judge import PublicOutcome, stopped
from embedding_course.checking.observation import Observation
from embedding_course.checking.result import Result
from embedding_course.checking.seed import SEED_BITS
from embedding_course.messages import Listing, Message

from ..course_source.prepared import Prepared, prepared
from ..course_source.verdict_cache import key_of
from ..engine.learner_proxy import Crashed, Learner, OutOfTime, TimedOut, opened
from ..engine.wire import Content
from .computed_key import computed_key, unexplained
from .reference_answers import Lender

#: The statuses of an exercise that ended the learner's process, and their messages.
ENDED = {
    "timed out": Message("it did not come back in time. Is there a loop that never ends?"),
    "crashed": Message("the process ended. Does something call exit?"),
    "out of memory": Message("it needed more memory than there is. Is something made that grows without end?"),
    "flooded": Message("it printed, returned or wrote to files far more than anybody could read."),
}
#: The message of an exercise that had not been checked when the submission's time was used up.
USED_UP = Message("The submission had used up the time that it has as a whole. Does something in it wait or compute for long?")


def fresh_seed() -> int:
    """Return a seed for hidden cases that nobody can foresee; it is stored with the grade, so that a regrade can repeat it."""
    return secrets.randbits(SEED_BITS)


class PublicTrial:
    """The public cases of an exercise, tried in the state in which its hidden check was made.

    Cases are tried only when their results are needed. If that goes wrong, for example because the process ends, the trial is
    empty.
    """

    def __init__(self, learner: Learner, exercise: Exercise) -> None:
        self._learner, self._ready = learner, prepared(exercise.id, PUBLIC_SEED)

    def beside(self, name: str) -> PublicOutcome | None:
        """Return how the public case of this name came out, and if it passes, how all public cases did.

        Returns None if that is not known.
        """
        index = self._ready.index_of(name)
        if (
            index is not None
            and (observation := _seen_in(self._learner, self._ready, index))
            and self._ready.fails(index, observation)
        ):
            return PublicOutcome(self._ready.cases, frozenset([name]))
        return PublicOutcome(self._ready.cases, self._ready.failed_cases(self._all)) if self._all else None

    @cached_property
    def _all(self) -> Sequence[Observation]:
        try:
            observations = [
                opened(reply) for reply in list(self._learner.observe_packed(self._ready.question, len(self._ready.cases)))
            ]
        except (TimedOut, Crashed):
            self._learner.end()
            return ()
        return [observation for observation in observations if observation is not None] if None not in observations else ()

    def key(self) -> str:
        """Return the key of what the answer returns in public cases (see `computed_key`), or "" if they could not be tried."""
        return computed_key(self._ready.exercise, self._ready.cases, self._all) if self._all else ""


def _seen_in(learner: Learner, ready: Prepared, index: int) -> Observation | None:
    """Return what an answer does in one case, or None if there is no answer or the process ends over it."""
    try:
        (observation,) = [opened(reply) for reply in list(learner.observe_packed(ready.question_of(index), 1))]
    except (TimedOut, Crashed):
        learner.end()
        return None
    return observation


def check(learner: Learner, exercise: Exercise, seed: int, ready: Prepared | None = None) -> Result:
    """Try the learner's answer on hidden cases.

    Never raises for anything the learner's code does: `Crashed` and `TimedOut` become verdicts, after which the learner's
    process is of no further use.

    Parameters
    ----------
    learner : Learner
        Process in which the learner's cells have run.
    exercise : Exercise
    seed : int
        Seed of the hidden cases.
    ready : Prepared, optional
        The hidden cases, if they are prepared already.
    """
    result = _check_above(-1.0, learner, exercise, seed, ready)
    assert result is not None
    return result


def _check_above(floor: float, learner: Learner, exercise: Exercise, seed: int, ready: Prepared | None) -> Result | None:
    """Check like `check`, but return None without looking for an explanation if the answer earns at most `floor`."""
    ready = ready or Prepared(exercise, seed)
    packed: list[Content] = []
    observations: list[Observation] = []
    try:
        for reply in learner.observe_packed(ready.question, len(ready.cases)):
            packed.append(reply)
        key = key_of(part for content in packed for part in (content.head, content.body))
        if before := ready.judged.find(key):
            return before if before.score > floor else None
        for reply in packed:
            observation = opened(reply)
            if observation is None:
                message = Message("There is no `{name}`: the cell that defines it is missing, or failed.", name=exercise.name)
                return stopped(exercise, "not attempted", "name missing", message, hidden=True, seed=seed)
            observations.append(observation)
    except OutOfTime:
        return stopped(exercise, "timed out", "raises", USED_UP, hidden=True, seed=seed)
    except (TimedOut, Crashed):
        status = learner.why()
        reached = observations if len(packed) == len(ready.cases) else packed
        message = Message("In a hidden case of the kind “{case}”: {fault}", case=Message(ready.cases[len(reached)].name))
        message = message.fill(fault=ENDED[status])
        return stopped(exercise, status, "raises", message, hidden=True, seed=seed)
    if floor >= 0 and ready.points_of(observations) <= floor:
        return None
    trial = PublicTrial(learner, exercise)
    result = _short_of_memory(ready.judge(observations, learner.cells, public=trial.beside), ready, observations)
    ready.judged.keep(key, result)
    return msgspec.structs.replace(result, computed=trial.key()) if unexplained(result) else result


def _short_of_memory(result: Result, ready: Prepared, observations: Sequence[Observation]) -> Result:
    """Return True if an exception of Python or torch means that memory ran out."""
    raised = next(
        (observation.raised for case, observation in zip(ready.cases, observations, strict=True) if case.name == result.case),
        None,
    )
    if raised is None or not ("MemoryError" in raised.type or "t allocate memory" in raised.message):
        return result
    return msgspec.structs.replace(result, status="out of memory", message=f"{result.message} ({ENDED['out of memory']})")


def check_with_blame(
    learner: Learner, exercise: Exercise, seed: int, failed: Sequence[str], ready: Prepared | None = None
) -> Result:
    """Return the hidden check, in which a mistake in an earlier exercise costs its marks only once.

    If the answer fails and builds on an exercise in `failed`, it is tried again with the trusted side answering for that
    exercise. If it passes then, it has its points, and the verdict says which exercise was at fault.

    Parameters
    ----------
    learner : Learner
        Process in which the learner's cells have run.
    exercise : Exercise
    seed : int
        Seed of the hidden cases.
    failed : sequence of str
        Names of the learner's earlier exercises that are wrong.
    ready : Prepared, optional
        The hidden cases, if they are prepared already.
    """
    result = check(learner, exercise, seed, ready)
    if result.passed or learner.ended or result.status in ("not attempted", *ENDED):
        return result
    return check_lent(learner, exercise, seed, failed, result, ready)


def check_lent(
    learner: Learner, exercise: Exercise, seed: int, failed: Sequence[str], result: Result, ready: Prepared | None = None
) -> Result:
    """Check an answer again, with right answers in place of the earlier exercises in `failed`.

    Parameters
    ----------
    learner : Learner
        Process in which the learner's cells have run; a fresh one after a time-out or a crash.
    exercise : Exercise
    seed : int
        Seed of the hidden cases.
    failed : sequence of str
        Names of the learner's earlier exercises that are wrong.
    result : Result
        Result of the first check.
    ready : Prepared, optional
        The hidden cases, if they are prepared already.

    Returns
    -------
    Result
        The better one of `result` and the new result.
    """
    earlier = [name for name in exercise.uses if name in failed]
    if not earlier:
        return result
    try:
        learner.lend(earlier, Lender(exercise))
        again = _check_above(result.score, learner, exercise, seed, ready)
        if not learner.ended:
            learner.restore()
    except (TimedOut, Crashed):  # also while the reference is being installed
        learner.end()
        return result
    if again is None or again.score <= result.score:
        return result
    lent = Message.plural(
        "It was tried with a right {names} in place of yours, which is wrong: that costs nothing here.",
        "It was tried with a right {names} in place of yours, which are wrong: that costs nothing here.",
        len(earlier),
        names=Listing([f"`{name}`" for name in earlier]),
    )
    return msgspec.structs.replace(again, message=f"{again.message} {lent}", blamed=earlier[0])


def check_once_more(
    learner: Learner, exercise: Exercise, seed: int, failed: Sequence[str], result: Result, ready: Prepared
) -> Result:
    """Check an answer again in the notebook's final state, and return the better result.

    The case that failed first is tried first. If it fails again, `result` counts.

    If both results earn the same, the later one counts if the first one stopped at a name or a value that did not exist yet.

    Parameters
    ----------
    learner : Learner
        Process in the notebook's final state.
    exercise : Exercise
    seed : int
        Seed of the hidden cases.
    failed : sequence of str
        Names of the learner's earlier exercises that are wrong.
    result : Result
        Result of the first check.
    ready : Prepared
        Other hidden cases, with the results of the reference.
    """
    unfinished = result.stage in ("name missing", "raises") and result.status not in ENDED
    index = ready.index_of(result.case)
    if index is not None and not unfinished:
        observation = _seen_in(learner, ready, index)
        if observation is None or ready.fails(index, observation):
            return result
    again = _check_above(-1.0 if unfinished else result.score, learner, exercise, seed, ready)
    if unfinished and (again is None or not (again.passed or again.status in ENDED or learner.ended)):
        again = check_lent(learner, exercise, seed, failed, again or result, ready)
    if again is None or again is result or again.status in ENDED or again.stage == "name missing":
        return result
    if again.score > result.score and not unfinished:
        later = Message("So your answer does at the end of the notebook; where its check stands it does less well.")
        return msgspec.structs.replace(again, message=f"{again.message} {later}")
    return again if again.score > result.score or (unfinished and again.stage != "raises") else result
