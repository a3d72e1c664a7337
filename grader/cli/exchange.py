"""nbgrader's exchange, as commands use it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom
    from ..classroom.exchange.settings import ExchangeSettings


def settings_of(room: Classroom) -> ExchangeSettings:
    """What nbgrader's configuration says of the class's exchange. Exit 2, with one sentence, where it cannot be used."""
    from ..classroom.exchange.settings import read_settings

    with said_in_a_sentence():
        return read_settings(room.home)


@contextlib.contextmanager
def said_in_a_sentence() -> Iterator[None]:
    """Exit 2 with what is wrong with the exchange, and what to do."""
    from ..classroom.exchange.settings import NoExchange

    try:
        yield
    except NoExchange as error:
        typer.echo(f"{str(error)[0].upper()}{str(error)[1:]}.", err=True)
        raise typer.Exit(2) from None
