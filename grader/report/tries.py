"""How many tries and minutes each exercise took, from the progress files that students may hand in beside their notebooks.

A learner's own `progress.json` is a file that anybody can edit: it is shown in sums, and nothing else is made of it.
"""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from embedding_course.exercises.index import entries_of

from ..classroom.class_folder import Classroom
from ..classroom.collect.progress_files import MAX_PROGRESS_BYTES, PROGRESS
from ..submission.plain_file import read_plain

_Number = TypeVar("_Number", int, float)
_MAX_TRIES = 1000
_MAX_SECONDS = 24 * 3600


class Practice(msgspec.Struct):
    """The part of a progress file that is read: tries and seconds by exercise."""

    tries: dict[str, int] = {}
    seconds: dict[str, float] = {}


@dataclass(frozen=True)
class TriesLine:
    """One exercise: how many students' files speak of it, the median of their tries, and the most."""

    exercise: str
    title: str
    students: int
    median: float
    most: int


def practice_in(path: Path) -> Practice | None:
    """Return what one file says, or None if there is no such file or it cannot be read. Impossible numbers are left out."""
    try:
        content = read_plain(path, MAX_PROGRESS_BYTES + 1)
        practice = msgspec.json.decode(content, type=Practice) if len(content) <= MAX_PROGRESS_BYTES else Practice()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return Practice(
        {name: count for name, count in practice.tries.items() if 0 < count <= _MAX_TRIES},
        {name: seconds for name, seconds in practice.seconds.items() if 0 < seconds <= _MAX_SECONDS},
    )


def practice_of(classroom: Classroom, students: Iterable[str], topics: Sequence[str]) -> Iterator[Practice]:
    """Yield tries and seconds by exercise, for each student who handed in a progress file.

    The file lies with a notebook or in the folder above. Of several files the largest numbers count.

    Parameters
    ----------
    classroom : Classroom
    students : iterable of str
        Ids of the students.
    topics : sequence of str
        Names of the notebooks.
    """
    for student in students:
        home = classroom.submitted / student
        if home.is_symlink():
            continue
        paths = [home / topic / PROGRESS for topic in topics if not (home / topic).is_symlink()]
        files = [practice for practice in map(practice_in, [*paths, home / PROGRESS]) if practice is not None]
        if files:
            yield Practice(_largest([each.tries for each in files]), _largest([each.seconds for each in files]))


def _largest(files: Sequence[Mapping[str, _Number]]) -> dict[str, _Number]:
    largest: dict[str, _Number] = {}
    for name, value in (entry for each in files for entry in each.items()):
        largest[name] = max(value, largest.get(name, value))
    return largest


def tries_of(classroom: Classroom, students: Iterable[str], topics: Sequence[str]) -> Iterator[Mapping[str, int]]:
    """Yield the number of tries by exercise, for each student who handed in a progress file, as `practice_of` does."""
    return (practice.tries for practice in practice_of(classroom, students, topics))


def tries_table(files: Sequence[Mapping[str, int]], topics: Sequence[str]) -> list[TriesLine]:
    """Return the exercises of these notebooks, those that took most tries first."""
    lines = []
    for listed_exercise in (exercise for topic in topics for exercise in entries_of(topic)):
        counts = [tries[listed_exercise.id] for tries in files if listed_exercise.id in tries]
        if counts:
            lines.append(
                TriesLine(listed_exercise.id, listed_exercise.title, len(counts), statistics.median(counts), max(counts))
            )
    return sorted(lines, key=lambda line: (-line.median, -line.most))
