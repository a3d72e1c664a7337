"""`grader class`: make a class, look at what its course.toml comes to, bring its gradebook up to date."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .class_forget import forget
from .class_keep import backup, restore
from .options import Db, check_class, gradebook_at
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import Course

class_ = typer.Typer(
    help="Make a class, check its course.toml, bring its gradebook up to date.", no_args_is_help=True, add_completion=False
)


@class_.command()
def new(
    home: Annotated[Path, typer.Argument(help="The folder to make; what is in it already stays.")],
) -> None:
    """Make a class: its folder, a course.toml that explains itself, nbgrader's configuration."""
    from ..classroom.new_class import make_class

    try:
        made = make_class(home)
    except OSError as error:
        raise UserError(f"{home} cannot be made ({error.strerror or error}).") from None
    for path in made:
        typer.echo(f"made {path}")
    if not made:
        typer.echo(f"{home} is a class already; nothing was changed.")
    typer.echo(f"Next: edit {home / 'course.toml'}, then grader class check {home}.")


@class_.command()
def check(
    home: Annotated[Path, typer.Argument(help="The folder of the class.")] = Path(),
) -> None:
    """Say what the class's course.toml comes to: notebooks, points, deadlines. Exit 2 when it cannot be followed."""
    from embedding_course.messages import ENGLISH

    from ..classroom.policy.contradictions import contradictions
    from ..classroom.policy.course import load_course, people_of
    from ..classroom.policy.decisions import (
        attempt_rule,
        example_sentences,
        late_policy,
        marking_sentences,
        rubric_sentences,
        term_sentences,
    )
    from ..classroom.sections import sections_of

    check_class(home)
    course = load_course(home.resolve())
    roster = people_of(course)
    people = roster.people
    for note in roster.notes:
        typer.echo(note)
    if not (home / "course.toml").exists():
        typer.echo("There is no course.toml: all notebooks, their own points, no deadlines.")
    _show(course)
    if course.language != ENGLISH:
        typer.echo(f"Verdicts and pages are in {course.language}; who works in the other edition reads that one.")
    if course.deadlines:
        typer.echo(late_policy(course.late))
    typer.echo(attempt_rule(course))
    names = [person.id for person in people]
    for student, topic in course.extensions:
        if names and student not in names:
            raise UserError(f"course.toml: the extension of {topic} is for {student}, who is not in the roster.")
    for team in course.teams:
        strangers = [member for member in team.members if names and member not in names]
        if strangers:
            raise UserError(f"course.toml: {strangers[0]} of the team {team.name} is not in the roster.")
    for student, topic in sorted(course.excused):
        if names and student not in names:
            raise UserError(f"course.toml: {student}, who is excused from {topic}, is not in the roster.")
        typer.echo(f"{student} is excused from {topic} in the grade of the term.")
    known_sections = sections_of(roster)
    for position, allotment in enumerate(course.allotments, 1):
        unknown = [name for name in allotment.students if names and name not in names]
        unknown += [name for name in allotment.sections if name not in known_sections]
        if unknown:
            kind = "section" if unknown[0] in allotment.sections else "student"
            raise UserError(f"course.toml: allotments, number {position}: there is no {kind} {unknown[0]} in the roster.")
    sentences = (term_sentences, example_sentences, marking_sentences, rubric_sentences)
    for sentence in (sentence for kind in sentences for sentence in kind(course)):
        typer.echo(sentence)
    for sentence in contradictions(course):
        typer.echo(f"Look at this: {sentence}")
    if names:
        typer.echo(f"{len(names)} students.")
    if known_sections:
        counts = ", ".join(f"{name} ({len(members)})" for name, members in known_sections.items())
        alone = len(names) - sum(map(len, known_sections.values()))
        typer.echo(f"{len(known_sections)} sections: {counts}{f'; {alone} students have none' if alone else ''}.")
    if course.canvas is not None:
        typer.echo(f"Course {course.canvas} of Canvas gives the roster and takes the grades (--pull canvas, --push canvas).")
    if course.python:
        _say_python(course.python)
    if course.teams:
        typer.echo(f"{len(course.teams)} teams: {'; '.join(f'{team.name} ({len(team.members)})' for team in course.teams)}.")


def _say_python(python: str) -> None:
    from ..engine.interpreter import version_of_python

    typer.echo(f"Learners' cells are run by Python {version_of_python(python)}, {python}.")


def _show(course: Course) -> None:
    from rich.table import Table

    from embedding_course.checking.result import number

    from ..classroom.policy.decisions import changes
    from ..course_source.stored import labelled_cells
    from .terminal import Console

    table = Table("notebook", "core", "further", "written", "due", "in UTC", title=course.name or None)
    table.columns[0].no_wrap = True
    for topic in course.topics:
        terms = course.terms_of(topic)
        worth = {name: terms.worth(cell) or 0.0 for name, cell in labelled_cells(topic).items()}
        core = sum(points for name, points in worth.items() if name.endswith("-check"))
        due = course.deadlines.get(topic)
        table.add_row(
            topic,
            number(core),
            number(_further(course, topic)),
            number(sum(points for name, points in worth.items() if not name.endswith("-check"))),
            f"{due.astimezone(course.zone):%Y-%m-%d %H:%M}" if due else "",
            f"{due.astimezone(UTC):%Y-%m-%d %H:%M}" if due else "",
        )
    Console().print(table)
    for sentence in changes(course):
        typer.echo(sentence)
    for (student, topic), until in sorted(course.extensions.items()):
        typer.echo(f"{student} has {topic} until {until.astimezone(course.zone):%Y-%m-%d %H:%M}.")


def _further(course: Course, topic: str) -> float:
    from embedding_course.exercises.index import entries_of

    terms = course.terms_of(topic)
    return sum(
        terms.points.get(exercise.id, exercise.points)
        for exercise in entries_of(topic)
        if exercise.id not in terms.dropped and not terms.core.get(exercise.id, exercise.core)
    )


@class_.command()
def upgrade(
    home: Annotated[Path, typer.Argument(help="The folder of the class.")] = Path(),
    db: Db = "",
    no_dump: Annotated[bool, typer.Option("--no-dump", help="Keep no copy of a gradebook in PostgreSQL first.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what the installed version of the course changes, and for whom.")
    ] = False,
) -> None:
    """Bring a gradebook from an older version of nbgrader or of the course up to date.

    A copy is kept first: beside the file, or in backups/ for a gradebook in PostgreSQL.
    """
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course

    classroom = Classroom(home.resolve(), gradebook_at(db))
    course = load_course(classroom.home)
    if dry_run:
        _preview(classroom, course)
        return
    path = None if classroom.db else classroom.home / "gradebook.db"
    if path is not None and not path.exists():
        raise UserError(f"There is no gradebook in {classroom.home}.")
    _upgrade(classroom, course, path, no_dump)


def _preview(classroom: Classroom, course: Course) -> None:
    """Say what the next grading changes for whom. Nothing is run and nothing is written."""
    from rich.markup import escape
    from rich.table import Table

    from embedding_course.checking.result import number

    from ..classroom import records
    from ..marking.upgrade_preview import preview
    from .terminal import Console

    topics = [topic for topic in course.topics if records.files(classroom.home, topic)]
    if not topics:
        raise UserError(f"Nothing is graded in {classroom.home} yet, so an upgrade changes nothing.")
    table = Table("student", "notebook", "before", "after", title="Points that change in any case")
    previews = [preview(classroom, course, topic) for topic in topics]
    for made in previews:
        for sentence in made.sentences:
            typer.echo(sentence)
        for moved in made.moved:
            before, after = f"{number(moved.before)} of {number(moved.most_before)}", f"{number(moved.after)} of"
            table.add_row(escape(moved.student), made.topic, before, f"{after} {number(moved.most_after)}")
    if table.row_count:
        Console().print(table)
    if any(made.again or made.changed or made.moved for made in previews):
        typer.echo(
            "Nothing was run or changed. Next: grader class upgrade, grader grade, and grader release for the new wheel."
        )


def _upgrade(classroom: Classroom, course: Course, path: Path | None, no_dump: bool) -> None:
    needs_linux()
    import sqlite3

    from nbgrader.api import Gradebook
    from sqlalchemy.exc import DBAPIError

    from ..classroom.class_zip import BACKUPS
    from ..classroom.gradebook.ask import find_alembic
    from ..classroom.gradebook.dump import CannotDump, dump, in_postgresql
    from ..classroom.gradebook.schema import copy_of, misfit, refit, upgrade_schema
    from ..classroom.only_writer import Busy, only_writer
    from ..course_source.notebook import released

    find_alembic()
    reason = misfit(classroom.db_url)
    if reason and "older" not in reason:
        raise UserError(f"The gradebook {reason}.")
    try:
        with only_writer(classroom.home):
            if path is not None:
                typer.echo(f"copied to {copy_of(path)}")
            elif in_postgresql(classroom.db_url) and not no_dump:
                typer.echo(f"copied to {dump(classroom.db_url, classroom.home / BACKUPS)}")
            if reason:
                upgrade_schema(classroom.db_url)
                typer.echo("brought up to nbgrader's present form.")
            with Gradebook(classroom.db_url) as book:
                known = [
                    str(assignment.name)
                    for assignment in book.assignments
                    if assignment.name in course.topics and assignment.submissions
                ]
            for topic in known:
                for done in refit(classroom.db_url, topic, released(topic)):
                    typer.echo(f"{topic}: {done}")
    except CannotDump as error:
        raise UserError(f"{error}. Nothing was changed.") from None
    except (Busy, RuntimeError, DBAPIError, sqlite3.Error, OSError) as error:
        raise UserError(
            f"The gradebook could not be brought up to date ({str(error).splitlines()[0]}); the copy is as it was."
        ) from None
    typer.echo("The gradebook is up to date. Next: grader grade, which marks what has changed.")


for command in (forget, backup, restore):
    class_.command()(command)
