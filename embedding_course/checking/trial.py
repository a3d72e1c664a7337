"""The outcome of one case of an exercise for an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..messages import Message
from .changed_arguments import with_changes
from .mismatch import Mismatch

if TYPE_CHECKING:
    from .case import Case
    from .exercise import Exercise
    from .observation import Observation

__all__ = ["Trial", "trials_of"]

_NO_FORM = Message("The result has no form that an answer to this exercise can have.")


@dataclass(frozen=True)
class Trial:
    """One case, with the right result, the result of an answer, and what is wrong with it (None if it is right)."""

    case: Case
    expected: Observation
    received: Observation
    mismatch: Mismatch | None = None

    @property
    def has_no_form(self) -> bool:
        """Return True if the exercise could not even compare the result."""
        return self.mismatch is not None and self.mismatch.message is _NO_FORM


def trials_of(
    exercise: Exercise, cases: Sequence[Case], expected: Sequence[Observation], received: Sequence[Observation]
) -> list[Trial]:
    """Compare what an answer gave in each case with the right result.

    Parameters
    ----------
    exercise : Exercise
        The exercise, whose comparison is used.
    cases : sequence of Case
    expected, received : sequence of Observation
        The right result of each case, and that of the answer.

    Raises
    ------
    ValueError
        If there is not one observation of each kind for every case.
    """
    return [_tried(exercise, *each) for each in zip(cases, expected, received, strict=True)]


def _tried(exercise: Exercise, case: Case, expected: Observation, received: Observation) -> Trial:
    received = with_changes(exercise, case, received)
    try:
        return Trial(case, expected, received, exercise.compare(expected, received, case))
    except Exception:  # a process that lies about what it did may send parts that no driver makes, and no rule foresees
        return Trial(case, expected, received, Mismatch("type", _NO_FORM))
