"""How many tries each exercise took, from the progress files that students may hand in beside their notebooks.

A learner's own `progress.json` is a file that anybody can edit: it is shown in sums, and nothing else is made of it.
"""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from embedding_course.exercises.index import entries_of

from ..classroom.class_folder import Classroom
from ..classroom.collect.progress_files import MAX_PROGRESS_BYTES, PROGRESS
from ..submission.plain_file import read_plain

_MAX_TRIES = 1000


class _Tries(msgspec.Struct):
    """The part of a progress file that is read."""

    tries: dict[str, int] = {}


@dataclass(frozen=True)
class TriesLine:
    """One exercise: how many students' files speak of it, the median of their tries, and the most."""

    exercise: str
    title: str
    students: int
    median: float
    most: int


def tries_in(path: Path) -> dict[str, int] | None:
    """Return the tries in one file by exercise, or None if there is no such file or it cannot be read."""
    try:
        content = read_plain(path, MAX_PROGRESS_BYTES + 1)
        tries = msgspec.json.decode(content, type=_Tries).tries if len(content) <= MAX_PROGRESS_BYTES else {}
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return {name: count for name, count in tries.items() if 0 < count <= _MAX_TRIES}


def tries_of(classroom: Classroom, students: Iterable[str], topics: Sequence[str]) -> Iterator[Mapping[str, int]]:
    """Yield the number of tries by exercise, for each student who handed in a progress file.

    The file lies with a notebook or in the folder above.

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
        tries_by_file = [tries for tries in map(tries_in, [*paths, home / PROGRESS]) if tries is not None]
        if tries_by_file:
            yield {name: max(tries.get(name, 0) for tries in tries_by_file) for each in tries_by_file for name in each}


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
