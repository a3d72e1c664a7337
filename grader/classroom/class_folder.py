"""The folder of a class: its submissions, grades and feedback in nbgrader's own layout."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from dateutil import parser, tz

from ..submission.plain_file import read_plain

#: A file's name has 255 bytes at most, and the names of a student's records begin with the student's.
_MAX_NAME_BYTES = 220


@dataclass(frozen=True)
class Submission:
    """One student's folder for one notebook. `earlier` is a file of earlier/ that another one replaced there."""

    student: str
    topic: str
    folder: Path
    earlier: Path | None = None

    @property
    def path(self) -> Path:
        """Return the path of the submitted notebook."""
        return self.earlier or self.folder / f"{self.topic}.ipynb"

    @cached_property
    def timestamp(self) -> datetime | None:
        """Return when it was submitted, in UTC without a zone as nbgrader keeps it, or None if no file says so."""
        stamp = self.earlier.with_suffix(".txt") if self.earlier else self.folder / "timestamp.txt"
        try:
            return read_timestamp(read_plain(stamp, 100).decode("utf-8"))
        except (OSError, ValueError, TypeError, OverflowError):
            return None

    def missing(self) -> str:
        """Return why there is nothing to read, or an empty string.

        A link is not followed, because it may lead to another student's work.
        """
        for location in (self.folder.parent, self.folder, self.path):
            if location.is_symlink():
                return f"{location.name} is a link; hand in the file itself"
        if self.path.is_file():
            return ""
        others = sorted(path.name for path in self.folder.glob("*.ipynb"))
        if others:
            return f"the file has to be called {self.path.name}, not {', '.join(others[:3])}: rename it"
        return f"there is no {self.path.name} in the folder"


@dataclass(frozen=True)
class Classroom:
    """A class: the folder that holds everything, and where its gradebook is."""

    home: Path
    db: str = ""  # the gradebook's address; by default gradebook.db in the folder

    @property
    def db_url(self) -> str:
        """Return the SQLAlchemy address of the gradebook."""
        if self.db.startswith("postgresql://"):  # SQLAlchemy would look for an older driver
            return self.db.replace("postgresql://", "postgresql+psycopg://", 1)
        return self.db or f"sqlite:///{(self.home / 'gradebook.db').resolve()}"

    @property
    def submitted(self) -> Path:
        """Return the folder that holds the submissions, `submitted/{student}/{notebook}/`."""
        return self.home / "submitted"

    def autograded(self, submission: Submission) -> Path:
        """Return the path of the marked notebook of a submission."""
        return self.home / "autograded" / submission.student / submission.topic / f"{submission.topic}.ipynb"

    def submissions(self, topics: Sequence[str], student: str | None = None) -> Iterator[Submission]:
        """Return what was submitted for these notebooks, by student, without folders whose name is not valid."""
        return (submission for submission in self._all(topics, student) if not unfit(submission.student))

    def misnamed(self, topics: Sequence[str], student: str | None = None) -> Iterator[tuple[Submission, str]]:
        """Return the submissions in folders whose name is not valid, each with the reason."""
        return (
            (submission, unfit(submission.student)) for submission in self._all(topics, student) if unfit(submission.student)
        )

    def _all(self, topics: Sequence[str], student: str | None) -> Iterator[Submission]:
        if not self.submitted.is_dir():
            return
        for person in sorted(self.submitted.iterdir()):
            if not person.is_dir() or person.name.startswith(".") or student not in (None, person.name):
                continue
            for topic in topics:
                folder = person / topic
                if folder.is_dir():
                    yield Submission(person.name, topic, folder)


def unfit(name: str) -> str:
    r"""Return why a student's folder cannot have this name, or an empty string if it can.

    Records, pages and gradebook could not store such a name.

    >>> unfit("Ada Lovelace"), unfit("a\nb")
    ('', 'the name of the folder holds signs that cannot be printed; rename it')
    """
    if not name.isprintable():  # nor can it be written as UTF-8, where the file system has bytes that are no text
        return "the name of the folder holds signs that cannot be printed; rename it"
    if len(name.encode("utf-8")) > _MAX_NAME_BYTES:
        return f"the name of the folder has more than {_MAX_NAME_BYTES} bytes; rename it"
    return ""


def read_timestamp(text: str) -> datetime:
    """Return what a timestamp.txt says, in UTC without a zone; raise ValueError, TypeError or OverflowError if it says nothing.

    nbgrader reads them alike, except for the offset of "18:00:00 +0800", which it takes for 800 seconds.

    >>> read_timestamp("2026-03-01 18:00:00 +0800").hour
    10
    """
    words = text.split()
    if len(words) == 3 and not words[2].startswith(("+", "-")):
        moment = parser.parse(f"{words[0]} {words[1]} TZ", tzinfos={"TZ": tz.gettz(words[2])})
    else:
        moment = parser.parse(" ".join(words))
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def now() -> str:
    """Return the present moment as text, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
