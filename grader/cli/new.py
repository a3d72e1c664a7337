"""`grader new`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError


def new(
    what: Annotated[str, typer.Argument(metavar="EXERCISE|notebook|course", help="An exercise, for example 07.my_exercise.")],
    name: Annotated[
        str, typer.Argument(metavar="[NAME|FOLDER]", help="The notebook, for example 11_my_topic; the course's folder.")
    ] = "",
) -> None:
    """Make the files of a new exercise, of a new notebook, or of a new course.

    `grader new 07.my_exercise`; `grader new notebook 11_my_topic`; `grader new course ../numpy-basics`. What is there stays.
    """
    makers = {"notebook": _notebook, "course": _course}
    if what not in makers:
        _exercise(what, name)
    elif not name:
        example = "11_my_topic" if what == "notebook" else "../numpy-basics"
        raise UserError(f"What is the {what} to be called? For example: grader new {what} {example}")
    else:
        makers[what](name)


def _exercise(exercise: str, more: str) -> None:
    from ..authoring.scaffold import make
    from ..paths import ROOT

    if more:
        raise UserError(f"An exercise is one word, for example 07.my_exercise; {more!r} behind it is one too many.")
    made = make(exercise)
    for path in made.files:
        typer.echo(f"wrote    {path.relative_to(ROOT)}")
    typer.echo(f"changed  {made.registered_in.relative_to(ROOT)}: it stands last in EXERCISES; keep the notebook's order")
    typer.echo(f"Add to {made.lesson.relative_to(ROOT)}, where it belongs in the notebook:\n\n{made.cell}")
    number = exercise[:2]
    typer.echo(
        f"Then fill the files (docs/writing_an_exercise.md) and run: grader build {number}, grader audit {exercise}. "
        "The audit, and `make test` with it, fail until five mistakes and three right forms are there and hold."
    )


def _notebook(topic: str) -> None:
    from embedding_course.subject.course import course

    from ..authoring.new_notebook import make_notebook

    *made, listed = make_notebook(course(), topic)
    _print_written(made, course().root)
    typer.echo(f"changed  {listed.relative_to(course().root)}: give it a title and a question there")
    course_option = _course_option(course().root)
    typer.echo(f"Next: grader{course_option} build {topic[:2]}, then grader{course_option} audit {topic[:2]}.")


def _course(folder: str) -> None:
    from ..authoring.new_course import FIRST, make_course

    _print_written(make_course(Path(folder)), Path(folder).resolve())
    typer.echo(f"Next: grader --course {folder} build, then grader --course {folder} audit {FIRST[:2]}.")


def _print_written(made: Sequence[Path], root: Path) -> None:
    for path in made:
        typer.echo(f"wrote    {path.relative_to(root)}")


def _course_option(root: Path) -> str:
    from ..paths import ENGINE

    return "" if root == ENGINE else f" --course {root}"
