"""`grader export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .gradebook_option import Db, gradebook_at

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom
    from ..classroom.export.fill import Filled
    from ..classroom.policy.course import Course

__all__ = ["export"]

_FILES = {"nbgrader": "grades.csv", "canvas": "canvas.csv", "moodle": "moodle.csv"}
_MOST = 10
#: What becomes of scores above the maximum where nobody says it: Moodle refuses them.
_ABOVE = {"nbgrader": "keep", "canvas": "keep", "moodle": "cap"}


def export(
    home: Annotated[Path, typer.Option("--class", help="The folder of the class.")] = Path(),
    to: Annotated[str, typer.Option(help="nbgrader, canvas or moodle.")] = "nbgrader",
    into: Annotated[Path | None, typer.Option(help="A CSV file that the platform exported, to fill in.")] = None,
    notebook: Annotated[str, typer.Option(help="Only this notebook, as 03.")] = "",
    out: Annotated[Path | None, typer.Option(help="The file to write; in the class's folder unless said.")] = None,
    above: Annotated[str, typer.Option(help="Scores above the maximum: keep, cap or scale; cap for moodle, else keep.")] = "",
    db: Db = "",
) -> None:
    """Write the grades, after late penalties, as a CSV file for nbgrader, Canvas or Moodle. Exit 2 when there are none."""
    from ..classroom.class_folder import Classroom
    from ..classroom.export.above import CHOICES
    from .course import course_of

    if to not in _FILES:
        _stop(f"There is no export to {to!r}; there are {', '.join(_FILES)}.")
    if above not in ("", *CHOICES):
        _stop(f"There is no --above {above!r}; there are {', '.join(CHOICES)}.")
    if to == "nbgrader" and above not in ("", "keep"):
        _stop("--above changes what goes to canvas or moodle; nbgrader's own file has the gradebook's scores as they are.")
    room = Classroom(home.resolve(), gradebook_at(db))
    course = course_of(room.home)
    if not room.db and not (room.home / "gradebook.db").exists():
        _stop(f"There is no gradebook in {room.home}: run grader grade first.")
    topic = next((name for name in course.topics if notebook and notebook in (name, name[:2])), "")
    if notebook and not topic:
        _stop(f"There is no notebook {notebook!r} in this class; there are {', '.join(course.topics)}.")
    target = (out or room.home / _FILES[to]).resolve()
    if into is not None and target == into.resolve():
        _stop(f"{target.name} is the file that the grades are to be filled into; say another one with --out.")
    _settle(room, course)
    try:
        _write(room, course, to, into, topic, target, above or _ABOVE[to])
    except OSError as error:
        _stop(f"{target} cannot be written ({error.strerror or error}).")


def _settle(room: Classroom, course: Course) -> None:
    """What course.toml says of people and deadlines, into the gradebook."""
    from ..gradebook.book import Book, BookClosed, Refused  # brings nbgrader, most of what a small export takes
    from .collect import roster_of

    people = roster_of(course)
    try:
        with Book(room.db_url) as book:
            book.enter_people(people)
            book.settle_lateness(course, {})
    except (BookClosed, Refused) as error:
        _stop(f"{str(error)[0].upper()}{str(error)[1:]}.")


def _write(room: Classroom, course: Course, to: str, into: Path | None, topic: str, target: Path, above: str) -> None:
    from ..classroom.export.above import settle_above
    from ..classroom.export.cells import write_csv
    from ..classroom.export.fill import fill
    from ..classroom.export.grades import read_grades
    from ..classroom.export.sheets import canvas_sheet, moodle_sheet
    from ..classroom.projects import add_projects
    from ..classroom.roster import BadRoster, read_table
    from .collect import roster_of

    students, worth = read_grades(room.db_url, course)
    add_projects(room.home, course, students, worth)
    worth = {name: most for name, most in worth.items() if topic in ("", name)}
    if not any(set(student.grades) & set(worth) for student in students):
        _stop("Nothing was graded yet: run grader grade first.")
    changed = settle_above(students, worth, above)
    filled = None
    if to == "nbgrader":
        _nbgrader(room, topic, target)
    elif into is None:
        write_csv(target, (canvas_sheet if to == "canvas" else moodle_sheet)(students, worth), mark=True)
    else:
        try:
            header, lines = read_table(into)
            filled = fill(header, lines, students, worth, roster_of(course), topic)
        except BadRoster as error:
            _stop(f"{into.name}: {str(error).removeprefix(f'{into.name}: ')}")
        write_csv(target, filled.rows, mark=True)
    typer.echo(f"wrote {target}: {len(students)} students, {', '.join(worth)}.")
    for note in changed:
        typer.echo(note)
    if filled is not None:
        _say(filled)
    waiting = sum(grade.waits for student in students for name, grade in student.grades.items() if name in worth)
    if waiting:
        typer.echo(f"{waiting} submissions wait for a person in formgrader; their written answers count 0 until then.")


def _nbgrader(room: Classroom, topic: str, target: Path) -> None:
    from nbgrader.api import Gradebook

    from ..classroom.export.nbgrader_csv import SafeCsv

    with Gradebook(room.db_url) as book:
        SafeCsv(to=str(target), assignment=[topic] if topic else []).export(book)


def _say(filled: Filled) -> None:
    for note in filled.notes:
        typer.echo(note)
    sorts = ((filled.strangers, "in the gradebook but not in that file"), (filled.open, "in that file without a grade"))
    for names, said in sorts:
        if names:
            more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
            typer.echo(f"{len(names)} {said}: {', '.join(names[:_MOST])}{more}.")


def _stop(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(2)
