"""Deadlines: moments that are the same for everybody, whatever zone they were written in."""

import difflib
import re
import zoneinfo
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any

from embedding_course.messages import Message

from .toml_file import CourseFile, Extension, WrongCourse, check_student, shown

_OFFSET = re.compile(r"(?:UTC|GMT)?\s?([+-])(\d{1,2})(?::?([0-5]\d))?", re.IGNORECASE)
#: Asked for often, and not in the database; the nearest spelling would be another country.
_MEANT = {"beijing": "Asia/Shanghai", "peking": "Asia/Shanghai"}
_EXAMPLE = 'such as "2026-03-01 23:59"'
#: tzdata's names for fixed offsets have the sign the other way round; nobody who writes Etc/GMT+8 means west of Greenwich.
_MISLEADING = re.compile(r"etc/gmt[+-]\d+", re.IGNORECASE)


def zone(name: str, key: str = "timezone") -> tzinfo:
    """Return the time zone called `name`: a place ("Asia/Shanghai") or an offset ("+05:45").

    >>> str(zone("+05:45"))
    'UTC+05:45'

    Raises
    ------
    WrongCourse
        If there is no such time zone. The message names the closest ones.
    """
    name = name.strip()
    if name.upper() in ("Z", "UTC", "GMT"):
        return UTC
    offset = _OFFSET.fullmatch(name)
    if offset:
        sign, hours, minutes = offset.groups()
        length = timedelta(hours=int(hours), minutes=int(minutes or 0))
        if length <= timedelta(hours=14):
            return timezone(-length if sign == "-" else length)
    elif not _MISLEADING.fullmatch(name):
        try:
            return zoneinfo.ZoneInfo(name)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            pass
    if _MISLEADING.fullmatch(name):
        raise WrongCourse(f'{key}: {shown(name)} means the opposite of what it says; write an offset such as "+08:00".')
    raise WrongCourse(
        f'{key}: there is no time zone {shown(name)}; write a place such as "Asia/Shanghai" or an offset such as "+08:00"'
        f"{_near(name)}."
    )


def _near(name: str) -> str:
    known = sorted(zoneinfo.available_timezones())
    tail = name.split("/")[-1].replace(" ", "_").casefold()
    if tail in _MEANT:
        return f" (did you mean {_MEANT[tail]}?)"
    if tail == "":
        return ""
    tails: dict[str, list[str]] = {}
    for zone_name in known:
        tails.setdefault(zone_name.split("/")[-1].casefold(), []).append(zone_name)
    near = [zone_name for match in difflib.get_close_matches(tail, tails, 2, 0.75) for zone_name in tails[match]][:2]
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def moment(value: Any, key: str, home: tzinfo | None) -> datetime:
    """Return the moment that a value of the file means, in UTC.

    A time without a zone is one in `home`. A day without a time lasts to its end. An hour that comes twice because the clocks
    change means the later one.

    Parameters
    ----------
    value : Any
        Value in the file: a text, a date or a datetime.
    key : str
        Key of the value in the file, for messages.
    home : tzinfo or None
        Time zone of the class; None if the file names none.

    Raises
    ------
    WrongCourse
        If the value is no date and time, or has no time zone.

    Examples
    --------
    >>> moment("2026-03-01 23:59 Asia/Shanghai", "deadlines.01", None).isoformat()
    '2026-03-01T15:59:00+00:00'
    """
    if isinstance(value, str):
        value, home = _read(value.strip(), key, home)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time(23, 59, 59))
    if not isinstance(value, datetime):
        raise WrongCourse(f"{key} = {shown(value)} is no date and time; write one {_EXAMPLE}.")
    if value.tzinfo is None and home is None:
        raise WrongCourse(
            f'{key} = "{value}" has no time zone: write timezone = "Europe/Berlin" (or yours) at the top of the file, or '
            "an offset such as +01:00 behind the time."
        )
    try:
        if value.tzinfo is not None:
            return value.astimezone(UTC)
        return max(value.replace(tzinfo=home, fold=fold).astimezone(UTC) for fold in (0, 1))
    except OverflowError:
        raise WrongCourse(f"{key} = {shown(value)} is outside the calendar; write a date {_EXAMPLE}.") from None


def _read(text: str, key: str, home: tzinfo | None) -> tuple[datetime | date, tzinfo | None]:
    """Return a time written as text, with the name of its zone behind it if there is one."""
    head, _, tail = text.rpartition(" ")
    for words, named in ((text, ""), (head.strip(), tail)):
        for read in (date.fromisoformat, datetime.fromisoformat):
            try:
                date_or_time = read(words)
            except ValueError:
                continue
            return date_or_time, zone(named, key) if named else home
    raise WrongCourse(f"{key} = {shown(text)} is no date and time; write one {_EXAMPLE}.")


def deadlines_of(settings: CourseFile, topic_named: Callable[[str, str], str], home: tzinfo | None) -> dict[str, datetime]:
    """Return the deadlines of the class by notebook.

    Parameters
    ----------
    settings : CourseFile
    topic_named : callable
        Return the notebook of this name; the second argument is the key for its message.
    home : tzinfo or None
        Time zone of the class; None if the file names none.

    Raises
    ------
    WrongCourse
        If there is no such notebook, or it has two deadlines, or one that is no moment.
    """
    deadlines = {}
    for name, value in settings.deadlines.items():
        topic = topic_named(name, "deadlines")
        if topic in deadlines:
            raise WrongCourse(f"deadlines: {topic} has two deadlines.")
        deadlines[topic] = moment(value, f"deadlines.{name}", home)
    return deadlines


def extensions_of(
    settings: CourseFile, topic_named: Callable[[str, str], str], deadlines: Mapping[str, datetime], home: tzinfo | None
) -> dict[tuple[str, str], datetime]:
    """Return the deadlines that `[[extensions]]` grants, by student and notebook.

    Parameters
    ----------
    settings : CourseFile
    topic_named : callable
        Return the notebook of this name; the second argument is the key for its message.
    deadlines : mapping of str to datetime
        The deadlines of the class by notebook.
    home : tzinfo or None
        Time zone of the class; None if the file names none.

    Raises
    ------
    WrongCourse
        If there is no such student, notebook or deadline, or an extension ends before the deadline.
    """
    granted: dict[tuple[str, str], datetime] = {}
    for number, extension in enumerate(settings.extensions, 1):
        key = f"extensions, number {number}"
        check_student(extension.student, settings.students, key)
        chosen = [topic_named(extension.notebook, key)] if extension.notebook else sorted(deadlines)
        if not chosen:
            raise WrongCourse(f"{key}: there is no deadline that could be extended.")
        for topic in chosen:
            if topic not in deadlines:
                raise WrongCourse(f"{key}: {topic} has no deadline that could be extended.")
            if (extension.student, topic) in granted:
                raise WrongCourse(f"{key}: {extension.student} has two extensions for {topic}.")
            granted[extension.student, topic] = _until(extension, key, deadlines[topic], home)
    return granted


def _until(extension: Extension, key: str, due: datetime, home: tzinfo | None) -> datetime:
    longer = timedelta(days=extension.days, hours=extension.hours)
    if (extension.until is None) == (not longer):
        raise WrongCourse(f'{key}: say either until = "2026-03-05 23:59", or days (and hours) = how much longer.')
    until = moment(extension.until, f"{key}, until", home) if extension.until is not None else due + longer
    if until <= due:
        raise WrongCourse(f"{key}: it ends at {until:%Y-%m-%d %H:%M} UTC, which is not after the deadline.")
    return until


_MONTHS = (
    Message("January"),
    Message("February"),
    Message("March"),
    Message("April"),
    Message("May"),
    Message("June"),
    Message("July"),
    Message("August"),
    Message("September"),
    Message("October"),
    Message("November"),
    Message("December"),
)


def in_zone(moment: datetime, zone: tzinfo) -> str:
    """Return a moment in the class's zone, which is named.

    >>> from datetime import UTC
    >>> in_zone(datetime(2026, 3, 1, 12, tzinfo=UTC), UTC)
    '1 March 2026, 12:00 (UTC)'
    """
    local = moment.astimezone(zone)
    return str(
        Message(
            "{day} {month} {year}, {time} ({zone})",
            day=local.day,
            month=_MONTHS[local.month - 1],
            year=local.year,
            time=f"{local:%H:%M}",
            zone=getattr(zone, "key", None) or local.tzname(),
        )
    )
