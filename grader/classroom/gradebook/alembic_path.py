"""Where nbgrader finds the program that makes and migrates its tables."""

import os
import sys
from pathlib import Path


def find_alembic() -> None:
    """nbgrader calls `alembic` by its bare name; it lies beside the interpreter even where no venv is active."""
    folder = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", "")
    if folder not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([folder, path])
