"""Enter grades into the class's own assignments in Canvas: first what would change, then the change."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..csv_table import BadRoster, read_number
from ..export.assignment_columns import NEW, columns_of
from ..export.fill import fill
from ..export.grades import Student
from ..name_list import first_names
from ..roster import Roster
from .connection import CanvasError, asking
from .people import COLUMNS, PER_PAGE, students_of

if TYPE_CHECKING:
    from canvasapi.course import Course as CanvasCourse

_EXCUSED = "EX"
#: Seconds between two looks at a job of Canvas's, and how long it may take altogether.
_PAUSE, _MAX_SECONDS = 1.0, 300.0


@dataclass(frozen=True)
class Change:
    """One grade that differs: whose, in which assignment, what Canvas holds (empty for no grade) and what the class has."""

    student: str
    user: int
    topic: str
    old: str
    new: float


@dataclass
class Plan:
    """What a push would do. Nothing has been written yet.

    `assignments` are Canvas's assignments by notebook, `same` counts grades that Canvas has already. `absent` are notebooks
    without an assignment, `strangers` students who are in the class only, `open` students in Canvas without a grade, and `left`
    grades that stay because Canvas excuses the student. `unassigned` are students to whom Canvas does not assign the work.
    `notes` say what else the instructor has to know.
    """

    assignments: dict[str, Any]
    changes: list[Change] = field(default_factory=list)
    same: int = 0
    absent: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    unassigned: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def plan_push(
    course: CanvasCourse,
    students: Sequence[Student],
    worth: Mapping[str, float],
    roster: Roster,
    named: Mapping[str, str] | None = None,
) -> Plan:
    """Return what would change in Canvas.

    An assignment is found by the whole title of a notebook, as in a file that is filled in, or by what `named` says.

    Parameters
    ----------
    course : canvasapi.course.Course
    students : sequence of Student
        Students with their grades.
    worth : mapping of str to float
        Points of each notebook.
    roster : Roster
    named : mapping of str to str, optional
        Title or number of the assignment, by notebook, where its title is not that of the notebook.

    Raises
    ------
    CanvasError
        If Canvas refuses, no assignment fits, or one does not take points.
    """
    with asking("give the assignments of the course"):
        titled = _titled(list(course.get_assignments(include=["grades_published"], per_page=PER_PAGE)))
    by_number = {str(assignment.id): title for title, assignment in titled.items()}
    named = {topic: by_number.get(title.strip(), title) for topic, title in (named or {}).items()}
    if NEW in named.values():
        raise CanvasError("Assignments of Canvas are made in Canvas: with --push canvas, --column names one that is there.")
    header = [*COLUMNS, *titled]
    plan = Plan({})
    try:
        columns, plan.absent = columns_of(header, list(worth), named)
        if not columns:
            raise BadRoster(f"the file has no assignment with the title of {', '.join(worth)}; make one there.")
        plan.assignments = {topic: titled[header[index]] for topic, index in columns.items()}
        for topic, assignment in plan.assignments.items():
            _require_points(topic, assignment)
            plan.notes += _remarks(topic, assignment)
        header = [*COLUMNS, *(header[index] for index in columns.values())]
        people = students_of(course)
        current = {topic: _current_grades(topic, assignment, plan) for topic, assignment in plan.assignments.items()}
        possible = [_text(getattr(assignment, "points_possible", None)) for assignment in plan.assignments.values()]
        lines = [
            ["    Points Possible", "", "", "", "", *possible],
            *([*cells[: len(COLUMNS)], *(current[topic].get(user, "") for topic in columns)] for user, cells in people.items()),
        ]
        if not people:
            raise CanvasError(
                "Canvas lists no students who are in this course now; look at course in [canvas] of course.toml, and whether "
                "the course has ended."
            )
        titles = {topic: header[len(COLUMNS) + position] for position, topic in enumerate(columns)}
        filled = fill(header, lines, students, {topic: worth[topic] for topic in columns}, roster, named=titles)
    except BadRoster as error:
        raise CanvasError(str(error).replace("the file", "the course in Canvas", 1)) from None
    plan.strangers, plan.open, plan.left = filled.strangers, filled.open, filled.left
    plan.notes += [note for note in filled.notes if "formula" not in note]  # nothing here is opened in a spreadsheet
    for user, cells, old, new in zip(people, people.values(), lines[1:], filled.rows[2:], strict=True):
        for position, topic in enumerate(columns, len(COLUMNS)):
            if not isinstance(new[position], int | float):
                plan.same += bool(old[position]) and old[position] != _EXCUSED
            elif user not in current[topic] and getattr(plan.assignments[topic], "only_visible_to_overrides", False):
                plan.unassigned.append(f"{cells[0] or user} ({topic})")
            else:
                plan.changes.append(Change(cells[0] or str(user), user, topic, old[position], float(str(new[position]))))
    return plan


def write_push(plan: Plan) -> Iterator[str]:
    """Write the changes of a plan, one notebook after the other; yield a sentence for each.

    Only the grades of the plan are sent. Canvas writes them in a job of its own, which is waited for; then they are read back.

    Raises
    ------
    CanvasError
        If Canvas refuses, or if a grade was changed there since the plan was made. The message says what was written before.
    """
    for topic, assignment in plan.assignments.items():
        changes = [change for change in plan.changes if change.topic == topic]
        if not changes:
            continue
        current = _current_grades(topic, assignment, Plan({}))
        moved = next((change for change in changes if current.get(change.user, "") != change.old), None)
        if moved:
            raise CanvasError(
                f"{moved.student} got another grade in {topic} while you looked ({current.get(moved.user) or 'none'}); "
                "nothing of this notebook was written: give the command again."
            )
        with asking(f"take the grades of {topic}"):
            grades = {str(change.user): {"posted_grade": _text(change.new)} for change in changes}
            job = assignment.submissions_bulk_update(grade_data=grades)
        _await(job, topic)
        current = _current_grades(topic, assignment, Plan({}))
        wrong = [
            change.student for change in changes if read_number(current.get(change.user, "")) != read_number(_text(change.new))
        ]
        if wrong:
            raise CanvasError(
                f"Canvas says that it is done with {topic}, but shows other grades for {first_names(wrong, 5)}: "
                f"look at the assignment there."
            )
        yield f"{topic}: {len(changes)} grades written to “{assignment.name}”."


def _await(job: Any, topic: str) -> None:
    end = time.monotonic() + _MAX_SECONDS
    while getattr(job, "workflow_state", "") not in ("completed", "failed"):
        if time.monotonic() > end:
            raise CanvasError(
                f"Canvas has not finished with {topic} yet: give the command again later, and it shows what is left."
            )
        time.sleep(_PAUSE)
        with asking(f"say whether the grades of {topic} are written"):
            job = job.query()
    if job.workflow_state == "failed":
        raise CanvasError(f"Canvas could not write all grades of {topic}: give the command again, and it shows what is left.")


def _titled(assignments: Sequence[Any]) -> dict[str, Any]:
    """Return the assignments by title; where two have the same title, with the number behind it as in Canvas's export."""
    names = [str(assignment.name) for assignment in assignments]
    return {
        name if names.count(name) == 1 else f"{name} ({assignment.id})": assignment
        for name, assignment in zip(names, assignments, strict=True)
    }


def _require_points(topic: str, assignment: Any) -> None:
    kind = getattr(assignment, "grading_type", "points")
    if kind != "points":
        raise CanvasError(f"Canvas grades “{assignment.name}” ({topic}) by {kind}: let it display grades as points there.")
    if getattr(assignment, "published", True) is False:
        raise CanvasError(f"“{assignment.name}” ({topic}) is not published in Canvas, and takes no grades until it is.")
    if getattr(assignment, "anonymize_students", False):
        raise CanvasError(
            f"“{assignment.name}” ({topic}) is graded anonymously in Canvas, which does not say whose a grade is: post its "
            "grades there, or turn anonymous grading off."
        )
    if getattr(assignment, "moderated_grading", False) and getattr(assignment, "grades_published", True) is False:
        raise CanvasError(f"“{assignment.name}” ({topic}) has a moderator in Canvas: it takes grades when theirs are released.")
    if getattr(assignment, "group_category_id", None) and not getattr(assignment, "grade_group_students_individually", False):
        raise CanvasError(
            f"“{assignment.name}” ({topic}) is a group assignment, and Canvas gives what one student gets to the whole group: "
            "let it grade each student individually there."
        )


def _remarks(topic: str, assignment: Any) -> Iterator[str]:
    """Yield what Canvas's settings do to grades that are written."""
    name = f"“{assignment.name}” ({topic})"
    if getattr(assignment, "post_manually", False):
        yield f"{name} has its grades posted by hand: students see new grades only after Post Grades in Canvas."
    if getattr(assignment, "in_closed_grading_period", False):
        yield f"{name} is due in a grading period that is closed: Canvas changes no grades there."


def _current_grades(topic: str, assignment: Any, plan: Plan) -> dict[int, str]:
    """Return what Canvas holds for each student: the score that was entered, EX for an excused one, "" for none."""
    with asking(f"give the grades of {topic}"):
        submissions = list(assignment.get_submissions(per_page=PER_PAGE))
        late = sum(bool(getattr(submission, "points_deducted", None)) for submission in submissions)
        if late:
            plan.notes.append(
                f"Canvas takes points off for lateness itself in {topic} ({late} students). The class's grades have that "
                "deducted already: turn Canvas's late policy off, or it counts twice."
            )
        return {submission.user_id: _score(submission) for submission in submissions}


def _score(submission: Any) -> str:
    if getattr(submission, "excused", False):
        return _EXCUSED
    score = getattr(submission, "entered_score", None)
    return _text(score if score is not None else getattr(submission, "score", None))


def _text(value: float | None) -> str:
    return "" if value is None else f"{round(float(value), 4):.10g}"
