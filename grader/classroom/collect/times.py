"""Times of submission from a CSV file, such as Moodle's grading worksheet."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from pathlib import Path

from ..headings import meanings
from ..roster import BadRoster, folded, folder_name, keys_of, read_table
from .moments import read_moment

__all__ = ["read_times", "time_keys"]

_COLUMNS = ("last modified (submission)", "time")


def read_times(path: Path, zone: tzinfo) -> dict[str, datetime]:
    """When each student handed in, in UTC without a zone, by every word that the line calls them. A time without
    a zone is one in `zone`. BadRoster says what is wrong with the file."""
    header, rows = read_table(path)
    columns = meanings(header)
    place = next((columns.index(name) for name in _COLUMNS if name in columns), None)
    if place is None:
        raise BadRoster(f"{path.name}: none of its columns is a time of submission (timestamp, Last modified (submission)).")
    found: dict[str, tuple[int, datetime | None]] = {}
    for row in rows:
        said = row[place].strip() if place < len(row) else ""
        if said in ("", "-", "–"):
            continue
        try:
            when = read_moment(said)
            when = (when if when.tzinfo else when.replace(tzinfo=zone)).astimezone(UTC).replace(tzinfo=None)
        except (ValueError, OverflowError):
            raise BadRoster(f"{path.name}: {said[:60]!r} is no time that can be read; write 2026-03-01 18:00.") from None
        for rank, word in enumerate(keys_of(header, row)):
            for key in time_keys(word):
                _enter(found, key, rank, when)
    return {word: when for word, (_, when) in found.items() if when is not None}


def time_keys(word: str) -> tuple[str, str]:
    """How a word is looked up: as it is written, then folded, since two ids may differ in case or width alone."""
    return f"={folder_name(word)}", folded(word)


def _enter(found: dict[str, tuple[int, datetime | None]], word: str, rank: int, when: datetime) -> None:
    """The line for which a word ranks higher has it: an id, before a part of somebody's e-mail address. Nobody has it where two
    lines are equal in that."""
    before = found.get(word)
    if before is None or rank < before[0]:
        found[word] = (rank, when)
    elif rank == before[0] and when != before[1]:
        found[word] = (rank, None)
