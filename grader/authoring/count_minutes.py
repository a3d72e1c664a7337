"""embedding_course/sittings.json: the minutes of each notebook's sittings, which titles, README and map tell."""

import json

from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import lesson, topics

from ..course_source.lesson import read_lesson
from ..course_source.sittings import Sittings, sittings


def sittings_of(topic: str) -> Sittings:
    """A written lesson, with the minutes that its exercises declare now."""
    return sittings(read_lesson(topic), {exercise.id: exercise.minutes for exercise in exercises_of(topic)})


def count_minutes() -> bytes:
    """The file: a line for each notebook."""
    lines = [f'  "{lesson(topic).number}": {json.dumps(list(sittings_of(topic).minutes))}' for topic in topics()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
