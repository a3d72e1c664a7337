"""A gradebook in PostgreSQL, kept as it is now: pg_dump writes it, psql reads it back."""

import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from .address import shown

#: Debian and Ubuntu keep one folder for each version here, and only some of the programs on the search path.
_DEBIAN = Path("/usr/lib/postgresql")


def program(name: str) -> str | None:
    """Return the path of a PostgreSQL program, or None if it is not installed.

    The newest of several versions is taken, since pg_dump must not be older than the server.

    >>> program("pg_dumb") is None
    True
    """
    paths = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: [int(part) for part in re.findall(r"\d+", path.parts[-3])])
    return str(paths[-1]) if paths else shutil.which(name)


#: What a dump may take, in seconds: it only bounds a server that does not answer.
_PATIENCE = 3600


class CannotDump(Exception):
    """The gradebook was not kept; the message says why and what to do."""


def in_postgresql(db_url: str) -> bool:
    """Return True if this is the address of a gradebook in PostgreSQL.

    >>> in_postgresql("postgresql://teacher@db.example.org/grades"), in_postgresql("sqlite:///gradebook.db")
    (True, False)
    """
    return make_url(db_url).get_backend_name() == "postgresql"


def dump(db_url: str, folder: Path, now: datetime | None = None) -> Path:
    """Write the whole database to a file that only its owner may read, and return its path.

    Parameters
    ----------
    db_url : str
        Address of a PostgreSQL database.
    folder : Path
        Folder of the new file; made if it does not exist.
    now : datetime, optional
        Time in the name of the file; by default the present, in UTC.

    Raises
    ------
    CannotDump
        If that fails. No file is left then.
    """
    pg_dump = program("pg_dump")
    if pg_dump is None:
        raise CannotDump(
            "The gradebook is in PostgreSQL, and pg_dump, which keeps a copy of it first, is not installed "
            "(Debian: apt-get install postgresql-client); --no-dump goes on without a copy"
        )
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"gradebook_{now or datetime.now(UTC):%Y-%m-%d_%H%M%S_%f}.sql"
    address, password = _without_password(db_url)
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    command = [pg_dump, "--no-password", "--clean", "--if-exists", f"--dbname={address}"]
    try:
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            done = subprocess.run(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                timeout=_PATIENCE,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        target.unlink(missing_ok=True)
        raise CannotDump(f"The gradebook {shown(db_url)} was not dumped: {type(error).__name__}") from None
    if done.returncode:
        target.unlink(missing_ok=True)
        error_lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = error_lines[0].replace(address, shown(db_url))[:300] if error_lines else f"exit {done.returncode}"
        raise CannotDump(f"The gradebook {shown(db_url)} was not dumped: {reason}")
    return target


def _without_password(db_url: str) -> tuple[str, str]:
    """Return the address as PostgreSQL's own programs take it, and the password: command lines can be read by everybody."""
    url = make_url(db_url)
    password = str(url.password or url.query.get("password", ""))
    url = url.set(drivername="postgresql").difference_update_query(["password"])
    # `set` cannot take a password away.
    bare = url._replace(password=None)
    return bare.render_as_string(hide_password=False), password
