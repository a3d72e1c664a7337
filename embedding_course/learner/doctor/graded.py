"""Run a notebook with the grader itself, if a checkout of the course is installed."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from ...messages import VARIABLE, edition
from .run import RunOutcome
from .saved import Saved

_MAX_SECONDS = 600
_NEEDED = ("grader", "nbgrader", "nbclient", "nbformat", "jupytext", "nh3")


def available() -> Path | None:
    """Return the root of the checkout if the grader, its dependencies and the lessons are there, otherwise None."""
    if any(importlib.util.find_spec(name) is None for name in _NEEDED):
        return None
    spec = importlib.util.find_spec("grader")
    root = Path(spec.origin).resolve().parent.parent if spec and spec.origin else None
    return root if root and (root / "solutions").is_dir() else None


def run_graded(saved: Saved) -> RunOutcome | None:
    """Return what grading makes of the file, or None if the grader cannot run here (it needs Linux)."""
    root = available()
    if root is None or not saved.path.is_file():
        return None
    settings = {name: value for name, value in os.environ.items() if name != "JPY_SESSION_NAME"}
    settings["PYTHONPATH"] = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH", "")]))
    settings[VARIABLE] = edition()
    settings["OMP_NUM_THREADS"] = "1"  # This is set before torch is imported: the process that forks must have one thread.
    command = [sys.executable, "-m", "grader.marking.rehearsal", str(saved.path.resolve())]
    try:
        done = subprocess.run(
            command, capture_output=True, cwd=root, env=settings, timeout=_MAX_SECONDS, stdin=subprocess.DEVNULL, check=False
        )
        return msgspec.json.decode(done.stdout, type=RunOutcome)
    except (OSError, subprocess.TimeoutExpired, msgspec.DecodeError):
        return None
