"""Who to talk to: the few for whom there is most reason, with the reason in words.

A student is held against the class and against their own earlier work, so that a hard notebook does not put half the class
on the list, and somebody who falls behind is seen while the points are still fair.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ..classroom.records import GradeRecord
from .standing import Standing, standings
from .talk_reasons import Reason, below_the_class, fallen_back, less_than_half, not_handed_in, not_read

#: With fewer graded submissions there is no class that somebody could stand out from.
MIN_SUBMISSIONS = 5


@dataclass(frozen=True)
class TalkLine:
    """One student: the reasons, and which exercises went how."""

    student: str
    reasons: tuple[str, ...]
    strength: float
    work: str = ""


@dataclass(frozen=True)
class Talk:
    """The students to talk to, those with the strongest reasons first.

    `more` is the number of students with weaker reasons who are not listed. `compared` says whether enough was graded to
    compare with the class.
    """

    lines: tuple[TalkLine, ...]
    more: int
    compared: bool


def most_to_name(students: int) -> int:
    """Return how many are named at most: a sixth of the class, three at least and six at most; half of a class of up to five.

    >>> [most_to_name(count) for count in (1, 3, 12, 24, 40, 200)]
    [1, 2, 3, 4, 6, 6]
    """
    return math.ceil(students / 2) if students <= MIN_SUBMISSIONS else max(3, min(6, students // 6))


def who_to_talk_to(
    records: Sequence[GradeRecord],
    topics: Sequence[str],
    listed: Iterable[str] = (),
    not_due: Collection[tuple[str, str]] = (),
) -> Talk:
    """Return the students to talk to about the notebooks `topics`, each with the reasons.

    Parameters
    ----------
    listed
        Students of the roster, who may have handed in nothing.
    not_due
        Pairs of student and notebook that are not due yet.
    """
    found = standings(records, topics, listed)
    graded = [one for one in found if one.share is not None]
    compared = len(graded) >= MIN_SUBMISSIONS
    usual = _usual(found, topics)
    lines = []
    for one in found:
        reasons: list[Reason | None] = [not_read(one), not_handed_in(one, usual, not_due)]
        reasons += [below_the_class(one, graded) if compared else less_than_half(one), fallen_back(one, graded)]
        told = [reason for reason in reasons if reason]
        if told:
            strength = sum(reason.strength for reason in told)
            lines.append(TalkLine(one.student, tuple(reason.words for reason in told), strength, one.work))
    lines.sort(key=lambda line: (-line.strength, line.student))
    most = most_to_name(len(found))
    return Talk(tuple(lines[:most]), max(0, len(lines) - most), compared)


def _usual(found: Sequence[Standing], topics: Sequence[str]) -> list[str]:
    """Return the notebooks that more than half of the class handed in."""
    return [topic for topic in topics if 2 * sum(topic in one.handed_in for one in found) > len(found)]
