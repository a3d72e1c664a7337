"""`grader regrade`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .options import Db, Home, gradebook_at
from .platform_needed import needs_linux

if TYPE_CHECKING:
    from ..marking.regrade import Change


def regrade(
    context: typer.Context,
    exercise: Annotated[str, typer.Argument(help="The exercise that was corrected, for example 03.renorm_rows.")],
    home: Home = Path(),
    student: Annotated[str | None, typer.Option(help="Only this student.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many at a time; as many as cores by default.")] = None,
    db: Db = "",
    no_dump: Annotated[bool, typer.Option("--no-dump", help="Keep no copy of a gradebook in PostgreSQL first.")] = False,
    trust_submissions: Annotated[bool, typer.Option("--trust-submissions", help="Grade even without a sandbox.")] = False,
) -> None:
    """Grade one corrected exercise again for the whole class, on the same hidden inputs, and show before and after.

    Other marks, and whatever a person entered, stay. Exit 2 when nothing can be done.
    """
    needs_linux()
    from embedding_course.exercises import find_exercise
    from embedding_course.subject.errors import CourseError

    from ..classroom.class_folder import Classroom
    from ..classroom.gradebook.dump import CannotDump, in_postgresql
    from ..classroom.policy.course import load_course
    from ..course_source.half_made import look_for_half_made
    from ..marking.regrade import back_up, sort_out
    from ..marking.regrade import regrade as run
    from ..marking.run import Run
    from ..report.regraded_page import write_regraded

    try:
        chosen = find_exercise(exercise)
    except CourseError as error:
        raise UserError(str(error)) from None
    look_for_half_made([chosen.lesson.topic])
    classroom = Classroom(home.resolve(), gradebook_at(db))
    course = load_course(classroom.home)
    before, left_out = sort_out(classroom, chosen.lesson.topic, student, course)
    if not before:
        reasons = "; ".join(f"{omission.student} {omission.reason}" for omission in left_out[:3])
        raise UserError(
            f"Nobody's {chosen.id} can be graded again{': ' + reasons if reasons else f': nothing in {classroom.submitted}'}."
        )
    try:
        backup = None if no_dump and in_postgresql(classroom.db_url) else back_up(classroom)
    except CannotDump as error:
        raise UserError(f"{error}. Nothing was changed.") from None
    kept = str(backup.relative_to(classroom.home)) if backup else ""
    changes: list[Change] = []
    try:
        asked = Run(workers=workers, trusted=trust_submissions)
        for change in run(classroom, chosen.id, before, asked, context.obj, course):
            changes.append(change)
    finally:  # ended half way, the page still says what was done
        page = write_regraded(classroom.home, chosen.id, changes, left_out, kept, course.zone) if changes else None
    _print(chosen.id, changes)
    for omission in left_out:
        typer.echo(f"not regraded: {omission.student} {omission.reason}")
    if kept:
        typer.echo(f"The gradebook as it was is kept in {kept}.")
    typer.echo(f"wrote {page}")
    typer.echo(f"Next: grader feedback {chosen.lesson.number}")


def _print(exercise: str, changes: list[Change]) -> None:
    """Print who gained or lost points; the page lists everybody."""
    from rich.markup import escape
    from rich.table import Table

    from embedding_course.checking.result import number

    from ..marking.regrade import difference
    from .terminal import Console

    table = Table("student", "before", "after", "difference", "notebook", title=f"{exercise}: before and after")
    moved = sorted((change for change in changes if change.difference), key=lambda row: (-row.difference, row.student))
    for row in moved:
        table.add_row(
            escape(row.student),
            f"{number(row.before)} ({row.status_before})",
            f"{number(row.after)} ({row.status_after})",
            difference(row),
            f"{number(row.notebook_before)} → {number(row.notebook_after)}",
        )
    if moved:
        Console().print(table)
    typer.echo(f"{len(changes)} regraded: {len(moved)} with other points than before, {len(changes) - len(moved)} the same.")
