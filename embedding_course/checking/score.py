"""The points of an answer, without words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .trial import Trial, trials_of

if TYPE_CHECKING:
    from .case import Case
    from .exercise import Criterion, Exercise
    from .observation import Observation

__all__ = ["CriterionScore", "failed_cases", "first_failing", "is_untouched", "points_of", "score", "total"]


@dataclass(frozen=True)
class CriterionScore:
    """What an answer earns for one criterion.

    Attributes
    ----------
    trials : sequence of Trial
        The cases that belong to the criterion.
    share : float
        The fraction of the points that these cases earn, from 0 to 1.
    gated : bool
        True where the first criterion is not met, so that this one earns nothing.
    """

    criterion: Criterion
    trials: Sequence[Trial]
    share: float
    gated: bool

    @property
    def earned(self) -> float:
        """Return the points that the answer earns for this criterion."""
        return 0.0 if self.gated else round(self.criterion.points * self.share, 4)

    @property
    def passed(self) -> bool:
        """Return True if the answer earns all points of this criterion."""
        return self.share == 1 and not self.gated


def score(exercise: Exercise, trials: Sequence[Trial]) -> list[CriterionScore]:
    """Return what each criterion earns.

    Raises
    ------
    LookupError
        If no case belongs to one of the criteria.
    """
    scores: list[CriterionScore] = []
    for criterion in exercise.criteria:
        own = [trial for trial in trials if trial.case.criterion == criterion.name]
        if not own:
            raise LookupError(f"{exercise.id}: no case belongs to the criterion {criterion.name!r}")
        mismatches, expected, received = zip(*((trial.mismatch, trial.expected, trial.received) for trial in own), strict=True)
        gated = bool(scores) and not scores[0].earned
        scores.append(CriterionScore(criterion, own, criterion.share(mismatches, expected, received), gated))
    return scores


def total(scores: Iterable[CriterionScore]) -> float:
    """Return the points of all criteria together."""
    return round(sum(part.earned for part in scores), 4)


def first_failing(trials: Iterable[Trial]) -> Trial | None:
    """Return the first trial in which something is wrong, None where there is none."""
    return next((trial for trial in trials if trial.mismatch), None)


def is_untouched(trials: Iterable[Trial]) -> bool:
    """Return True if the first case that fails met the stub."""
    first = first_failing(trials)
    return first is not None and first.mismatch is not None and first.mismatch.stage == "not attempted"


def points_of(exercise: Exercise, cases: Sequence[Case], expected: Sequence[Observation], got: Sequence[Observation]) -> float:
    """Return the score that `judge` gives, without looking for an explanation of what is wrong.

    Parameters
    ----------
    exercise : Exercise
    cases : sequence of Case
    expected, got : sequence of Observation
        The right result of each case, and that of the answer.
    """
    trials = trials_of(exercise, cases, expected, got)
    return 0.0 if is_untouched(trials) else total(score(exercise, trials))


def failed_cases(
    exercise: Exercise, cases: Sequence[Case], expected: Sequence[Observation], got: Sequence[Observation]
) -> frozenset[str]:
    """Return the names of the cases in which something is wrong.

    Parameters
    ----------
    exercise : Exercise
    cases : sequence of Case
    expected, got : sequence of Observation
        The right result of each case, and that of the answer.
    """
    return frozenset(trial.case.name for trial in trials_of(exercise, cases, expected, got) if trial.mismatch)
