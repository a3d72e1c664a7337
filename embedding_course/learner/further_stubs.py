"""Leave out the cases of a core exercise that need exercises of further sections which the learner skipped.

A core exercise may call exercises of further sections, which a learner may skip. The grader puts a right answer in the place of
a skipped one. The learner's kernel has none, so `check` does not try the cases that call it, and says so. If a criterion would
have no case left, no case is left out.
"""

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from ..checking.exercise import Case, Exercise
from ..checking.fingerprint import Fingerprint
from ..checking.observation import Observation
from ..checking.result import Result
from ..exercises import find_exercise
from ..messages import Listing, Message, as_text

__all__ = ["LeftOut", "further_uses", "left_out_cases", "mention_left_out", "only_where_tried", "stand_ins"]


class LeftOut(NotImplementedError):
    """Raised by the stand-in of an exercise of a further section whose cell was not run; its message is the name."""


def further_uses(exercise: Exercise) -> list[str]:
    """Return the exercises of further sections on which an exercise of the core builds."""
    return [name for name in exercise.uses if exercise.core and not find_exercise(f"{exercise.number}.{name}").core]


@contextlib.contextmanager
def stand_ins(exercise: Exercise, scope: dict[str, Any]) -> Iterator[None]:
    """Define the exercises of further sections whose cells were not run, so that only cases that call them notice.

    Parameters
    ----------
    exercise : Exercise
    scope : dict
        The names of the learner's kernel; the stand-ins are removed from it afterwards.
    """

    def stand_in(name: str) -> Callable[..., Any]:
        def left_out(*_: Any, **__: Any) -> None:
            raise LeftOut(name)

        return left_out

    missing = {name: stand_in(name) for name in further_uses(exercise) if name not in scope}
    scope.update(missing)
    try:
        yield
    finally:
        for name in missing:
            scope.pop(name, None)


def left_out_cases(exercise: Exercise, cases: Sequence[Case], observations: Sequence[Observation]) -> dict[int, str]:
    """Return the cases that met a stub of a further section: their indices, each with the name of that exercise.

    Returns
    -------
    dict
        Empty if a criterion of the exercise has only such cases, since nothing would be left to judge it by.
    """
    met = {index: name for index, observation in enumerate(observations) if (name := _further_stub(exercise, observation))}
    tried = {case.criterion for index, case in enumerate(cases) if index not in met}
    return met if all(criterion.name in tried for criterion in exercise.criteria) else {}


def _further_stub(exercise: Exercise, observation: Observation) -> str:
    """Return the exercise of a further section whose stub, or stand-in, a case met; an empty text if it met none."""
    raised = observation.raised
    if raised is None:
        return ""
    if raised.type == LeftOut.__name__:
        return raised.message
    met = raised.place.function if raised.of_a_stub else ""
    return met if met in further_uses(exercise) else ""


def only_where_tried(fingerprint: Fingerprint, left_out: Collection[int]) -> Fingerprint:
    """Return a fingerprint in which the mistake counts as right in cases that were left out, as the answer does."""
    if not left_out:
        return fingerprint
    traces = [None if index in left_out else trace for index, trace in enumerate(fingerprint.traces)]
    return replace(fingerprint, traces=traces)


def mention_left_out(result: Result, names: list[str]) -> Result:
    """Add to a result how many cases were not tried, and which exercises of further sections they need.

    Parameters
    ----------
    result : Result
    names : list of str
        For each case that was left out, the exercise that it needs.
    """
    if not names:
        return result
    note = Message.plural(
        "{cases} cases were not tried: they need {names}, a further exercise that you left out. The grader lends a right one.",
        "{cases} cases were not tried: they need {names}, further exercises that you left out. The grader lends right ones.",
        len(set(names)),
        cases=len(names),
        names=Listing([f"`{name}`" for name in dict.fromkeys(names)]),
    )
    return msgspec.structs.replace(result, message=as_text([result.message, note]))
