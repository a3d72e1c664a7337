"""The grade of the term as a page for each student: what every notebook adds, what does not count, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from embedding_course.checking.render import points_text
from embedding_course.checking.result import number
from embedding_course.files import atomic_write
from embedding_course.learner.page_policy import policy
from embedding_course.messages import Message, language, translate
from embedding_course.subject.lessons import lesson

from ..classroom import records
from ..classroom.class_folder import Classroom, unfit
from ..classroom.policy.course import Course
from ..classroom.policy.deadlines import in_zone
from ..classroom.policy.term import Part, Term, TermGrade
from ..classroom.roster import Roster
from .page import TERM_PAGE
from .templates import environment
from .write_pages import FOLDER

if TYPE_CHECKING:  # which brings nbgrader
    from ..classroom.export.grades import Grade


@dataclass(frozen=True)
class Line:
    """One notebook or project on the page.

    `reached` are the points of it, `adds` the points of the term that come of it, both empty where there are none. `notes` say
    why it counts as it does, and `page` is the path of its feedback page, if there is one.
    """

    title: str
    weight: float
    state: str
    reached: str
    adds: str
    notes: Sequence[str]
    page: str = ""


def write_term_pages(classroom: Classroom, course: Course, roster: Roster, students: Sequence[str] = ()) -> list[Path]:
    """Write `feedback/{student}/term.html` for each student who has a grade of the term, and return the paths.

    Parameters
    ----------
    classroom : Classroom
    course : Course
        A course with a `[term]`.
    roster : Roster
        If it names people, only they have a grade of the term.
    students : sequence of str, optional
        Ids of the students; all if empty.
    """
    from ..classroom.export.grades import read_grades
    from ..classroom.export.term_column import term_grades
    from ..classroom.projects import add_projects

    everybody, worth = read_grades(classroom.db_url, course)
    add_projects(classroom.home, course, everybody, worth)
    terms = term_grades(course, everybody, roster)
    paths = []
    for student in everybody:
        if student.id in terms and not unfit(student.id) and (not students or student.id in students):
            path = classroom.home / FOLDER / student.id / TERM_PAGE
            path.parent.mkdir(parents=True, exist_ok=True)
            grade = terms[student.id]
            lines = [_line(classroom, course, student.id, grade, part, student.grades) for part in grade.parts]
            name = f"{student.first} {student.last}".strip() or student.id
            atomic_write(path, render_term(course, name, grade, lines).encode("utf-8"), 0o600)
            paths.append(path)
    return paths


def render_term(course: Course, name: str, grade: TermGrade, lines: Sequence[Line], now: datetime | None = None) -> str:
    """Return the page of one student as HTML.

    Parameters
    ----------
    course : Course
        A course with a `[term]`.
    name : str
        How the page calls the student.
    grade : TermGrade
    lines : sequence of Line
        The notebooks and projects, in the order of the page.
    now : datetime, optional
        The moment that the page names; the present one by default.
    """
    facts: dict[str, Any] = {
        "course": course,
        "name": name,
        "grade": grade,
        "lines": lines,
        "points": number(round(grade.points, 2)) if grade.points is not None else "",
        "time": in_zone(now or datetime.now(UTC), course.zone),
        "rules": list(_rules(course, course.term)) if course.term else [],
        "open": any(part.state == "not due" for part in grade.parts),
        "page_policy": Markup(policy()),
        "language": language(),
    }
    return environment().get_template("term_page.html.j2").render(**facts)


def _rules(course: Course, term: Term) -> Iterator[Message]:
    """Yield how the grade is made."""
    yield Message(
        "Each notebook counts by the share of its points that you have, times its weight. The sum is divided by the weights of "
        "all that counts, and multiplied by {scale}.",
        scale=number(term.scale),
    )
    yield Message("Points for lateness are taken off already. What was not handed in when its time is over counts as 0.")
    if term.drop:
        yield Message.plural("Your lowest notebook does not count.", "Your {count} lowest notebooks do not count.", term.drop)
    if course.most_extra is not None:
        yield Message("A notebook counts up to {points} above its maximum.", points=points_text(course.most_extra))
    if course.projects:
        yield Message("A project counts like a notebook, by its weight, but is never left out as the lowest.")


def _line(classroom: Classroom, course: Course, student: str, term: TermGrade, part: Part, grades: Mapping[str, Grade]) -> Line:
    grade, adds = grades.get(part.name), term.adds(part)
    is_notebook = part.name in course.topics
    title = Message("Project: {name}", name=part.name.replace("_", " "))
    if is_notebook:
        title = f"{part.name[:2]} · {translate(lesson(part.name).title)}"
    notes = [str(_why(course, student, part)), *map(str, _about(grade))] if grade else [str(_why(course, student, part))]
    if part.state == "missing" and is_notebook and records.load(classroom.home, part.name, student) is not None:
        notes[0] = str(Message("The file could not be read, so it counts as 0."))
    page = f"{part.name}/{part.name}.html"
    return Line(
        title=str(title),
        weight=part.weight,
        state=part.state,
        reached=str(Message("{score} of {points}", score=number(grade.score), points=number(grade.most))) if grade else "",
        adds=number(round(adds, 2)) if adds is not None else "",
        notes=[note for note in notes if note],
        page=page if (classroom.home / FOLDER / student / page).is_file() else "",
    )


def _why(course: Course, student: str, part: Part) -> Message | str:
    """Return why a part does not count, or counts as 0; an empty text if it counts."""
    if part.state == "dropped":
        drop = course.term.drop if course.term else 1
        return Message.plural(
            "Does not count: it is your lowest notebook.", "Does not count: it is one of your {count} lowest notebooks.", drop
        )
    if part.state == "excused":
        return Message("Does not count: you are excused from it.")
    if part.state == "not due":
        due = course.due(part.name, student)
        return (
            Message("Due {time}, and does not count yet.", time=in_zone(due, course.zone))
            if due
            else Message("Not due yet, and does not count yet.")
        )
    return Message("Nothing was handed in, so it counts as 0.") if part.state == "missing" else ""


def _about(grade: Grade) -> Iterator[Message]:
    if grade.penalty:
        yield Message("Handed in late: {points} were taken off.", points=points_text(grade.penalty))
    if grade.counted is not None:
        earned = points_text(max(0.0, grade.raw - grade.penalty))
        yield Message("You earned {earned}, of which {counted} count.", earned=earned, counted=number(grade.counted))
    if grade.waits:
        yield Message("A written answer waits for a person, and counts as 0 until then.")
