"""Where the course's files lie."""

from pathlib import Path

__all__ = ["BUILD", "NOTEBOOKS", "ROOT", "SOLUTIONS", "SOURCE"]

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = ROOT / "solutions"
NOTEBOOKS = ROOT / "notebooks"
BUILD = ROOT / "build"
#: The notebooks with solutions, in nbgrader's source format.
SOURCE = BUILD / "source"
