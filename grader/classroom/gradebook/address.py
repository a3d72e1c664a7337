"""The address of a gradebook, as it is given on a command line.

A password does not belong there, because everybody on the machine can read the command lines of running programs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import PhraseError

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_ENVIRONMENT = "env:"


class BadAddress(PhraseError, ValueError):
    """The option is not the address of a gradebook; the message says why."""


def address_of(database_option: str) -> str:
    """Return the address that `--db` gives: itself, or for `env:NAME` the value of that environment variable.

    An address from the environment may hold a password, one from the command line must not. PostgreSQL's own library then
    takes the password from PGPASSWORD, or from the file that PGPASSFILE names (by default ~/.pgpass).

    >>> address_of("postgresql://teacher@db.example.org/grades")
    'postgresql://teacher@db.example.org/grades'
    """
    if database_option.startswith(_ENVIRONMENT):
        name = database_option.removeprefix(_ENVIRONMENT)
        address = os.environ.get(name, "")
        if not address:
            raise BadAddress(f"--db {database_option}: the environment holds no {name or 'variable without a name'}")
        _parsed(address)
        return address
    if database_option and _has_password(_parsed(database_option)):
        raise BadAddress(
            "A password in --db can be read by everybody on this machine (ps shows it): leave it out and set PGPASSWORD or "
            "PGPASSFILE, or put the whole address into a variable and say --db env:NAME; and change it"
        )
    return database_option


def is_missing_file(db_url: str) -> bool:
    """Return True if the gradebook is an SQLite file that does not exist yet."""
    return db_url.startswith("sqlite:///") and not Path(db_url.removeprefix("sqlite:///")).exists()


def shown(url: str) -> str:
    """Return an address without what may be secret in it, for messages.

    >>> shown("postgresql+psycopg://teacher:secret@db.example.org/grades?password=too")
    'postgresql://…@db.example.org/grades'
    """
    if url.startswith("sqlite:///"):
        return url.removeprefix("sqlite:///")
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parts = make_url(url)
    except ArgumentError:
        return "that was named"
    who = "…@" if parts.username or parts.password else ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.get_backend_name()}://{who}{parts.host or ''}{port}/{parts.database or ''}"


def _parsed(url: str) -> URL:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise BadAddress("--db is no address of a database, such as postgresql://teacher@db.example.org/grades") from None


def _has_password(url: URL) -> bool:
    return bool(url.password) or any("password" in name.lower() for name in url.query)
