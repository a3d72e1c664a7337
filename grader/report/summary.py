"""Numbers of a class: scores, pass rates, mistakes, and who needs help."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from embedding_course.checking.result import Result
from embedding_course.exercises.index import entries
from embedding_course.lessons import lesson

from ..classroom.records import GradeRecord
from .by_hand import ByHand
from .discrimination import FEW, Discrimination, discriminations
from .help import HelpLine, who_needs_help
from .requests import Request
from .teach import TeachAgain, lessons_to_repeat

__all__ = ["ExerciseLine", "MistakeLine", "NotebookLine", "Summary", "summarise"]

_BINS = 10
_ENDED = ("crashed", "timed out", "out of memory", "flooded")


@dataclass
class NotebookLine:
    """The scores of one notebook: shares of its points, and how many fall into each tenth."""

    topic: str
    shares: list[float]
    most: float

    @property
    def median(self) -> float:
        return statistics.median(self.shares) if self.shares else 0.0

    @property
    def bins(self) -> list[int]:
        found = [0] * _BINS
        for share in self.shares:
            found[min(int(share * _BINS), _BINS - 1)] += 1
        return found


@dataclass
class ExerciseLine:
    """How one exercise went: counts of each status, and of each criterion's passes."""

    id: str
    title: str
    core: bool
    statuses: Counter[str] = field(default_factory=Counter)
    criteria: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    unnamed: int = 0

    @property
    def count(self) -> int:
        return self.statuses.total()

    @property
    def topic(self) -> str:
        return lesson(self.id[:2]).topic

    def share(self, status: str) -> float:
        """The share of submissions with this status; everything that earned nothing counts as "wrong"."""
        if status == "wrong":
            others = sum(self.statuses[name] for name in ("passed", "partly", "not attempted"))
            return (self.count - others) / self.count if self.count else 0.0
        return self.statuses[status] / self.count if self.count else 0.0


@dataclass
class MistakeLine:
    """A mistake that was recognised, and who made it."""

    exercise: str
    slug: str
    diagnosis: str
    next_step: str
    students: list[str] = field(default_factory=list)


@dataclass
class Summary:
    """All that the page shows."""

    records: Sequence[GradeRecord]
    notebooks: list[NotebookLine]
    exercises: list[ExerciseLine]
    mistakes: list[MistakeLine]
    help: list[HelpLine]
    unreadable: list[GradeRecord]
    remarks: list[GradeRecord]
    ended: list[tuple[str, Result]]
    our_faults: list[tuple[str, Result]]
    lessons: list[TeachAgain]
    discriminations: list[Discrimination]
    requests: Sequence[Request] = ()
    by_hand: Sequence[ByHand] = ()

    @property
    def students(self) -> list[str]:
        return sorted({record.student for record in self.records})

    @property
    def few(self) -> bool:
        """Are there so few submissions that correlations say little?"""
        return any(line.count < FEW for line in self.discriminations)

    @property
    def ended_counts(self) -> list[tuple[str, str, int]]:
        """(exercise, how it ended, how often), the most common first."""
        counts = Counter((result.exercise, str(result.status)) for _, result in self.ended)
        return [(*what, count) for what, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))]

    @property
    def graded(self) -> list[GradeRecord]:
        return [record for record in self.records if record.status == "graded"]


def summarise(records: Sequence[GradeRecord], requests: Sequence[Request] = (), by_hand: Sequence[ByHand] = ()) -> Summary:
    """Count. LookupError when there is nothing to count."""
    if not records:
        raise LookupError("Nothing was graded yet: run `grader grade` first.")
    graded = [record for record in records if record.status == "graded"]
    pairs = [(record.student, result) for record in graded for result in record.results]
    return Summary(
        records=records,
        notebooks=_notebooks(graded),
        exercises=_exercises(pairs),
        mistakes=_mistakes(pairs),
        help=who_needs_help(records),
        unreadable=[record for record in records if record.status != "graded"],
        remarks=[record for record in graded if record.notes],
        ended=[pair for pair in pairs if pair[1].status in _ENDED],
        our_faults=[pair for pair in pairs if pair[1].status == "our fault"],
        lessons=lessons_to_repeat(pairs),
        discriminations=discriminations(graded),
        requests=requests,
        by_hand=by_hand,
    )


def _notebooks(graded: Sequence[GradeRecord]) -> list[NotebookLine]:
    by_topic: dict[str, NotebookLine] = {}
    for record in graded:
        line = by_topic.setdefault(record.topic, NotebookLine(record.topic, [], record.max_score))
        line.shares.append(record.score / record.max_score if record.max_score else 0.0)
    return [by_topic[topic] for topic in sorted(by_topic)]


def _exercises(pairs: Sequence[tuple[str, Result]]) -> list[ExerciseLine]:
    lines: dict[str, ExerciseLine] = {}
    for _, result in pairs:
        if result.status == "our fault":  # says nothing about the class
            continue
        line = lines.setdefault(result.exercise, ExerciseLine(result.exercise, result.title, result.core))
        line.statuses[result.status] += 1
        line.unnamed += result.status in ("wrong", "partly") and result.mistake is None
        for criterion in result.criteria:
            line.criteria[criterion.name][0] += criterion.passed
            line.criteria[criterion.name][1] += 1
    order = {name: place for place, name in enumerate(entries())}
    return sorted(lines.values(), key=lambda line: order.get(line.id, len(order)))


def _mistakes(pairs: Sequence[tuple[str, Result]]) -> list[MistakeLine]:
    lines: dict[tuple[str, str], MistakeLine] = {}
    for student, result in pairs:
        if result.mistake:
            fresh = MistakeLine(result.exercise, result.mistake, result.diagnosis, result.next_step)
            lines.setdefault((result.exercise, result.mistake), fresh).students.append(student)
    return sorted(lines.values(), key=lambda line: (-len(line.students), line.exercise, line.slug))
