"""`grader mistake`: give a wrong answer of a class a name."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import UserError
from .options import Home

mistake = typer.Typer(
    help="Give a wrong answer of a class a name, so that it is recognised from then on.",
    no_args_is_help=True,
    add_completion=False,
)


@mistake.callback()
def group() -> None:
    """Give a wrong answer of a class a name, so that it is recognised from then on."""


@mistake.command()
def add(
    exercise: Annotated[str, typer.Argument(help="Notebook and name, for example 03.renorm_rows.")],
    student: Annotated[str, typer.Option("--from", help="Whose answer it is.")],
    name: Annotated[str, typer.Option("--name", help="What the mistake is called: small letters, digits, underscores.")],
    diagnosis: Annotated[str, typer.Option("--diagnosis", help="What was done, in one sentence.")],
    next_step: Annotated[str, typer.Option("--next-step", help="One thing to try next, in one sentence.")],
    home: Home = Path(),
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Add a student's wrong answer to the catalogue of known mistakes, without docstring and comments.

    Exit 2 when it cannot be added; then nothing was changed.
    """
    from ..authoring.add_mistake import Words, addition
    from ..classroom.class_folder import Classroom
    from ..paths import SOLUTIONS

    try:
        words = Words(name, diagnosis.strip(), next_step.strip())
        draft = addition(Classroom(home.resolve()), exercise, student, words, SOLUTIONS)
        if not yes:
            typer.echo(f"{draft.code}\n")
            typer.echo("From the next build on this code runs as a part of the course, outside of the sandbox: read it first.")
            if not typer.confirm(f"Add it to {draft.place}?"):
                raise UserError("Nothing was changed.")
        draft.write()
    except OSError as error:
        raise UserError(f"{error.filename} cannot be written ({error.strerror}).") from None
    typer.echo(f"added to {draft.place}")
    typer.echo(
        f"Next: grader build {draft.exercise[:2]}, grader audit {draft.exercise}. Then grader grade marks the class again."
    )
