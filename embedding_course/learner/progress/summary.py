"""Summarise a learner's progress: points by notebook, and what to do next."""

from dataclasses import dataclass

from ...checking.exercise import Exercise
from ...exercises import exercises_of
from ...messages import Message
from ...subject.lessons import LESSONS, Lesson
from .course_map import Score
from .record import ProgressRecord


@dataclass(frozen=True)
class Topic:
    """Hold one notebook: its exercises in order, with the best score of each."""

    lesson: Lesson
    entries: tuple[tuple[Exercise, float], ...]

    @property
    def core(self) -> list[tuple[Exercise, float]]:
        """Return the core exercises with their best scores."""
        return [pair for pair in self.entries if pair[0].core]

    @property
    def further(self) -> list[tuple[Exercise, float]]:
        """Return the exercises for extra credit with their best scores."""
        return [pair for pair in self.entries if not pair[0].core]

    @property
    def score(self) -> Score:
        """Return the points of the core exercises."""
        return Score(sum(best for _, best in self.core), sum(exercise.points for exercise, _ in self.core))

    @property
    def extra(self) -> Score:
        """Return the points of extra credit."""
        return Score(sum(best for _, best in self.further), sum(exercise.points for exercise, _ in self.further))

    @property
    def open(self) -> list[Exercise]:
        """Return the core exercises that are not done, in order."""
        return [exercise for exercise, best in self.core if best < exercise.points]


@dataclass(frozen=True)
class Standing:
    """Hold all notebooks, and the next exercise with the reason why it comes next; None if all is done.

    `why` is a clause, such as "this notebook has 3 core exercises to go".
    """

    topics: tuple[Topic, ...]
    following: Exercise | None
    why: Message

    @property
    def earned(self) -> float:
        """Return the points earned in core exercises."""
        return sum(topic.score.earned for topic in self.topics)

    @property
    def points(self) -> float:
        """Return the points of all core exercises."""
        return sum(topic.score.points for topic in self.topics)

    @property
    def extra(self) -> float:
        """Return the points of extra credit."""
        return sum(topic.extra.earned for topic in self.topics)

    @property
    def scores(self) -> dict[str, Score]:
        """Return the points of each notebook by its number."""
        return {topic.lesson.number: topic.score for topic in self.topics}


def standing(memory: ProgressRecord, here: str = "") -> Standing:
    """Return the summary of a record; the next exercise is taken from the notebook `here` ("05") first.

    Examples
    --------
    >>> standing(ProgressRecord()).following.id
    '01.build_vocab'
    """
    topics = tuple(_topic(lesson, memory) for lesson in LESSONS if lesson.written)
    return Standing(topics, *_next(topics, here))


def _topic(lesson: Lesson, memory: ProgressRecord) -> Topic:
    return Topic(lesson, tuple((exercise, memory.best.get(exercise.id, 0.0)) for exercise in exercises_of(lesson.topic)))


def _next(topics: tuple[Topic, ...], here: str) -> tuple[Exercise | None, Message]:
    """Return the next exercise and why.

    The open notebook comes first, then one that was begun, then one whose prerequisites are done, then extra credit.
    """
    for topic in topics:
        if topic.lesson.number == here and topic.open:
            why = Message.plural(
                "this notebook has {count} core exercise to go",
                "this notebook has {count} core exercises to go",
                len(topic.open),
            )
            return topic.open[0], why
    begun = [topic for topic in topics if topic.open and topic.score.earned]
    if begun:
        why = Message.plural(
            "notebook {notebook} is begun, {count} core exercise to go",
            "notebook {notebook} is begun, {count} core exercises to go",
            len(begun[0].open),
            notebook=begun[0].lesson.number,
        )
        return begun[0].open[0], why
    done = {topic.lesson.number for topic in topics if not topic.open}
    ready = [topic for topic in topics if topic.open and set(topic.lesson.builds_on) <= done]
    for topic in ready or [topic for topic in topics if topic.open]:
        why = Message("the first one of notebook {notebook}, “{question}”", notebook=topic.lesson.number)
        return topic.open[0], why.fill(question=Message(topic.lesson.question))
    for topic in topics:
        for exercise, best in topic.further:
            if best < exercise.points:
                return exercise, Message("all core exercises are done; this is extra credit")
    return None, Message("everything is done, extra credit too")
