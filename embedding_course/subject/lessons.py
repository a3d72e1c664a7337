"""The notebooks of the course in use, in order: what each is called, how long it takes and what it builds on."""

import json
from dataclasses import dataclass
from functools import cache

from .course import course

#: The minutes of each notebook's sittings, counted and written by `grader build`.
SITTINGS = course().home / "sittings.json"


@cache
def _sittings() -> dict[str, list[int]]:
    return json.loads(SITTINGS.read_text(encoding="utf-8")) if SITTINGS.exists() else {}


def forget_minutes() -> None:
    """Read the minutes again when they are next asked for: `grader build` has written them."""
    _sittings.cache_clear()


@dataclass(frozen=True)
class Lesson:
    """One notebook of the course. `topic` is also its folder, its file and its assignment in nbgrader."""

    number: str
    slug: str
    title: str
    question: str
    builds_on: tuple[str, ...] = ()

    @property
    def topic(self) -> str:
        """Return the number and the slug, such as "03_max_norm"."""
        return f"{self.number}_{self.slug}"

    @property
    def sittings(self) -> tuple[int, ...]:
        """Return the minutes of the core of each sitting, for a learner who leaves out all further work."""
        return tuple(_sittings().get(self.number, ()))

    @property
    def minutes(self) -> int:
        """Return the minutes of all sittings together."""
        return sum(self.sittings)

    @property
    def written(self) -> bool:
        """Return True if the exercises of this notebook exist."""
        return (course().home / "exercises" / self.topic / "__init__.py").exists()


LESSONS = tuple(
    Lesson(notebook.number, notebook.slug, notebook.title, notebook.question, notebook.builds_on)
    for notebook in course().subject.notebook
)


def lesson(number: str) -> Lesson:
    """Return the lesson with this two-digit number or topic; raise KeyError if there is none.

    >>> lesson("03").topic
    '03_max_norm'
    """
    for candidate in LESSONS:
        if number in (candidate.number, candidate.topic):
            return candidate
    raise KeyError(number)


def topics() -> list[str]:
    """Return the topics of the notebooks that are written."""
    return [lesson.topic for lesson in LESSONS if lesson.written]
