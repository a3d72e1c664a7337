"""`grader roster`: fetch the list of students from a platform."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..classroom.name_list import first_names
from ..errors import UserError
from .options import Home
from .push_canvas import agreed

if TYPE_CHECKING:
    from ..classroom.canvas.roster import Pulled

_MAX_LINES = 20


def roster(
    pull: Annotated[str, typer.Option(help="The platform to ask: canvas.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Write the file without a question.")] = False,
    home: Home = Path(),
) -> None:
    """Fetch the roster from Canvas into the CSV file that course.toml names. Shows what would change first."""
    from ..classroom.canvas.connection import open_course
    from ..classroom.canvas.people import students_of
    from ..classroom.canvas.roster import pulled_roster
    from ..classroom.policy.course import load_course

    if pull != "canvas":
        raise UserError("Say where the roster comes from: grader roster --pull canvas.")
    home = home.resolve()
    course = load_course(home)
    if len(course.rosters) > 1:
        raise UserError("course.toml names several rosters, and Canvas gives one: name one file as roster, and pull again.")
    path = course.rosters[0] if course.rosters else home / "roster.csv"
    people = students_of(open_course(course.canvas))
    if not people:
        raise UserError(
            "Canvas lists no students who are in this course now, so the roster stays; look at course in [canvas] of "
            "course.toml, and whether the course has ended."
        )
    pulled = pulled_roster(people, path)
    _show(pulled)
    if path.exists() and not pulled.differs:
        typer.echo(f"{path.name} says the same already; nothing was written.")
    elif not agreed(f"Write {len(people)} students to {path.name}?", yes):
        typer.echo("Nothing was written. --yes writes it.")
    else:
        _write(home, path, pulled)
        typer.echo(f"wrote {path}: {len(pulled.rows) - 1} students.")
    if not course.rosters:
        typer.echo(f'course.toml names no roster yet: write roster = "{path.name}" into it.')


def _show(pulled: Pulled) -> None:
    for names, phrase in (
        (pulled.came, "new"),
        (pulled.gone, "in the file but not in Canvas, and would leave the roster; their work and their grades stay"),
    ):
        if names:
            typer.echo(f"{len(names)} {phrase}: {first_names(names, _MAX_LINES)}.")
    for sentence in pulled.changed[:_MAX_LINES]:
        typer.echo(sentence)
    if len(pulled.changed) > _MAX_LINES:
        typer.echo(f"and {len(pulled.changed) - _MAX_LINES} more differences.")


def _write(home: Path, path: Path, pulled: Pulled) -> None:
    """Write the roster for its owner alone; the older file is kept in `backups/`."""
    from ..classroom.export.platform_sheets import write_csv

    try:
        if path.exists():
            backup = home / "backups" / f"{path.stem}_{datetime.now(UTC):%Y-%m-%d_%H%M%S_%f}{path.suffix}"
            backup.parent.mkdir(exist_ok=True)
            backup.touch(0o600)
            shutil.copyfile(path, backup)
            typer.echo(f"The older file is kept in {backup}.")
        write_csv(path, pulled.rows, mark=True)
        path.chmod(0o600)
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror or error}).") from None
