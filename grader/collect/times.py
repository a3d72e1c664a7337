"""Times of submission from a CSV file, such as Moodle's grading worksheet."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from pathlib import Path

from dateutil import parser

from .roster import BadRoster, folded, keys_of, read_table

__all__ = ["read_times"]

_COLUMNS = ("last modified (submission)", "submitted at", "submitted_at", "submission time", "timestamp", "time")


def read_times(path: Path, zone: tzinfo) -> dict[str, datetime]:
    """When each student handed in, in UTC without a zone, by every folded word that the line calls them. A time without
    a zone is one in `zone`. BadRoster says what is wrong with the file."""
    header, rows = read_table(path)
    columns = [column.strip().casefold() for column in header]
    place = next((columns.index(name) for name in _COLUMNS if name in columns), None)
    if place is None:
        raise BadRoster(f"{path.name}: none of its columns is a time of submission ({', '.join(_COLUMNS)}).")
    found: dict[str, datetime] = {}
    for row in rows:
        said = row[place].strip() if place < len(row) else ""
        if said in ("", "-"):
            continue
        try:
            when = parser.parse(said)
            when = (when if when.tzinfo else when.replace(tzinfo=zone)).astimezone(UTC).replace(tzinfo=None)
        except (ValueError, OverflowError):
            raise BadRoster(f"{path.name}: {said[:60]!r} is no time that can be read; write 2026-03-01 18:00.") from None
        for word in keys_of(header, row):
            found[folded(word)] = when
    return found
