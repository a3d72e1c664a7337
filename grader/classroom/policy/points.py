"""The points of one notebook as a class counts them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from embedding_course.checking.result import CriterionResult, Result
from embedding_course.exercises.index import entries
from embedding_course.messages import Message

from ..overrides import Override, decided


@dataclass(frozen=True)
class Terms:
    """What a class changed in one notebook; by default nothing.

    Attributes
    ----------
    points, core
        The points of exercises, and whether they are core, by exercise id.
    dropped
        Exercises that do not count at all.
    written
        The points of the written answer, or None for those of the lesson.
    mended_count
        Whether answers count in which a slip was mended (`Result.mended`).
    overrides
        What people decided on single verdicts.
    """

    points: Mapping[str, float] = field(default_factory=dict)
    core: Mapping[str, bool] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    written: float | None = None
    mended_count: bool = True
    overrides: tuple[Override, ...] = ()

    @property
    def stamp(self) -> str:
        """Return a text that changes when the terms change, or an empty string if there are none.

        A submission that was graded under other terms is graded again.

        >>> Terms().stamp
        ''
        """
        content = [sorted(self.points.items()), sorted(self.core.items()), sorted(self.dropped)]
        if not self.mended_count:
            content.append(["mended"])
        if self.overrides:
            content.append([override.number for override in self.overrides])
        return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:12] if any(content) else ""

    def apply(self, results: Sequence[Result]) -> list[Result]:
        """Return the verdicts with this class's points, without dropped exercises."""
        return [decided(self._one(result), self.overrides) for result in results if result.exercise not in self.dropped]

    def _one(self, result: Result) -> Result:
        if result.mended and not self.mended_count:
            result = _uncounted(result)
        worth = self.points.get(result.exercise, result.max_score)
        return with_worth(result, worth, self.core.get(result.exercise, result.core))

    def worth(self, cell: Mapping[str, Any]) -> float | None:
        """Return what a graded cell of the release is worth in this class; None for a cell that is not graded."""
        marks = cell["metadata"].get("nbgrader", {})
        if not marks.get("grade"):
            return None
        if marks.get("solution"):
            return float(marks["points"]) if self.written is None else self.written
        exercise = marks["grade_id"].removesuffix("-check").replace("-", ".", 1)
        own = float(marks["points"])
        if exercise in self.dropped or not self.core.get(exercise, own > 0):
            return 0.0
        usual = own or entries()[exercise].points  # the cell of a further exercise, which a class may count as core, has none
        return self.points.get(exercise, usual)


def with_worth(result: Result, worth: float, core: bool) -> Result:
    """Return a verdict on an exercise that is worth so many points, with the share of them that was earned."""
    if worth == result.max_score:
        return result if core == result.core else msgspec.structs.replace(result, core=core)
    factor = worth / result.max_score
    return msgspec.structs.replace(
        result,
        core=core,
        max_score=worth,
        score=_round(result.score * factor),
        criteria=[_scaled(criterion, factor) for criterion in result.criteria],
    )


def _uncounted(result: Result) -> Result:
    """Return the verdict on a mended answer in a class that does not count those."""
    text = f"{result.mended} {Message('Your class does not count answers that had to be mended.')}"
    criteria = [msgspec.structs.replace(criterion, earned=0.0, passed=False) for criterion in result.criteria]
    return msgspec.structs.replace(result, score=0.0, passed=False, status="wrong", mended=text, criteria=criteria)


def _scaled(criterion: CriterionResult, factor: float) -> CriterionResult:
    return msgspec.structs.replace(
        criterion, points=_round(criterion.points * factor), earned=_round(criterion.earned * factor)
    )


def _round(value: float) -> float:
    """Round to six decimals, so that nine thirds of a point are exactly three points."""
    return round(value, 6)
