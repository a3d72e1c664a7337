"""`grader export --push canvas`: show what would change in Canvas, ask, and write it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..classroom.name_list import first_names

if TYPE_CHECKING:
    from ..classroom.canvas.push import Plan
    from ..classroom.export.grades import Student
    from ..classroom.policy.course import Course
    from ..classroom.roster import Roster

_MAX_NAMES = 10


def push_to_canvas(
    home: Path,
    course: Course,
    students: Sequence[Student],
    worth: Mapping[str, float],
    roster: Roster,
    named: Mapping[str, str],
    yes: bool,
) -> None:
    """Show what would change in Canvas, and write it after `--yes` or a question.

    Parameters
    ----------
    home : Path
        Folder of the class; the grades that are replaced are kept in its `backups/`.
    course : Course
    students : sequence of Student
        Students with their grades as they count.
    worth : mapping of str to float
        Points of each notebook.
    roster : Roster
    named : mapping of str to str
        Title or number of an assignment, by notebook, as `--column` says it.
    yes : bool
        Whether to write without a question.

    Raises
    ------
    CanvasError
        If Canvas cannot be asked, or refuses.
    """
    from ..classroom.canvas.connection import open_course
    from ..classroom.canvas.push import plan_push, write_push

    plan = plan_push(open_course(course.canvas), students, worth, roster, named)
    _show(plan)
    if not plan.changes:
        typer.echo("Canvas has these grades already; nothing was written.")
        return
    if not agreed(f"Write {len(plan.changes)} grades to Canvas?", yes):
        typer.echo("Nothing was written. --yes writes it.")
        return
    typer.echo(f"The grades of Canvas before are kept in {_keep(home, plan)}.")
    for sentence in write_push(plan):
        typer.echo(sentence)


def agreed(question: str, yes: bool) -> bool:
    """Return True after `--yes`, or if the person at the terminal agrees; False where there is no terminal to ask at."""
    return yes or (sys.stdin.isatty() and typer.confirm(question))


def _show(plan: Plan) -> None:
    from rich.markup import escape
    from rich.table import Table

    from .terminal import Console

    for topic, assignment in plan.assignments.items():
        typer.echo(f"{topic} → “{assignment.name}” ({assignment.id}).")
    if plan.changes:
        table = Table("student", "notebook", "in Canvas", "new")
        for change in plan.changes:
            table.add_row(escape(change.student), change.topic, change.old or "no grade", f"{change.new:.10g}")
        Console().print(table)
    typer.echo(f"{len(plan.changes)} grades differ, {plan.same} are the same.")
    for note in plan.notes:
        typer.echo(note)
    if plan.absent:
        typer.echo(f"No assignment in Canvas has the title of {', '.join(plan.absent)}: left out (--column names another one).")
    for names, phrase in (
        (plan.left, "excused in Canvas, which stays as it is"),
        (plan.unassigned, "left out, since Canvas does not assign the work to the student"),
        (plan.strangers, "in the class but not in Canvas"),
        (plan.open, "in Canvas without a grade of the class"),
    ):
        if names:
            typer.echo(f"{len(names)} {phrase}: {first_names(names, _MAX_NAMES)}.")


def _keep(home: Path, plan: Plan) -> Path:
    """Write the grades that are about to be replaced into `backups/`, for the owner alone."""
    from ..classroom.export.platform_sheets import write_csv

    folder = home / "backups"
    folder.mkdir(exist_ok=True)
    path = folder / f"canvas_grades_{datetime.now(UTC):%Y-%m-%d_%H%M%S_%f}.csv"
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    rows = [[change.student, change.user, change.topic, change.old, change.new] for change in plan.changes]
    write_csv(path, [["student", "canvas number", "notebook", "before", "written"], *rows])
    path.chmod(0o600)
    return path
