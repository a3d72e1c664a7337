"""Where the grader runs: what starts learners' processes needs Linux, and says so before anything is imported."""

import importlib
import os

from ..errors import UserError

NEEDED = (
    "Grading needs Linux: on Windows run it under WSL, on macOS in a container "
    '(docker run --rm -it -v "$PWD:/course" -w /course python:3.12 bash); notebooks and their checks need neither.'
)

_MODULES = ("fcntl", "resource", "pwd")
_CALLS = ("fork", "sched_getaffinity")


def needs_linux() -> None:
    """End the command with a sentence and exit code 2 if the system lacks what grading needs."""
    if not all(map(_there, _MODULES)) or not all(hasattr(os, name) for name in _CALLS):
        raise UserError(NEEDED)


def _there(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True
