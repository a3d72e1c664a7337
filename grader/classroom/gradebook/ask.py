"""Ask a gradebook that may not exist; nbgrader is imported only if there is one."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from .address import is_missing_file


def find_alembic() -> None:
    """Put the interpreter's folder on the search path.

    nbgrader calls `alembic` by its bare name, also if no virtual environment is active.
    """
    folder = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", "")
    if folder not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([folder, path])


Answer = TypeVar("Answer")


def ask(db_url: str, question: Callable[[Any], Answer]) -> Answer | None:
    """Return what `question` finds in a gradebook, or None if there is none yet or it cannot be read."""
    if is_missing_file(db_url):
        return None
    from nbgrader.api import Gradebook
    from sqlalchemy.exc import SQLAlchemyError

    find_alembic()
    try:
        with Gradebook(db_url) as book:
            return question(book)
    except (SQLAlchemyError, OSError):
        return None
