"""How one student stands in the notebooks of a report, and how in those before."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..classroom.grade_record import GradeRecord
from ..classroom.name_list import first_names

_MAX_NAMED = 3


@dataclass(frozen=True)
class Standing:
    """One student. Points are those of the graded submissions; `before` is the share of the points in `earlier` notebooks."""

    student: str
    topics: tuple[str, ...]
    handed_in: frozenset[str]
    score: float
    most: float
    before: float | None
    earlier: int
    unreadable: tuple[GradeRecord, ...]
    work: str

    @property
    def share(self) -> float | None:
        """Return the share of the points here, or None if nothing could be graded."""
        return self.score / self.most if self.most else None


def standings(records: Sequence[GradeRecord], topics: Sequence[str], listed: Iterable[str] = ()) -> list[Standing]:
    """Return the standing of everyone who handed in anything or is listed, by name.

    Parameters
    ----------
    records : sequence of GradeRecord
        All records of the class.
    topics : sequence of str
        Names of the notebooks that count.
    listed : iterable of str, optional
        Ids of students who are included even if they handed in nothing.
    """
    by_student: dict[str, list[GradeRecord]] = defaultdict(list)
    for record in records:
        by_student[record.student].append(record)
    return [_of(name, by_student.get(name, []), topics) for name in sorted({*by_student, *listed})]


def _of(student: str, theirs: Sequence[GradeRecord], topics: Sequence[str]) -> Standing:
    here = [record for record in theirs if record.topic in topics]
    graded = [record for record in here if record.status == "graded"]
    earlier = [record for record in theirs if record.status == "graded" and record.topic < topics[0]]
    possible = sum(record.max_score for record in earlier)
    return Standing(
        student,
        tuple(topics),
        frozenset(record.topic for record in theirs),
        sum(record.score for record in graded),
        sum(record.max_score for record in graded),
        sum(record.score for record in earlier) / possible if possible else None,
        len(earlier),
        tuple(record for record in here if record.status == "unreadable"),
        _work(graded),
    )


def _work(graded: Sequence[GradeRecord]) -> str:
    """Return in words which core exercises are not right, or an empty string if all are."""
    core = [result for record in graded for result in record.results if result.core and not result.passed]
    left = [result.exercise for result in core if result.status == "not attempted"]
    failed = [result.exercise for result in core if result.status == "cell failed"]
    apart = ("not attempted", "cell failed", "partly", "our fault")
    wrong = [result.exercise for result in core if result.status not in apart]
    partly = [result.exercise for result in core if result.status == "partly"]
    parts = (("wrong", wrong), ("partly right", partly), ("cell failed", failed), ("not attempted", left))
    return "; ".join(f"{what}: {_named(names, len(graded) == 1)}" for what, names in parts if names)


def _named(exercises: Sequence[str], short: bool) -> str:
    names = [name.split(".")[1] if short else name for name in exercises]
    return first_names(names, _MAX_NAMED)
