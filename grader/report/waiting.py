"""What a report is made of beside the records: what waits for a person, who is listed, whose time is not over."""

from collections.abc import Sequence
from datetime import UTC, datetime

from ..classroom.attempts import Attempts
from ..classroom.class_folder import Classroom
from ..classroom.policy.course import Course
from ..classroom.policy.people import people_of
from ..classroom.records import GradeRecord
from ..classroom.roster import BadRoster
from .by_hand import open_by_hand
from .requests import requests_of
from .summary import Waiting
from .tries import tries_of


def waiting_in(room: Classroom, course: Course, found: Sequence[GradeRecord], topics: Sequence[str]) -> Waiting:
    """Of one class, about the notebooks `topics`; work to grade by hand of all its notebooks."""
    listed = _listed(course)
    students = sorted({record.student for record in found} | set(listed))
    moment = datetime.now(UTC)
    not_due = {
        (student, topic)
        for topic in topics if topic in course.deadlines
        for student in students if (due := course.due(topic, student)) is not None and due > moment
    }  # fmt: skip
    came = {(one.student, one.topic) for one in Attempts(room, course).everybody(topics)}
    known = {(record.student, record.topic) for record in found}
    absent = [
        (student, topic) for topic in topics for student in listed
        if (student, topic) not in came | known and (student, topic) not in not_due
    ]  # fmt: skip
    graded = [record for record in found if record.status == "graded"]
    tries = list(tries_of(room, students, topics))
    requests = list(requests_of(room, list(topics)))
    return Waiting(open_by_hand(room.db_url, graded), requests, tries, listed, not_due, absent, sorted(came - known))


def _listed(course: Course) -> list[str]:
    """Those whom roster or course.toml name; grading says what is wrong with a roster that cannot be read."""
    try:
        return [person.id for person in people_of(course).people]
    except BadRoster:
        return []
