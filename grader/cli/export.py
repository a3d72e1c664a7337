"""`grader export`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..classroom.name_list import first_names
from ..errors import UserError
from .options import Db, Home, Section, gradebook_at, topic_named

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom
    from ..classroom.export.fill import Filled
    from ..classroom.export.grades import Student
    from ..classroom.policy.course import Course
    from ..classroom.policy.term import TermGrade
    from ..classroom.roster import Roster

_FILES = {"nbgrader": "grades.csv", "canvas": "canvas.csv", "moodle": "moodle.csv"}
#: The columns of a table of one's own.
_PER = ("exercise", "criterion")
_MAX_NAMES = 10
#: What becomes of scores above the maximum where nobody says it: Moodle refuses them.
_ABOVE = {"nbgrader": "keep", "canvas": "keep", "moodle": "cap"}


def export(
    home: Home = Path(),
    to: Annotated[str, typer.Option(help="nbgrader, canvas or moodle.")] = "nbgrader",
    into: Annotated[Path | None, typer.Option(help="A CSV file that the platform exported, to fill in.")] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            help='With --into or --push: the column of a notebook, as "03=Week 3"; "03=+" adds one. May be given again.'
        ),
    ] = None,
    notebook: Annotated[str, typer.Option(help="Only this notebook, as 03.")] = "",
    section: Section = "",
    out: Annotated[Path | None, typer.Option(help="The file to write; in the class's folder by default.")] = None,
    above: Annotated[str, typer.Option(help="Scores above the maximum: keep, cap or scale; cap for moodle, else keep.")] = "",
    missing: Annotated[str, typer.Option(help="Where nothing came and the time is over: empty, or zero.")] = "empty",
    per: Annotated[str, typer.Option(help="A table of your own with a column for each exercise, or each criterion.")] = "",
    push: Annotated[str, typer.Option(help="canvas: enter the grades there, after showing what would change.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="With --push: write without a question.")] = False,
    db: Db = "",
) -> None:
    """Write the grades, after late penalties, as a CSV file for nbgrader, Canvas or Moodle. Exit 2 when there are none."""
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..classroom.sections import students_in

    _look_at_choices(to, above, missing, into, column, push)
    _look_at_per(per, to, above, into, push)
    classroom = Classroom(home.resolve(), gradebook_at(db))
    course = load_course(classroom.home)
    if not classroom.db and not (classroom.home / "gradebook.db").exists():
        raise UserError(f"There is no gradebook in {classroom.home}: run grader grade first.")
    topic = topic_named(course, notebook)
    target = (out or classroom.home / (f"grades_per_{per}.csv" if per else _FILES[to])).resolve()
    if into is not None and target == into.resolve():
        raise UserError(f"{target.name} is the file that the grades are to be filled into; say another one with --out.")
    asked = Asked(to, into, topic, target, above or _ABOVE[to], missing == "zero", _columns(column or [], course), per)
    asked = replace(asked, students=students_in(course, section), push=push, yes=yes)
    _settle(classroom, course)
    try:
        _write(classroom, course, asked)
    except OSError as error:
        raise UserError(f"{target} cannot be written ({error.strerror or error}).") from None


@dataclass(frozen=True)
class Asked:
    """What an export was asked for.

    `columns` are the titles that were said for notebooks and projects, `students` the ids of those who are exported, or None
    for all. `per` is "exercise" or "criterion" for a table with these columns, and empty for a platform's.
    """

    to: str
    into: Path | None
    topic: str
    target: Path
    above: str
    zeros: bool
    columns: dict[str, str]
    per: str = ""
    students: frozenset[str] | None = None
    push: str = ""
    yes: bool = False


def _look_at_choices(to: str, above: str, missing: str, into: Path | None, column: list[str] | None, push: str = "") -> None:
    from ..classroom.export.above_maximum import CHOICES
    from ..classroom.export.missing import CHOICES as KINDS

    if to not in _FILES:
        raise UserError(f"There is no export to {to!r}; there are {', '.join(_FILES)}.")
    if above not in ("", *CHOICES):
        raise UserError(f"There is no --above {above!r}; there are {', '.join(CHOICES)}.")
    if missing not in KINDS:
        raise UserError(f"There is no --missing {missing!r}; there are {', '.join(KINDS)}.")
    if push not in ("", "canvas"):
        raise UserError(f"There is no --push {push!r}; there is canvas.")
    if push and (into is not None or to != "nbgrader"):
        raise UserError("--push sends the grades to Canvas and writes no file: leave --to and --into out.")
    if to == "nbgrader" and not push and above not in ("", "keep"):
        raise UserError(
            "--above changes what goes to canvas or moodle; nbgrader's own file has the gradebook's scores as they are."
        )
    if to == "nbgrader" and into is not None:
        raise UserError("--into fills a file of canvas or moodle: say --to canvas or --to moodle with it.")
    if column and into is None and not push:
        raise UserError("--column says which column of the file given with --into is filled.")


def _look_at_per(per: str, to: str, above: str, into: Path | None, push: str) -> None:
    if per and per not in _PER:
        raise UserError(f"There is no --per {per!r}; there are {', '.join(_PER)}.")
    if per and (to != "nbgrader" or above or into is not None or push):
        raise UserError("--per writes a table of its own, with scores as they are: leave out --to, --above, --into and --push.")


def _columns(options: list[str], course: Course) -> dict[str, str]:
    """Return the titles of columns by notebook or project, as --column says them."""
    titles = {}
    for option in options:
        key, equals, title = option.partition("=")
        names = [name for name in (*course.topics, *course.projects) if key.strip().zfill(2) in (name, name[:2]) or key == name]
        if not equals or not title.strip() or not names:
            raise UserError(
                f'--column {option!r}: write a notebook of the class and a title, as in --column "03=Week 3 (4102)".'
            )
        titles[names[0]] = title
    return titles


def _settle(classroom: Classroom, course: Course) -> None:
    """Enter what course.toml says of people and deadlines into the gradebook."""
    from ..classroom.gradebook.book import Book  # brings nbgrader, most of what a small export takes
    from ..classroom.policy.course import people_of

    people = people_of(course)
    with Book(classroom.db_url) as book:
        book.enter_people(people)
        book.settle_lateness(course, {})


def _write(classroom: Classroom, course: Course, asked: Asked) -> None:
    from ..classroom.export.above_maximum import settle_above
    from ..classroom.export.grades import name_attempts, read_grades
    from ..classroom.export.missing import enter_zeros, missing_of, status_of
    from ..classroom.export.platform_sheets import canvas_sheet, moodle_sheet, write_csv
    from ..classroom.export.term_column import add_term, term_grades
    from ..classroom.policy.course import people_of
    from ..classroom.projects import add_projects

    students, worth = read_grades(classroom.db_url, course)
    add_projects(classroom.home, course, students, worth)
    terms = term_grades(course, students, people_of(course))
    worth = {name: most for name, most in worth.items() if asked.topic in ("", name)}
    if not any(set(student.grades) & set(worth) for student in students):
        raise UserError("Nothing was graded yet: run grader grade first.")
    attempts = name_attempts(classroom.home, course, students)
    changed = settle_above(students, worth, asked.above)  # by the whole class, also where one section is exported
    students = [student for student in students if asked.students is None or student.id in asked.students]
    missing = missing_of(classroom.home, course, students, worth, people_of(course))
    if asked.zeros:
        enter_zeros(students, worth, missing)
    if not asked.topic:
        add_term(students, worth, terms)
    filled = None
    if asked.per:
        typer.echo(_per(classroom, course, asked, students, worth))
    elif asked.push:
        from .push_canvas import push_to_canvas

        push_to_canvas(classroom.home, course, students, worth, people_of(course), asked.columns, asked.yes)
    elif asked.to == "nbgrader":
        _nbgrader(classroom, asked, attempts | status_of(missing), terms, course.most_extra)
    elif asked.into is None:
        sheet = canvas_sheet if asked.to == "canvas" else moodle_sheet
        write_csv(asked.target, sheet(students, worth), mark=True)
    else:
        filled = _fill(asked.into, asked, students, worth, people_of(course))
    if not asked.push:
        typer.echo(f"wrote {asked.target}: {len(students)} students, {', '.join(worth)}.")
    for note in [*changed, *(sentence for gaps in missing for sentence in gaps.says(asked.zeros))]:
        typer.echo(note)
    if filled is not None:
        _say(filled)
    waiting = sum(grade.waits for student in students for name, grade in student.grades.items() if name in worth)
    if waiting:
        wait = "submission waits" if waiting == 1 else "submissions wait"
        typer.echo(f"{waiting} {wait} for a person (grader mark); written answers count 0 until then.")


def _fill(into: Path, asked: Asked, students: list[Student], worth: dict[str, float], roster: Roster) -> Filled:
    from ..classroom.csv_table import BadRoster, load_table
    from ..classroom.export.fill import fill

    try:
        table = load_table(into)
        filled = fill(table.header, table.lines, students, worth, roster, asked.topic, asked.columns, asked.students)
    except BadRoster as error:
        raise UserError(f"{into.name}: {str(error).removeprefix(f'{into}: ').removeprefix(f'{into.name}: ')}") from None
    table.write(asked.target, filled.rows)
    filled.notes += table.notes
    return filled


def _per(classroom: Classroom, course: Course, asked: Asked, students: list[Student], worth: dict[str, float]) -> str:
    """Write the table by exercise or criterion, and return what has to be said of penalties."""
    from ..classroom import records
    from ..classroom.export.per_exercise import per_sheet
    from ..classroom.export.platform_sheets import write_csv
    from ..classroom.gradebook.marks import marks_of

    topics = [name for name in worth if name in course.topics]
    marks = {topic: marks_of(classroom.db_url, topic) or {} for topic in topics}
    graded = {topic: {record.student: record for record in records.load_topic(classroom.home, topic)} for topic in topics}
    write_csv(asked.target, per_sheet(students, worth, course, marks, graded, asked.per == "criterion"), mark=True)
    late = sum(student.grades[topic].penalty > 0 for student in students for topic in topics if topic in student.grades)
    return f"Late penalties are taken from the notebook, not from an exercise: {late} stand in the columns “late penalty”."


def _nbgrader(
    classroom: Classroom,
    asked: Asked,
    status: dict[tuple[str, str], str],
    terms: dict[str, TermGrade],
    most_extra: float | None,
) -> None:
    from nbgrader.api import Gradebook

    from ..classroom.export.nbgrader_csv import SafeCsv

    with Gradebook(classroom.db_url) as book:
        plugin = SafeCsv(
            to=str(asked.target),
            assignment=[asked.topic] if asked.topic else [],
            student=sorted(asked.students) if asked.students is not None else [],
        )
        plugin.write(book, status, {} if asked.topic else terms, most_extra)


def _say(filled: Filled) -> None:
    for note in filled.notes:
        typer.echo(note)
    sorts = (
        (filled.left, "in a cell with a word, which stays as it is"),
        (filled.strangers, "in the gradebook but not in that file"),
        (filled.open, "in that file without a grade"),
    )
    for names, phrase in sorts:
        if names:
            typer.echo(f"{len(names)} {phrase}: {first_names(names, _MAX_NAMES)}.")
