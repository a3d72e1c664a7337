"""The record of one graded submission: its verdicts, the seed that repeats them, and notes on the file."""

from __future__ import annotations

import msgspec

from embedding_course.checking.result import Result, earned, extra, possible
from embedding_course.checking.seed import Seed, read_seed
from embedding_course.exercises.index import entries_of
from embedding_course.messages import ENGLISH

from .policy.points import Terms


class Attempt(msgspec.Struct):
    """What is kept of a graded file that does not count, because another file of the same student does.

    `beyond` is true for a file that came after as many as may count.
    """

    submission: str
    handed_in: str
    graded_at: str
    status: str
    points: float = 0.0  # after lateness
    late: float = 0.0
    reason: str = ""
    beyond: bool = False


class GradeRecord(msgspec.Struct, kw_only=True):
    """One graded (or unreadable) submission.

    Attributes
    ----------
    submission, check, stored
        The SHA-256 of the file, the version of its checks, and whether the gradebook has the grade. If the file and
        the version are the same and the grade is stored, there is nothing to do again.
    versions
        A fingerprint of each exercise, and of what they share, as it was graded.
    reason
        Why the submission could not be read or graded, or why the gradebook does not have it.
    results, unweighted
        The verdicts with the points of the class and before penalties; and where `terms` changed something, the
        verdicts with the points of the lesson, including what the class dropped.
    terms
        Stands for the class's own points in course.toml.
    late, penalty
        How many seconds after its deadline it came, and the share of the notebook's points that this takes.
    sandbox, runner, python
        How it was graded, and the path of the Python that ran its cells, empty for the grader's own.
    language
        The language of what the verdicts say, as `set_language` takes it.
    written_with
        The version of Python that the notebook states.
    handed_in
        A moment in UTC, or empty if it is not known.
    others
        The other files that came and do not count.
    team, members
        For whom a submission of several people counts.
    added_later
        Exercises that are not in the notebook that this student got.
    """

    student: str
    topic: str
    status: str  # "graded", "unreadable", or "failed" where the grader itself did
    seed: Seed
    submission: str
    graded_at: str
    reason: str = ""
    notes: list[str] = []
    results: list[Result] = []
    written: dict[str, bool] = {}  # written answers by their cells: was there one?
    check: str = ""
    versions: dict[str, str] = {}
    sandbox: str = ""
    runner: str = ""
    stored: bool = True
    terms: str = ""
    late: float = 0.0
    penalty: float = 0.0
    python: str = ""
    language: str = ENGLISH
    written_with: str = ""
    unweighted: list[Result] = []
    handed_in: str = ""
    others: list[Attempt] = []
    team: str = ""
    members: list[str] = []
    added_later: list[str] = []

    def __post_init__(self) -> None:
        read_seed(self, self.seed)

    @property
    def students(self) -> tuple[str, ...]:
        """Return for whom this counts: the student and the members of the team."""
        return (self.student, *(member for member in self.members if member != self.student))

    @property
    def verdicts(self) -> list[Result]:
        """Return the verdicts with the lesson's own points, whatever the class counts."""
        return self.unweighted or self.results

    def weighed(self, terms: Terms) -> GradeRecord | None:
        """Return the record with the points of these terms, or None if it does not hold the verdicts that this needs.

        A record of an older version has only the verdicts that the class counted then, with its points of then.
        """
        if self.terms == terms.stamp:
            return self
        counted = {verdict.exercise for verdict in self.verdicts} | set(self.added_later)
        if self.results and (
            (self.terms and not self.unweighted) or counted < {exercise.id for exercise in entries_of(self.topic)}
        ):
            return None
        unweighted = self.verdicts
        results = terms.apply(unweighted)
        kept = unweighted if terms.stamp else []
        return msgspec.structs.replace(self, terms=terms.stamp, results=results, unweighted=kept)

    @property
    def score(self) -> float:
        """Return the points earned."""
        return earned(self.results)

    @property
    def max_score(self) -> float:
        """Return the points that can be earned."""
        return possible(self.results)

    @property
    def extra(self) -> float:
        """Return the extra credit: the points of exercises that are not core."""
        return extra(self.results)
