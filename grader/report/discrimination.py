"""Which exercises tell those who can do the rest from those who cannot: the item-rest correlation."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from embedding_course.checking.result import Result
from embedding_course.subject.lessons import lesson

from ..classroom.grade_record import GradeRecord

#: Below this many submissions the page warns that the numbers say little.
MIN_FOR_CONFIDENCE = 20
_MIN_SUBMISSIONS = 5
_NORMAL = 1.96  # of a normal distribution 95 % lie within so many standard deviations


@dataclass(frozen=True)
class Discrimination:
    """How one exercise correlates with the rest of its notebook. `value` is None if that is not known."""

    exercise: str
    title: str
    count: int
    value: float | None
    low: float = -1.0
    high: float = 1.0
    why_not: str = ""

    @property
    def topic(self) -> str:
        """Return the notebook of the exercise."""
        return lesson(self.exercise[:2]).topic

    @property
    def words(self) -> str:
        """Return the number in words, for people who do not read correlations every day."""
        if self.value is None:
            return self.why_not
        if self.high < 0:
            return "against the rest: look at the task and at its check"
        if self.low <= 0:
            return "cannot be told from chance with so many submissions"
        return "strongly" if self.value >= 0.5 else "clearly" if self.value >= 0.3 else "a little"


def item_rest(item: Sequence[float], rest: Sequence[float]) -> tuple[float, float, float] | None:
    """Return the correlation of an exercise's scores with the points earned elsewhere, and its 95 % interval (by Fisher's z).

    Returns None if there are fewer than five pairs, or if either side does not vary.

    >>> item_rest([0, 0, 1, 1, 1], [1, 2, 5, 6, 7])[0] > 0.9
    True
    >>> item_rest([1, 1, 1, 1, 1], [1, 2, 5, 6, 7]) is None
    True
    """
    if len(item) < _MIN_SUBMISSIONS or len(set(item)) < 2 or len(set(rest)) < 2:
        return None
    value = max(-1.0, min(1.0, statistics.correlation(item, rest)))
    middle = math.atanh(max(-0.999999, min(0.999999, value)))
    half = _NORMAL / math.sqrt(len(item) - 3)
    return value, math.tanh(middle - half), math.tanh(middle + half)


def discriminations(graded: Sequence[GradeRecord]) -> list[Discrimination]:
    """Return the discrimination of every core exercise of the graded submissions, by notebook.

    Submissions that attempted nothing are left out, because they would make every exercise seem to separate students well.
    """
    results = []
    for topic in sorted({record.topic for record in graded}):
        mine = [
            record
            for record in graded
            if record.topic == topic and any(verdict.core and verdict.status != "not attempted" for verdict in record.results)
        ]
        scores = [{result.exercise: result for result in record.results if result.core} for record in mine]
        names = list(dict.fromkeys(name for each in scores for name in each))
        results += [_of(name, [each for each in scores if name in each]) for name in names]
    return results


def _of(name: str, scores: list[dict[str, Result]]) -> Discrimination:
    item = [each[name].score for each in scores]
    rest = [sum(result.score for result in each.values()) - each[name].score for each in scores]
    title = scores[0][name].title
    got = item_rest(item, rest)
    if got is not None:
        return Discrimination(name, title, len(item), *got)
    if len(item) < _MIN_SUBMISSIONS:
        why = f"too few submissions ({len(item)})"
    else:
        why = "everybody earned the same here" if len(set(item)) < 2 else "everybody earned the same elsewhere"
    return Discrimination(name, title, len(item), None, why_not=why)
