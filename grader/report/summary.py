"""Numbers of a class: scores, pass rates, mistakes, and who needs help."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from embedding_course.exercises import known
from embedding_course.result import Result

from ..records import Record

__all__ = ["ExerciseLine", "MistakeLine", "NotebookLine", "Summary", "summarise"]

#: Below this share of a notebook's points a student is listed under "who needs help".
HELP_BELOW = 0.6
_BINS = 10


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
class HelpLine:
    """A student below the mark in some notebook: share of all points, and the exercises that stand open."""

    student: str
    share: float
    untouched: list[str]
    wrong: list[str]
    unreadable: list[str]


@dataclass
class Summary:
    """All that the page shows."""

    records: Sequence[Record]
    notebooks: list[NotebookLine]
    exercises: list[ExerciseLine]
    mistakes: list[MistakeLine]
    help: list[HelpLine]
    unreadable: list[Record]
    remarks: list[Record]
    ended: list[tuple[str, Result]]
    our_faults: list[tuple[str, Result]]

    @property
    def graded(self) -> list[Record]:
        return [record for record in self.records if record.status == "graded"]


def summarise(records: Sequence[Record]) -> Summary:
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
        help=_help(records),
        unreadable=[record for record in records if record.status != "graded"],
        remarks=[record for record in graded if record.notes],
        ended=[pair for pair in pairs if pair[1].status in ("crashed", "timed out", "out of memory", "flooded")],
        our_faults=[pair for pair in pairs if pair[1].status == "our fault"],
    )


def _notebooks(graded: Sequence[Record]) -> list[NotebookLine]:
    by_topic: dict[str, NotebookLine] = {}
    for record in graded:
        line = by_topic.setdefault(record.topic, NotebookLine(record.topic, [], record.max_score))
        line.shares.append(record.score / record.max_score if record.max_score else 0.0)
    return [by_topic[topic] for topic in sorted(by_topic)]


def _exercises(pairs: Sequence[tuple[str, Result]]) -> list[ExerciseLine]:
    lines: dict[str, ExerciseLine] = {}
    for _, result in pairs:
        line = lines.setdefault(result.exercise, ExerciseLine(result.exercise, result.title, result.core))
        line.statuses[result.status] += 1
        line.unnamed += result.status in ("wrong", "partly") and result.mistake is None
        for criterion in result.criteria:
            line.criteria[criterion.name][0] += criterion.passed
            line.criteria[criterion.name][1] += 1
    order = {name: place for place, name in enumerate(known())}
    return sorted(lines.values(), key=lambda line: order.get(line.id, len(order)))


def _mistakes(pairs: Sequence[tuple[str, Result]]) -> list[MistakeLine]:
    lines: dict[tuple[str, str], MistakeLine] = {}
    for student, result in pairs:
        if result.mistake:
            fresh = MistakeLine(result.exercise, result.mistake, result.diagnosis, result.next_step)
            lines.setdefault((result.exercise, result.mistake), fresh).students.append(student)
    return sorted(lines.values(), key=lambda line: (-len(line.students), line.exercise, line.slug))


def _help(records: Sequence[Record]) -> list[HelpLine]:
    by_student: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_student[record.student].append(record)
    lines = []
    for student, theirs in by_student.items():
        graded = [record for record in theirs if record.status == "graded"]
        unreadable = [record.topic for record in theirs if record.status == "unreadable"]
        most = sum(record.max_score for record in graded)
        share = sum(record.score for record in graded) / most if most else 0.0
        low = any(record.score < HELP_BELOW * record.max_score for record in graded)
        if not (low or unreadable):
            continue
        core = [result for record in graded for result in record.results if result.core and not result.passed]
        untouched = [result.exercise for result in core if result.status == "not attempted"]
        wrong = [result.exercise for result in core if result.status != "not attempted"]
        lines.append(HelpLine(student, share, untouched, wrong, unreadable))
    return sorted(lines, key=lambda line: line.share)
