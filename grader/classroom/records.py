"""Store the record of each graded submission beside the gradebook: one JSON file, written in one step.

The gradebook holds points only, so the class report and the feedback pages are made of records. Earlier attempts stay in a file
beside the record, one line each.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from embedding_course.checking.result import Result, number
from embedding_course.checking.seed import storable
from embedding_course.files import atomic_write

from ..submission.plain_file import open_plain
from .grade_record import GradeRecord

FOLDER = "results"


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
    """Return the latest record of each file that a student handed in for a notebook, by the file's digest."""
    return {record.submission: record for record in attempts(home, topic, student)}


def _attempt(record: GradeRecord) -> tuple[str, str, int, list[Result]]:
    """Return what distinguishes one attempt from another.

    The time of an attempt has a resolution of one second. A mark can change within one second, so the results are included.
    """
    return record.submission, record.graded_at, record.seed, record.results


def earlier_attempts(home: Path, topic: str, student: str) -> list[GradeRecord]:
    """Return the attempts at one submission before the one that counts now, the oldest first."""
    attempts = []
    try:
        for line in _history(home, topic, student).read_bytes().splitlines():
            with contextlib.suppress(msgspec.DecodeError):  # a line cut off by a crash
                attempts.append(msgspec.json.decode(line, type=GradeRecord))
    except OSError:
        pass
    return attempts


def attempts(home: Path, topic: str, student: str) -> list[GradeRecord]:
    """Return all attempts at one submission, the oldest first; the last one is what counts now."""
    last = load(home, topic, student)
    return [*earlier_attempts(home, topic, student), *([last] if last else [])]


def load(home: Path, topic: str, student: str) -> GradeRecord | None:
    """Return the record of one submission, if there is a readable one."""
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
