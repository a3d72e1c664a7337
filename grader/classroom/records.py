"""What is kept of each graded submission beside the gradebook: one JSON file, written in one step.

The gradebook holds points; these records hold the verdicts, the seed that repeats them, and what had to be said about
the file. The class report is made of them. Earlier attempts stay in a file beside it, one line each.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from embedding_course.checking.result import Result, earned, extra, number, possible
from embedding_course.checking.seed import Seed, read_seed, storable
from embedding_course.exercises.index import entries_of
from embedding_course.files import atomic_write
from embedding_course.messages import ENGLISH

from ..submission.plain_file import open_plain
from .policy.points import Terms

FOLDER = "results"


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


def digest_of(content: bytes) -> str:
    """Return SHA-256 of what was read of a submitted file, in hex."""
    return hashlib.sha256(content).hexdigest()


def digest(path: Path) -> str:
    """Return the SHA-256 of a submitted file, in hex, or an empty string if there is no plain file to read."""
    try:
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _path(home: Path, topic: str, student: str) -> Path:
    return home / FOLDER / topic / f"{student}.json"


def _history(home: Path, topic: str, student: str) -> Path:
    return home / FOLDER / topic / f"{student}.attempts.jsonl"


def save(home: Path, record: GradeRecord, earlier: GradeRecord | None) -> None:
    """Store a record in the folder of the class.

    Parameters
    ----------
    home : Path
        Folder of the class.
    record : GradeRecord
        Record to store.
    earlier : GradeRecord or None
        Record that it replaces, if there is one; a different attempt goes to the history of attempts.
    """
    path = _path(home, record.topic, record.student)
    path.parent.mkdir(parents=True, exist_ok=True)
    if earlier is not None and _attempt(earlier) != _attempt(record):
        keep(home, earlier)
    atomic_write(path, msgspec.json.format(msgspec.json.encode(storable(record)), indent=1))


def keep(home: Path, record: GradeRecord) -> None:
    """Append a record to the history of attempts: one that does not count, or no longer does."""
    path = _history(home, record.topic, record.student)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(record) + b"\n")


def latest(home: Path, topic: str, student: str) -> dict[str, GradeRecord]:
    """Return the latest record of each file that was handed in, by the file's digest.

    Parameters
    ----------
    home : Path
        Folder of the class.
    topic : str
        Name of the notebook.
    student : str
        Id of the student.
    """
    return {record.submission: record for record in attempts(home, topic, student)}


def _attempt(record: GradeRecord) -> tuple[str, str, int, list[Result]]:
    """Return what distinguishes one attempt from another.

    The time of an attempt has a resolution of one second. A mark can change within one second, so the results are included.
    """
    return record.submission, record.graded_at, record.seed, record.results


def earlier_attempts(home: Path, topic: str, student: str) -> list[GradeRecord]:
    """Return the attempts at one submission before the one that counts now, the oldest first.

    Parameters
    ----------
    home : Path
        Folder of the class.
    topic : str
        Name of the notebook.
    student : str
        Id of the student.
    """
    attempts = []
    try:
        for line in _history(home, topic, student).read_bytes().splitlines():
            with contextlib.suppress(msgspec.DecodeError):  # a line cut off by a crash
                attempts.append(msgspec.json.decode(line, type=GradeRecord))
    except OSError:
        pass
    return attempts


def attempts(home: Path, topic: str, student: str) -> list[GradeRecord]:
    """Return all attempts at one submission, the oldest first; the last one is what counts now.

    Parameters
    ----------
    home : Path
        Folder of the class.
    topic : str
        Name of the notebook.
    student : str
        Id of the student.
    """
    last = load(home, topic, student)
    return [*earlier_attempts(home, topic, student), *([last] if last else [])]


def load(home: Path, topic: str, student: str) -> GradeRecord | None:
    """Return the record of one submission, if there is a readable one.

    Parameters
    ----------
    home : Path
        Folder of the class.
    topic : str
        Name of the notebook.
    student : str
        Id of the student.
    """
    try:
        return msgspec.json.decode(_path(home, topic, student).read_bytes(), type=GradeRecord)
    except (OSError, msgspec.DecodeError):
        return None


def load_all(home: Path) -> Iterator[GradeRecord]:
    """Yield all records of a class, by topic and student."""
    for folder in sorted((home / FOLDER).glob("*/")):
        yield from load_topic(home, folder.name)


def files(home: Path, topic: str) -> list[Path]:
    """Return the files that hold the records of one notebook; each is called as its student."""
    return sorted((home / FOLDER / topic).glob("*.json"))


def load_topic(home: Path, topic: str) -> Iterator[GradeRecord]:
    """Yield the records of one notebook, by student."""
    for path in files(home, topic):
        record = load(home, topic, path.stem)
        if record is not None:
            yield record


def by_submission(home: Path) -> dict[tuple[str, str], GradeRecord]:
    """Return the records by topic and student."""
    return {(record.topic, record.student): record for record in load_all(home)}


def log_line(record: GradeRecord) -> str:
    """Return one record as a line, with an empty score if there is none."""
    score = number(record.score) if record.status == "graded" else ""
    return "\t".join([record.graded_at, record.student, record.topic, score, record.status])


@contextlib.contextmanager
def open_log(path: Path | None) -> Iterator[Callable[[GradeRecord], object]]:
    """Open the log and give the function that appends a record to it; without a file, a function that does nothing."""
    if path is None:
        yield lambda record: None
        return
    with path.open("a", encoding="utf-8", buffering=1) as file:
        yield lambda record: file.write(f"{log_line(record)}\n")
