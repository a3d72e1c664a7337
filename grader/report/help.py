"""Who needs help: low points, files that could not be read, notebooks that most handed in and they did not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ..classroom.records import GradeRecord

__all__ = ["HELP_BELOW", "HelpLine", "who_needs_help"]

#: Below this share of a notebook's points a student is listed.
HELP_BELOW = 0.6


@dataclass
class HelpLine:
    """A student to look after: share of all points, the core exercises that stand open, and what is missing."""

    student: str
    share: float
    untouched: list[str]
    wrong: list[str]
    unreadable: list[str]
    missing: list[str]


def who_needs_help(records: Sequence[GradeRecord]) -> list[HelpLine]:
    """Those below HELP_BELOW in some notebook, with a file that could not be read, or without one that more than half of
    the class handed in; the lowest share first."""
    by_student: dict[str, list[GradeRecord]] = defaultdict(list)
    for record in records:
        by_student[record.student].append(record)
    counts = Counter(record.topic for record in records)
    usual = {topic for topic, count in counts.items() if 2 * count > len(by_student)}
    lines = []
    for student, theirs in by_student.items():
        graded = [record for record in theirs if record.status == "graded"]
        unreadable = sorted(record.topic for record in theirs if record.status == "unreadable")
        missing = sorted(usual - {record.topic for record in theirs})
        most = sum(record.max_score for record in graded)
        share = sum(record.score for record in graded) / most if most else 0.0
        if not (unreadable or missing or any(record.score < HELP_BELOW * record.max_score for record in graded)):
            continue
        core = [result for record in graded for result in record.results if result.core and not result.passed]
        untouched = [result.exercise for result in core if result.status == "not attempted"]
        wrong = [result.exercise for result in core if result.status != "not attempted"]
        lines.append(HelpLine(student, share, untouched, wrong, unreadable, missing))
    return sorted(lines, key=lambda line: (line.share, line.student))
