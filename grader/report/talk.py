"""Who to talk to: those for whom there is most reason, with the reason in words.

A student is compared with the class and with their own earlier work, so that a hard notebook does not put half the class
on the list, and somebody who falls behind is seen while the points are still fair.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ..classroom.grade_record import GradeRecord
from ..classroom.talk_table import TalkRow
from .names import Names
from .standing import Standing, standings
from .talk_reasons import Reason, below_the_class, fallen_back, less_than_half, not_handed_in, not_read

#: With fewer graded submissions, a student cannot be compared with the class.
MIN_SUBMISSIONS = 5
#: Whoever has reasons of this strength is named, however many they are: no work came, or far less than the class earned.
_STRONG = 2.5


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
    """Return how many are named for reasons that are not strong: a sixth of a small class, a twelfth of a large one.

    They are three at least, and half of a class of up to five.

    >>> [most_to_name(count) for count in (1, 3, 12, 24, 40, 120, 300)]
    [1, 2, 3, 4, 6, 10, 25]
    """
    return math.ceil(students / 2) if students <= MIN_SUBMISSIONS else max(3, min(6, students // 6), students // 12)


def talk_rows(talk: Talk, names: Names) -> list[TalkRow]:
    """Return the rows of the table that people work off, with names and addresses."""
    return [
        TalkRow(
            line.student,
            names.name(line.student),
            names.email(line.student),
            names.section(line.student),
            reason=". ".join(line.reasons).replace("\N{NO-BREAK SPACE}", " ") + ".",
            work=line.work,
        )
        for line in talk.lines
    ]


def who_to_talk_to(
    records: Sequence[GradeRecord],
    topics: Sequence[str],
    listed: Iterable[str] = (),
    not_due: Collection[tuple[str, str]] = (),
    only: Collection[str] | None = None,
) -> Talk:
    """Return the students to talk to about the notebooks `topics`, each with the reasons.

    Parameters
    ----------
    listed
        Students of the roster, who may have handed in nothing.
    not_due
        Pairs of student and notebook that are not due yet.
    only
        Ids of the students who may be named, say those of a section; the whole class is what they are compared with.
    """
    class_standings = standings(records, topics, listed)
    graded = [standing for standing in class_standings if standing.share is not None]
    compared = len(graded) >= MIN_SUBMISSIONS
    usual = _usual(class_standings, topics)
    lines = []
    scope = [standing for standing in class_standings if only is None or standing.student in only]
    for standing in scope:
        reasons: list[Reason | None] = [not_read(standing), not_handed_in(standing, usual, not_due)]
        reasons += [below_the_class(standing, graded) if compared else less_than_half(standing), fallen_back(standing, graded)]
        given_reasons = [reason for reason in reasons if reason]
        if given_reasons:
            strength = sum(reason.strength for reason in given_reasons)
            lines.append(TalkLine(standing.student, tuple(reason.words for reason in given_reasons), strength, standing.work))
    lines.sort(key=lambda line: (-line.strength, line.student))
    most = max(most_to_name(len(scope)), sum(line.strength >= _STRONG for line in lines))
    return Talk(tuple(lines[:most]), max(0, len(lines) - most), compared)


def _usual(class_standings: Sequence[Standing], topics: Sequence[str]) -> list[str]:
    """Return the notebooks that more than half of the class handed in."""
    return [
        topic for topic in topics if 2 * sum(topic in standing.handed_in for standing in class_standings) > len(class_standings)
    ]
