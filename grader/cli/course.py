"""The class's course.toml, as commands read it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..classroom.policy.course import Course

__all__ = ["course_of"]


def course_of(home: Path) -> Course:
    """The course of the class in `home`. Exit 2, with one sentence, where its course.toml cannot be followed."""
    from ..classroom.policy.course import load_course
    from ..classroom.policy.wrong_course import FILE, WrongCourse

    try:
        return load_course(home)
    except WrongCourse as error:
        typer.echo(f"{FILE}: {error}", err=True)
        raise typer.Exit(2) from None
