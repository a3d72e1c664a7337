"""`grader mark`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError
from .options import Db, Home, gradebook_at


def mark(
    home: Home = Path(),
    port: Annotated[int, typer.Option(help="The port of the page.")] = 8890,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, and open nothing.")] = False,
    db: Db = "",
) -> None:
    """Mark written answers in a page: one question, all students, several people at once; marks land in the gradebook."""
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..marking.written.answers import questions_of
    from ..marking.written.extension import MarkingApp

    classroom = Classroom(home.resolve(), gradebook_at(db))
    if not questions_of(classroom, load_course(classroom.home)):
        raise UserError(f"Nobody in {classroom.home} has handed in a written answer: run grader grade first.")
    words = [f"--MarkingApp.class_folder={classroom.home}", f"--MarkingApp.gradebook={gradebook_at(db)}", f"--port={port}"]
    words += ["--no-browser"] if no_browser else []
    words += ["--allow-root"] if os.geteuid() == 0 else []  # as in a container; the server would refuse without a reason
    MarkingApp.launch_instance(words)
