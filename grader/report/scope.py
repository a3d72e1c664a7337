"""Which notebooks a report is about: the one graded last, unless somebody asks for others."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from embedding_course.subject.lessons import lesson

from ..classroom.grade_record import GradeRecord


@dataclass(frozen=True)
class Asked:
    """The notebooks that a report is about: by topic, graded since a day, or all; by default the one graded last.

    `section` is the section whose students the report is about; all if empty.
    """

    notebooks: Sequence[str] = ()
    since: date | None = None
    everything: bool = False
    section: str = ""


def topics_asked(records: Collection[GradeRecord], asked: Asked, zone: tzinfo) -> list[str]:
    """Return the topics to report on, in their order.

    Parameters
    ----------
    records : collection of GradeRecord
        All records of the class.
    asked : Asked
        What somebody asked for.
    zone : tzinfo
        Time zone of the class, by which a day begins.

    Raises
    ------
    LookupError
        If nothing of them was graded. The message is a sentence.
    """
    graded = sorted({record.topic for record in records})
    if not graded:
        raise LookupError("Nothing was graded yet: run `grader grade` first.")
    if asked.everything:
        return graded
    for topic in asked.notebooks:
        if topic not in graded:
            raise LookupError(f"{topic} was not graded yet; graded are {', '.join(graded)}.")
    if asked.since is not None:
        since = asked.since
        recent = sorted({record.topic for record in records if _day(record, zone) >= since})
        if not recent and not asked.notebooks:
            raise LookupError(f"Nothing was graded since {since}.")
        return sorted({*recent, *asked.notebooks})
    return sorted(set(asked.notebooks)) or [max(records, key=lambda record: (record.graded_at, record.topic)).topic]


def _day(record: GradeRecord, zone: tzinfo) -> date:
    """Return the day of grading by the class's calendar, or the earliest possible day if the record has none."""
    try:
        return datetime.fromisoformat(record.graded_at).astimezone(zone).date()
    except ValueError:
        return date.min


def in_words(topics: Sequence[str]) -> str:
    """Return how a heading names these notebooks.

    >>> in_words(["03_max_norm"]), in_words(["01_onehot_vs_lookup", "03_max_norm"])
    ('03 max_norm', 'notebooks 01 and 03')
    """
    if len(topics) == 1:
        only_lesson = lesson(topics[0])
        return f"{only_lesson.number} {only_lesson.title}"
    numbers = [topic[:2] for topic in topics]
    if len(numbers) > 2 and int(numbers[-1]) - int(numbers[0]) == len(numbers) - 1:
        return f"notebooks {numbers[0]} to {numbers[-1]}"
    return f"notebooks {', '.join(numbers[:-1])} and {numbers[-1]}"
