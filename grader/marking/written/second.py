"""The second marker: marks given without a look at the first ones, and how well both agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from ...classroom.gradebook.marking_tables import MARKS, SECOND_MARKS
from ...errors import UserError
from .desk import Desk
from .mark import Draft, Mark

#: Points are compared in steps of a quarter.
_STEPS_A_POINT = 4


@dataclass(frozen=True)
class Pair:
    """Both marks of an answer. `settled` says that somebody marked the answer again with both marks before them."""

    first: Mark
    second: Mark
    settled: bool

    @property
    def differs(self) -> bool:
        """Return True if the two gave different points."""
        return self.first.points != self.second.points


@dataclass(frozen=True)
class Agreement:
    """How well two markers agree.

    Attributes
    ----------
    answers
        How many answers have both marks.
    equal
        The share of them with the same points.
    difference
        The mean of the second points minus the first ones.
    kappa
        Cohen's kappa with quadratic weights; None if all points are equal, where it is not defined.
    """

    answers: int
    equal: float
    difference: float
    kappa: float | None


def pairs_of(desk: Desk) -> dict[str, Pair]:
    """Return both marks of each answer that a second person marked, by student."""
    with desk.transaction() as connection:
        query = select(SECOND_MARKS.c.id, SECOND_MARKS.c.student, SECOND_MARKS.c.first)
        rows = connection.execute(query.where(SECOND_MARKS.c.question == desk.question)).all()
        students, firsts = {row.id: row.student for row in rows}, {row.id: row.first for row in rows}
        seconds = desk.marks_in(connection, SECOND_MARKS)
        first_marks = {mark.version: mark for mark in desk.marks_in(connection, MARKS, MARKS.c.id.in_(firsts.values()))}
    now = desk.marks()
    pairs = {}
    for second in seconds:
        student, first = students[second.version], first_marks[firsts[second.version]]
        pairs[student] = Pair(first, second, now[student].version != first.version)
    return pairs


def save_second(desk: Desk, student: str, draft: Draft, author: str, text: str) -> Mark:
    """Store the mark of a second person, which does not count until somebody settles a difference.

    Raises
    ------
    UserError
        If the answer has no first mark, the author gave it, or it has a second mark already.
    """
    first = desk.marks().get(student)
    if first is None or first.author == author:
        raise UserError("A second mark needs a first one by somebody else.")
    try:
        with desk.transaction() as connection:
            desk.check(connection, draft, desk.cells.most(connection))
            values = desk.row(student, draft, author, text)
            connection.execute(insert(SECOND_MARKS).values(**values, first=first.version))
            return desk.marks_in(connection, SECOND_MARKS, SECOND_MARKS.c.student == student)[0]
    except IntegrityError:
        raise UserError("Somebody gave the second mark meanwhile; load the question again to see both.") from None


def agreement(pairs: Mapping[str, Pair]) -> Agreement | None:
    """Return how well first and second marks agree, or None if there are none.

    Examples
    --------
    >>> agreement({}) is None
    True
    """
    if not pairs:
        return None
    first, second = ([getattr(pair, name).points for pair in pairs.values()] for name in ("first", "second"))
    count = len(pairs)
    equal = sum(one == other for one, other in zip(first, second, strict=True)) / count
    difference = (sum(second) - sum(first)) / count
    return Agreement(count, equal, round(difference, 6), _kappa(first, second))


def _kappa(first: Sequence[float], second: Sequence[float]) -> float | None:
    steps = [[round(points * _STEPS_A_POINT) for points in marks] for marks in (first, second)]
    if len({*steps[0], *steps[1]}) == 1:
        return None
    from sklearn.metrics import cohen_kappa_score

    labels = list(range(max(*steps[0], *steps[1]) + 1))  # all steps, so that the weights count distances in points
    return float(cohen_kappa_score(*steps, labels=labels, weights="quadratic"))
