"""The option that names the gradebook, shared by the commands that have it."""

from typing import Annotated

import typer

Db = Annotated[
    str,
    typer.Option(help="The gradebook, as postgresql://... without a password, or env:NAME; gradebook.db unless said."),
]


def gradebook_at(said: str) -> str:
    """The address behind `--db`; ends the command with a sentence and exit code 2 where it is none."""
    from ..classroom.gradebook.address import BadAddress, address_of

    try:
        return address_of(said)
    except BadAddress as error:
        typer.echo(f"{error}.", err=True)
        raise typer.Exit(2) from None
