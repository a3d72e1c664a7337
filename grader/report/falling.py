"""Who falls behind over the weeks of a term: work that stops coming, and points that fall against those of the class."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from embedding_course.messages import Listing

from ..classroom.grade_record import GradeRecord
from .standing import standings
from .talk_reasons import Reason, below_the_class

State = Literal["graded", "unreadable", "missing", "not due"]
#: A line through fewer notebooks says nothing.
_MIN_NOTEBOOKS = 3
#: How many standard errors below zero a slope has to be: 1 % of students who do not fall behind reach it by chance.
_ERRORS = 2.33
#: Slopes nearer to zero do not matter, however certain they are: so much of the points for each notebook.
_MIN_SLOPE = 0.03
#: Points of one student scatter at least so much around a straight line.
_MIN_SCATTER = 0.03
#: How many missing notebooks in a row are a reason.
_MIN_RUN = 2


@dataclass(frozen=True)
class TermLine:
    """One student over a term.

    Attributes
    ----------
    shares, states
        The share of the points, and what became of the work, by notebook; there is a share only where it was graded.
    slope
        How the share changes from one notebook to the next, beyond what it does in the class; None if that is not known.
    reasons
        Why the student falls behind, the strongest reason first; none for most students.
    """

    student: str
    shares: Mapping[str, float]
    states: Mapping[str, State]
    slope: float | None = None
    reasons: tuple[Reason, ...] = ()

    @property
    def missing(self) -> list[str]:
        """Return the notebooks from which nothing came although their time is over."""
        return [topic for topic, state in self.states.items() if state == "missing"]

    @property
    def run(self) -> int:
        """Return how many of the last notebooks in a row are missing."""
        return _run(self.states)

    @property
    def strength(self) -> float:
        """Return how strong the reasons are together."""
        return sum(reason.strength for reason in self.reasons)


def term_lines(
    records: Sequence[GradeRecord],
    topics: Sequence[str],
    listed: Iterable[str] = (),
    not_due: Collection[tuple[str, str]] = (),
) -> list[TermLine]:
    """Return a line for everybody in the class: those who fall behind first, by the strength of the reasons, then by id.

    Parameters
    ----------
    records : sequence of GradeRecord
        All records of the class.
    topics : sequence of str
        The notebooks of the term that were graded, in their order.
    listed : iterable of str, optional
        Ids of the students of the roster.
    not_due : collection of (str, str), optional
        Student and notebook of work whose time is not over.
    """
    class_standings = standings(records, topics, listed)
    graded = [standing for standing in class_standings if standing.share is not None]
    of_student: dict[str, dict[str, GradeRecord]] = {}
    for record in records:
        of_student.setdefault(record.student, {})[record.topic] = record
    shares = {
        standing.student: {
            topic: record.score / record.max_score
            for topic in topics
            if (record := of_student.get(standing.student, {}).get(topic)) and record.status == "graded" and record.max_score
        }
        for standing in class_standings
    }
    slopes = _slopes(shares, topics)
    lines = []
    for standing in class_standings:
        student = standing.student
        states: dict[str, State] = {topic: _state(student, topic, of_student.get(student, {}), not_due) for topic in topics}
        slope, errors = slopes.get(student, (None, 0.0))
        reasons = [_stopped(states), _falls(slope, errors), below_the_class(standing, graded)]
        ordered = sorted((reason for reason in reasons if reason), key=lambda reason: -reason.strength)
        lines.append(TermLine(student, shares[student], states, slope, tuple(ordered)))
    return sorted(lines, key=lambda line: (-line.strength, line.student))


def _state(student: str, topic: str, theirs: Mapping[str, GradeRecord], not_due: Collection[tuple[str, str]]) -> State:
    if topic in theirs:
        return "graded" if theirs[topic].status == "graded" else "unreadable"
    return "not due" if (student, topic) in not_due else "missing"


def _slopes(shares: Mapping[str, Mapping[str, float]], topics: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the slope of each student, and by how many standard errors it differs from zero.

    The line goes through the differences from the class's median. How much points scatter around such a line is taken from the
    whole class, since a student has too few notebooks to tell.
    """
    by_topic = {topic: [theirs[topic] for theirs in shares.values() if topic in theirs] for topic in topics}
    medians = {topic: statistics.median(values) for topic, values in by_topic.items() if values}
    slopes: dict[str, tuple[float, float]] = {}
    squares, freedom = 0.0, 0
    for student, theirs in shares.items():
        if len(theirs) < _MIN_NOTEBOOKS:
            continue
        x = [float(topics.index(topic)) for topic in theirs]
        y = [share - medians[topic] for topic, share in theirs.items()]
        slope, start = statistics.linear_regression(x, y)
        slopes[student] = slope, math.sqrt(statistics.variance(x) * (len(x) - 1))
        squares += sum((value - start - slope * at) ** 2 for at, value in zip(x, y, strict=True))
        freedom += len(x) - 2
    scatter = max(_MIN_SCATTER, math.sqrt(squares / freedom)) if freedom else 0.0
    return {student: (slope, slope * width / scatter) for student, (slope, width) in slopes.items()}


def _run(states: Mapping[str, State]) -> int:
    """Return how many notebooks are missing in a row at the end, of those whose time is over."""
    due = [state for state in states.values() if state != "not due"]
    return next((count for count, state in enumerate(reversed(due)) if state != "missing"), len(due))


def _stopped(states: Mapping[str, State]) -> Reason | None:
    """Return the reason if nothing came of the last notebooks, or of half of all."""
    due = [(topic, state) for topic, state in states.items() if state != "not due"]
    missing = [topic for topic, state in due if state == "missing"]
    run = _run(states)
    if run >= _MIN_RUN and run < len(due):
        last = [topic[:2] for topic, _ in due[-run:]]
        return Reason(f"Nothing came of the last {run} notebooks, {Listing(last)}", 2.0 + run / 2)
    if run == len(due) and due:
        return Reason("Nothing came yet" if len(due) > 1 else f"Nothing came of {missing[0][:2]}", 3.0)
    if len(missing) >= _MIN_RUN and 2 * len(missing) >= len(due):
        return Reason(f"Nothing came of {len(missing)} of {len(due)} notebooks", 2.0)
    return None


def _falls(slope: float | None, errors: float) -> Reason | None:
    if slope is None or slope > -_MIN_SLOPE or errors > -_ERRORS:
        return None
    words = f"Loses {-100 * slope:.0f} points of 100 from notebook to notebook against the class"
    return Reason(words, min(4.0, -errors))
