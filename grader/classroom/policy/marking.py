"""Who marks which written answers: what `[[allotments]]` of course.toml says, and which answers a second person marks."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .toml_file import CourseFile, WrongCourse, check_student, shown


@dataclass(frozen=True)
class Allotment:
    """Answers that some people mark. An empty tuple of notebooks, sections or students means all of them."""

    markers: tuple[str, ...]
    notebooks: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    students: tuple[str, ...] = ()

    def covers(self, topic: str, student: str, section: str) -> bool:
        """Return True if an answer to `topic` by this student, who is in `section`, belongs to this allotment."""
        pairs = ((topic, self.notebooks), (student, self.students), (section, self.sections))
        return all(not chosen or value in chosen for value, chosen in pairs)


def allotments_of(settings: CourseFile, topic_named: Callable[[str, str], str]) -> tuple[Allotment, ...]:
    """Return what `[[allotments]]` says.

    Parameters
    ----------
    settings : CourseFile
    topic_named : callable
        Return the notebook of this name; the second argument is the key for its message.

    Raises
    ------
    WrongCourse
        If an allotment has no marker, or names a notebook or student that is not in the class.
    """
    allotments = []
    for position, table in enumerate(settings.allotments, 1):
        key = f"allotments, number {position}"
        markers = tuple(dict.fromkeys(name.strip() for name in table.markers))
        if not markers or not all(markers):
            raise WrongCourse(f"{key}: markers = {shown(list(table.markers))}: it has to name who marks.")
        for student in table.students:
            check_student(student, settings.students, key)
        topics = tuple(topic_named(name, key) for name in table.notebooks)
        allotments.append(Allotment(markers, topics, tuple(table.sections), tuple(table.students)))
    return tuple(allotments)


def marker_of(allotments: Sequence[Allotment], topic: str, student: str, section: str = "") -> str:
    """Return who marks an answer, or "" if it is nobody's. The first allotment that covers the answer decides.

    Several markers share its answers about evenly, and a student who comes later changes nobody's share.

    Examples
    --------
    >>> marker_of([Allotment(("li",), students=("ada",)), Allotment(("wu",))], "03_max_norm", "ada")
    'li'
    """
    for allotment in allotments:
        if allotment.covers(topic, student, section):
            return allotment.markers[_draw("allotment", topic, student) % len(allotment.markers)]
    return ""


def second_sample(students: Iterable[str], share: float, seed: str) -> set[str]:
    """Return the students whose answers a second person marks: `share` of them, rounded up, drawn by the seed.

    Examples
    --------
    >>> len(second_sample([f"student {number}" for number in range(300)], 0.1, "seed"))
    30
    """
    order = sorted(students, key=lambda student: _draw(seed, student))
    return set(order[: math.ceil(round(share * len(order), 9))])


def _draw(*parts: str) -> int:
    return int.from_bytes(hashlib.sha256("\n".join(parts).encode()).digest()[:8], "big")
