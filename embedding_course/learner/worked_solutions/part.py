"""Find the worked solutions: an optional package of their own, or the `solutions` folder of a checkout.

The base package contains none. Both have one layout: `{topic}/reference/{stem}.py`, read as text and never imported.
"""

import importlib.util
from pathlib import Path

from ...checking.exercise import Exercise
from ...subject.course import course

#: The import name of the optional package.
PART = course().solutions_package
_CHECKOUT = course().root / "solutions"


def find_text(exercise: Exercise) -> str | None:
    """Return the text of the file with the reference answer; None if no worked solutions are installed."""
    for folder in _places():
        path = folder / exercise.lesson.topic / "reference" / f"{exercise.stem}.py"
        if path.exists():
            return path.read_text(encoding="utf-8")
    return None


def _places() -> list[Path]:
    spec = importlib.util.find_spec(PART)
    return [*map(Path, (spec.submodule_search_locations if spec else None) or ()), _CHECKOUT]
