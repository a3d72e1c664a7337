"""Where PostgreSQL's own programs lie: pg_dump, psql, initdb, postgres."""

import re
import shutil
from pathlib import Path

#: Debian and Ubuntu keep one folder for each version here, and only some of the programs on the search path.
_DEBIAN = Path("/usr/lib/postgresql")


def program(name: str) -> str | None:
    """The path of a program; None where it is not installed. Of several versions the newest, since pg_dump must not be older
    than the server.

    >>> program("pg_dumb") is None
    True
    """
    found = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: [int(part) for part in re.findall(r"\d+", path.parts[-3])])
    return str(found[-1]) if found else shutil.which(name)
