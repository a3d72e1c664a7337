"""Where a learner stands: points by notebook, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from ...checking.exercise import Exercise
from ...exercises import exercises_of
from ...subject.lessons import LESSONS, Lesson
from .course_map import Place
from .record import ProgressRecord

__all__ = ["Standing", "Topic", "standing"]


@dataclass(frozen=True)
class Topic:
    """One notebook: its exercises in order, with the best score of each."""

    lesson: Lesson
    entries: tuple[tuple[Exercise, float], ...]

    @property
    def core(self) -> list[tuple[Exercise, float]]:
        return [pair for pair in self.entries if pair[0].core]

    @property
    def further(self) -> list[tuple[Exercise, float]]:
        return [pair for pair in self.entries if not pair[0].core]

    @property
    def place(self) -> Place:
        return Place(sum(best for _, best in self.core), sum(entry.points for entry, _ in self.core))

    @property
    def extra(self) -> Place:
        return Place(sum(best for _, best in self.further), sum(entry.points for entry, _ in self.further))

    @property
    def open(self) -> list[Exercise]:
        """The core exercises that are not done, in order."""
        return [entry for entry, best in self.core if best < entry.points]


@dataclass(frozen=True)
class Standing:
    """All notebooks, and the next step: an exercise with the reason why it comes next; None when all is done."""

    topics: tuple[Topic, ...]
    following: Exercise | None
    why: str

    @property
    def earned(self) -> float:
        return sum(topic.place.earned for topic in self.topics)

    @property
    def points(self) -> float:
        return sum(topic.place.points for topic in self.topics)

    @property
    def extra(self) -> float:
        return sum(topic.extra.earned for topic in self.topics)

    @property
    def places(self) -> dict[str, Place]:
        return {topic.lesson.number: topic.place for topic in self.topics}


def standing(memory: ProgressRecord, here: str = "") -> Standing:
    """Where the learner stands whose record this is; what comes next is in the notebook `here` ("05") first.

    >>> standing(ProgressRecord()).following.id
    '01.build_vocab'
    """
    topics = tuple(_topic(lesson, memory) for lesson in LESSONS if lesson.written)
    return Standing(topics, *_next(topics, here))


def _topic(lesson: Lesson, memory: ProgressRecord) -> Topic:
    return Topic(lesson, tuple((entry, memory.best.get(entry.id, 0.0)) for entry in exercises_of(lesson.topic)))


def _next(topics: tuple[Topic, ...], here: str) -> tuple[Exercise | None, str]:
    """The notebook that is open goes first, then what was begun; then one whose foundations are laid; then extra credit."""
    for topic in topics:
        if topic.lesson.number == here and topic.open:
            left = len(topic.open)
            return topic.open[0], f"this notebook has {left} core exercise{'s' * (left > 1)} to go"
    begun = [topic for topic in topics if topic.open and topic.place.earned]
    if begun:
        left = len(begun[0].open)
        return begun[0].open[0], f"notebook {begun[0].lesson.number} is begun, {left} core exercise{'s' * (left > 1)} to go"
    done = {topic.lesson.number for topic in topics if not topic.open}
    ready = [topic for topic in topics if topic.open and set(topic.lesson.builds_on) <= done]
    for topic in ready or [topic for topic in topics if topic.open]:
        return topic.open[0], f"the first one of notebook {topic.lesson.number}, “{topic.lesson.question}”"
    for topic in topics:
        for entry, best in topic.further:
            if best < entry.points:
                return entry, "all core exercises are done; this is extra credit"
    return None, "everything is done, extra credit too"
