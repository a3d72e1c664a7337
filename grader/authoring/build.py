"""Build everything that derives from `solutions/`, or check that what is committed is in step."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from embedding_course.checking import expected
from embedding_course.exercises.index import INDEX, entries
from embedding_course.learner.progress.course_map import course_map
from embedding_course.lessons import topics

from ..course_source import notebook
from ..course_source.stored import as_bytes
from ..paths import NOTEBOOKS, ROOT, SOURCE
from .exercise_index import exercise_index
from .expectations import expectations
from .reference_page import reference_page
from .rooms_picture import PICTURE, rooms_picture

__all__ = ["INDEX", "PICTURES", "REFERENCE_PAGE", "build", "out_of_step", "same_tree"]

REFERENCE_PAGE = ROOT / "docs" / "exercises.md"
PICTURES = {ROOT / "docs" / "img" / "course_map.svg": course_map, PICTURE: rooms_picture}


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != body:
        path.write_bytes(body)


def build(chosen: list[str] | None = None, *, only_notebooks: bool = False) -> list[Path]:
    """Write notebooks, nbgrader sources shipped expectations and the index of exercises; returns the notebooks."""
    made = []
    for topic in chosen or topics():
        full = notebook.source(topic)
        _write(SOURCE / topic / f"{topic}.ipynb", as_bytes(full))
        made.append(NOTEBOOKS / topic / f"{topic}.ipynb")
        _write(made[-1], as_bytes(notebook.release(full)))
        if not only_notebooks:
            expected.save(topic, expectations(topic))
    expected.load.cache_clear()
    _write(INDEX, exercise_index())
    entries.cache_clear()
    _write(REFERENCE_PAGE, reference_page().encode("utf-8"))
    for path, made_of in PICTURES.items():
        _write(path, made_of().encode("utf-8"))
    return made


def out_of_step() -> list[str]:
    """What is committed and does not follow from the sources: one sentence each."""
    said = []
    for topic in topics():
        path = NOTEBOOKS / topic / f"{topic}.ipynb"
        wanted = as_bytes(notebook.release(notebook.source(topic)))
        if not path.exists() or path.read_bytes() != wanted:
            said.append(f"notebooks/{topic}/{topic}.ipynb does not follow from solutions/{topic}")
        said += _expectations_differ(topic)
    if not INDEX.exists() or INDEX.read_bytes() != exercise_index():
        said.append("embedding_course/exercises/index.json does not follow from the exercises' definitions")
    if not REFERENCE_PAGE.exists() or REFERENCE_PAGE.read_bytes() != reference_page().encode("utf-8"):
        said.append("docs/exercises.md does not follow from the exercises' definitions")
    for path, made_of in PICTURES.items():
        if not path.exists() or path.read_bytes() != made_of().encode("utf-8"):
            said.append(f"docs/img/{path.name} is not what is drawn now")
    return said


def _expectations_differ(topic: str) -> list[str]:
    """Numbers are compared within tolerance: processors differ in the last bits."""
    from embedding_course.checking.compare import Comparison
    from embedding_course.checking.difference import difference
    from embedding_course.exercises import find_exercise

    name = f"embedding_course/expected/{topic}"
    try:
        shipped = expected.load(topic)
    except (OSError, KeyError, ValueError):
        return [f"{name} is missing or unreadable"]
    with tempfile.TemporaryDirectory() as folder:
        expected.save(topic, expectations(topic), Path(folder))
        fresh = expected.load(topic, Path(folder))
        trees = [msgspec.json.decode((place / f"{topic}.json").read_bytes()) for place in (Path(folder), expected.FOLDER)]
        if not same_tree(*trees):
            return [f"{name}.json does not follow from solutions/{topic}"]
    for exercise, entry in fresh.items():
        compare = find_exercise(exercise).compare
        for case, mine, theirs in zip(entry.cases, entry.expected, shipped[exercise].expected, strict=True):
            if difference(mine, theirs, case, compare if isinstance(compare, Comparison) else None):
                return [f"{name}: {exercise}, case {case.name!r} has another result"]
    return []


def same_tree(mine: Any, theirs: Any) -> bool:
    """Are two JSON trees equal, numbers within rounding?"""
    if type(mine) is not type(theirs):
        return False
    if isinstance(mine, dict):
        return mine.keys() == theirs.keys() and all(same_tree(mine[key], theirs[key]) for key in mine)
    if isinstance(mine, list):
        return len(mine) == len(theirs) and all(map(same_tree, mine, theirs))
    if isinstance(mine, float):
        return math.isclose(mine, theirs, rel_tol=1e-4, abs_tol=1e-6)
    return mine == theirs
