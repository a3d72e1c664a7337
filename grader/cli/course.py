"""The class's course.toml, as commands read it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from ..classroom.policy.course import Course


def course_of(home: Path) -> Course:
    """The course of the class in `home`. Exit 2, with one sentence, where its course.toml cannot be followed."""
    from ..classroom.policy.course import load_course
    from ..classroom.policy.toml_file import FILE, WrongCourse

    try:
        return load_course(home)
    except WrongCourse as error:
        typer.echo(f"{FILE}: {error}", err=True)
        raise typer.Exit(2) from None


def chosen_of(course: Course, notebooks: list[str] | None) -> list[str]:
    """The notebooks of the class that are meant, by number or topic; all where none is named. Exit 2 for any other."""
    from embedding_course.subject.lessons import lesson

    counted, chosen = list(course.topics), []
    for name in notebooks or counted:
        try:
            chosen.append(lesson(name.zfill(2)).topic)
        except KeyError:
            _stop(f"There is no notebook {name!r}; there are {', '.join(counted)}.")
        if chosen[-1] not in counted:
            _stop(f"{chosen[-1]} is not a notebook of this class; its course.toml has {', '.join(counted)}.")
    return chosen


def chosen_lessons(names: list[str] | None) -> list[str]:
    """The notebooks of the course that are meant, by number or topic, in order; all where none is named. Exit 2 otherwise."""
    from embedding_course.subject.lessons import lesson, topics

    chosen = set()
    for name in names or topics():
        try:
            chosen.add(lesson(name.zfill(2)).topic)
        except KeyError:
            _stop(f"There is no notebook {name!r}; there are {', '.join(topics())}.")
    return sorted(chosen)


def _stop(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(2)
