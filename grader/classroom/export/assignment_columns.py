"""Which column of a platform's gradebook holds the grades of a notebook: the one that has its whole title, or the one named."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from embedding_course.subject.lessons import LESSONS

from ..csv_table import BadRoster

#: In place of a title: add a new column.
NEW = "+"
#: What platforms put behind a title: Canvas its number, Moodle the kind of grade that the column shows.
_BEHIND = re.compile(
    r"\s*[(（](?:\d{3,}|real|réel|réelle|brut|brute|reell|punkte|points|valor real|实际成绩|实际分数|实数)[)）]\s*$",
    re.IGNORECASE,
)
#: What Moodle puts before the title of an assignment.
_BEFORE = re.compile(r"^\s*(?:assignment|aufgabe|devoir|tarea|作业)\s*[:：]\s*", re.IGNORECASE)


def columns_of(header: Sequence[str], topics: Sequence[str], named: Mapping[str, str]) -> tuple[dict[str, int], list[str]]:
    """Return the column of each notebook that has one, and the notebooks that have none.

    Parameters
    ----------
    header
        The titles of the columns.
    topics
        The notebooks and projects to be entered.
    named
        The title that the instructor said for a notebook; NEW for a column that is to be added.

    Raises
    ------
    BadRoster
        Where a title that was said is not there, two columns have the title of one notebook, or none has it and one looks as if
        it were meant.
    """
    columns: dict[str, int] = {}
    absent = []
    for topic in topics:
        if named.get(topic) == NEW:
            absent.append(topic)
            continue
        if topic in named:
            columns[topic] = _named(header, topic, named[topic])
            continue
        indices = [index for index, title in enumerate(header) if _words(title) in _titles(topic)]
        if len(indices) > 1:
            raise BadRoster(_question(header, topic, indices, "has several columns with the title of"))
        if indices:
            columns[topic] = indices[0]
        else:
            absent.append(topic)
    taken = set(columns.values())
    for topic in (topic for topic in absent if topic not in named):
        near = [index for index, title in enumerate(header) if index not in taken and _looks_like(title, topic)]
        if near:
            raise BadRoster(_question(header, topic, near, "has no column with the whole title of"))
    twice = next((index for index in taken if list(columns.values()).count(index) > 1), None)
    if twice is not None:
        raise BadRoster(f"the column “{header[twice]}” cannot hold two notebooks.")
    return columns, absent


def _named(header: Sequence[str], topic: str, title: str) -> int:
    for same in (lambda column: column.strip() == title.strip(), lambda column: _words(column) == _words(title)):
        indices = [index for index, column in enumerate(header) if same(column)]
        if len(indices) == 1:
            return indices[0]
        if indices:
            raise BadRoster(f"several columns are called “{title}”; say the whole title of the one for {topic}.")
    raise BadRoster(f"no column is called “{title}”; there are {', '.join(filter(None, header))}.")


def _question(header: Sequence[str], topic: str, indices: Sequence[int], fault: str) -> str:
    titles = " or ".join(f"“{header[index]}”" for index in indices[:4])
    key = topic[:2] if topic[:2].isdigit() else topic
    return (
        f'the file {fault} {topic}. Is {titles} meant? Say so with --column "{key}={header[indices[0]]}", or add a new column '
        f'with --column "{key}={NEW}".'
    )


def _plain(title: str) -> list[str]:
    bare = _BEFORE.sub("", unicodedata.normalize("NFKC", title))
    for _ in range(2):
        bare = _BEHIND.sub("", bare)
    return [word.lstrip("0") or "0" if word.isdigit() else word for word in re.findall(r"[^\W_]+", bare.casefold())]


def _words(title: str) -> tuple[str, ...]:
    return tuple(sorted(_plain(title)))


def _titles(topic: str) -> set[tuple[str, ...]]:
    """Return the words of each title of a notebook: its file name and its lesson's title, with and without the number."""
    words = set()
    for title in (topic, *(f"{lesson.number} {lesson.title}" for lesson in LESSONS if lesson.topic == topic)):
        plain = _plain(title)
        words |= {tuple(sorted(plain)), tuple(sorted(word for word in plain if not word.isdigit()))}
    return words - {()}


def _looks_like(title: str, topic: str) -> bool:
    """Return True if a title has the notebook's number or all words of its name."""
    words, ours = set(_plain(title)), set(_plain(topic))
    return any(word.isdigit() for word in words & ours) or {word for word in ours if not word.isdigit()} <= words
