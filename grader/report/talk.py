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
    class_standings = standings(records, topics, listed)
    graded = [standing for standing in class_standings if standing.share is not None]
    compared = len(graded) >= MIN_SUBMISSIONS
    usual = _usual(class_standings, topics)
    lines = []
    for standing in class_standings:
        reasons: list[Reason | None] = [not_read(standing), not_handed_in(standing, usual, not_due)]
        reasons += [below_the_class(standing, graded) if compared else less_than_half(standing), fallen_back(standing, graded)]
        given_reasons = [reason for reason in reasons if reason]
        if given_reasons:
            strength = sum(reason.strength for reason in given_reasons)
            lines.append(TalkLine(standing.student, tuple(reason.words for reason in given_reasons), strength, standing.work))
    lines.sort(key=lambda line: (-line.strength, line.student))
    most = most_to_name(len(class_standings))
    return Talk(tuple(lines[:most]), max(0, len(lines) - most), compared)


def _usual(class_standings: Sequence[Standing], topics: Sequence[str]) -> list[str]:
    """Return the notebooks that more than half of the class handed in."""
    return [
        topic for topic in topics if 2 * sum(topic in standing.handed_in for standing in class_standings) > len(class_standings)
    ]
