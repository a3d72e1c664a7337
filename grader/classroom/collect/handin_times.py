"""When something was handed in: by a CSV file such as Moodle's grading worksheet, by the platform, or by the file itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path, PurePosixPath

from ..class_folder import read_timestamp
from ..platform_headings import meanings
from ..policy.course import Course
from ..roster import BadRoster, Roster, folded, folder_name, keys_of, read_table
from .archive import BadArchive, SourceFile
from .handed_in_file import Claim
from .kinds import STAMP
from .layouts import Layout
from .parse_times import read_moment
from .people import Whose

_COLUMNS = ("last modified (submission)", "time")


def read_times(path: Path, zone: tzinfo) -> dict[str, datetime]:
    """Return when each student handed in, in UTC without a zone, by every name that the student has in the row.

    A time without a zone is one in `zone`.

    Raises
    ------
    BadRoster
        If the file cannot be used. The message says why.
    """
    header, rows = read_table(path)
    columns = meanings(header)
    column = next((columns.index(name) for name in _COLUMNS if name in columns), None)
    if column is None:
        raise BadRoster(f"{path.name}: none of its columns is a time of submission (timestamp, Last modified (submission)).")
    ranked_times: dict[str, tuple[int, datetime | None]] = {}
    for row in rows:
        text = row[column].strip() if column < len(row) else ""
        if text in ("", "-", "–"):
            continue
        try:
            when = read_moment(text)
            when = (when if when.tzinfo else when.replace(tzinfo=zone)).astimezone(UTC).replace(tzinfo=None)
        except (ValueError, OverflowError):
            raise BadRoster(f"{path.name}: {text[:60]!r} is no time that can be read; write 2026-03-01 18:00.") from None
        for rank, word in enumerate(keys_of(header, row)):
            for key in time_keys(word):
                _enter(ranked_times, key, rank, when)
    return {word: when for word, (_, when) in ranked_times.items() if when is not None}


def time_keys(word: str) -> tuple[str, str]:
    """Return how a word is looked up: as it is written, then folded, since two ids may differ in case or width alone."""
    return f"={folder_name(word)}", folded(word)


def _enter(ranked_times: dict[str, tuple[int, datetime | None]], word: str, rank: int, when: datetime) -> None:
    """Give the time to the row in which the word ranks higher: an id ranks before a part of an e-mail address.

    If the word ranks the same in two rows with different times, neither time counts.
    """
    before = ranked_times.get(word)
    if before is None or rank < before[0]:
        ranked_times[word] = (rank, when)
    elif rank == before[0] and when != before[1]:
        ranked_times[word] = (rank, None)


@dataclass(frozen=True)
class Clock:
    """Tell when a file was handed in.

    `stamps` are the timestamp.txt files that the layout's own tool wrote, by path. `keys` are the words that belong to one
    student alone in the roster.
    """

    layout: Layout
    zone: tzinfo
    times: Mapping[str, datetime]
    file_times: bool
    stamps: Mapping[PurePosixPath, SourceFile]
    keys: Mapping[str, frozenset[str]]

    @classmethod
    def of(
        cls,
        files: Sequence[SourceFile],
        layout: Layout,
        course: Course,
        roster: Roster,
        times: Mapping[str, datetime],
        file_times: bool,
    ) -> Clock:
        """Return a clock for the files of an archive.

        Parameters
        ----------
        files : sequence of SourceFile
            All files of the archive.
        layout : Layout
        course : Course
        roster : Roster
        times : mapping of str to datetime
            Times of submission from a table, by `time_keys`.
        file_times : bool
            True if the times of the files count where nothing else is known.
        """
        stamps = {file.path: file for file in files if file.path.name == STAMP and not file.nested}
        keys = {
            person.id: frozenset(key for key in person.keys if roster.candidates(key) == {person.id})
            for person in roster.people
        }
        return cls(layout, course.zone, times, file_times, stamps if layout.name == "nbgrader" else {}, keys)

    def when(self, file: SourceFile, claim: Claim, whose: Whose) -> datetime | None:
        """Return when a file was handed in, in UTC without a zone, or None if nobody knows.

        Files that students write themselves are not asked.

        Parameters
        ----------
        file : SourceFile
        claim : Claim
            What the file's path says.
        whose : Whose
            The student or team of the file.
        """
        table_time = self._from_table(claim, whose)
        if table_time is not None:
            return table_time
        stamp = self.stamps.get(PurePosixPath(*file.outer.parts[: self.layout.depth + 2], STAMP))
        if stamp is not None and not stamp.problem:
            try:
                return read_timestamp(stamp.read()[:100].decode("utf-8"))
            except (BadArchive, ValueError, TypeError, OverflowError):
                pass
        moment = claim.when or (file.modified if self.file_times else None)
        return self._in_utc(moment) if moment is not None else None

    def _from_table(self, claim: Claim, whose: Whose) -> datetime | None:
        """Return the time in the table for the person who handed in, or else for any member of the team."""
        by = (whose.by,) if whose.by else whose.students
        named: Iterable[str] = (*by, *(() if claim.stem else (*claim.words, claim.name)))
        words = (*named, *sorted(key for student in by for key in self.keys.get(student, ())))
        return next((self.times[key] for word in words for key in time_keys(word) if key in self.times), None)

    def _in_utc(self, moment: datetime) -> datetime:
        return (moment if moment.tzinfo else moment.replace(tzinfo=self.zone)).astimezone(UTC).replace(tzinfo=None)
