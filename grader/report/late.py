"""Who handed in late, and what it took from them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..classroom.gradebook.ask import ask
from ..classroom.policy.course import Course
from ..classroom.policy.lateness import duration
from .anonymous import Key


@dataclass(frozen=True)
class LateLine:
    """One late submission: by how much (empty in the anonymous form), and the points that were taken off."""

    student: str
    topic: str
    late: str
    taken: float
    extended: bool


def handed_in_late(db_url: str, course: Course) -> list[LateLine] | None:
    """By notebook, the latest first. None where the class has no deadlines, or no gradebook that can be asked."""
    if not course.deadlines:
        return None

    def question(book: Any) -> list[LateLine]:
        found = []
        known = {str(entry.name) for entry in book.assignments}
        for topic in (topic for topic in course.topics if topic in known):
            for row in book.assignment_submissions(topic):
                student = str(row.student_id)
                late = course.lateness(topic, student, row.timestamp)
                if late:
                    extended = (student, topic) in course.extensions
                    line = LateLine(student, topic, duration(late.late), float(row.late_submission_penalty or 0), extended)
                    found.append((topic, -late.late, student, line))
        return [line for *_, line in sorted(found, key=lambda entry: entry[:3])]

    return ask(db_url, question)


def anonymous_late(lines: Sequence[LateLine], key: Key) -> list[LateLine]:
    """Under pseudonyms and without times, by which people could be told."""
    key.learn(line.student for line in lines)
    found = [replace(line, student=key.pseudonym(line.student), late="", extended=False) for line in lines]
    return sorted(found, key=lambda line: (line.topic, line.student))
