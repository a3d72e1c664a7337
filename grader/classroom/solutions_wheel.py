"""The optional part: the worked solutions as a wheel of their own, for those who learn alone. A class ships without it."""

import json
import shutil
import tempfile
import tomllib
from pathlib import Path

from embedding_course.learner.worked_solutions.part import PART
from embedding_course.subject.course import course
from embedding_course.subject.titles import TITLE

from ..paths import BUILD, ROOT, SOLUTIONS
from .release import build_wheel

_ABOUT = '"""Worked solutions to the exercises of the course “{title}”; `{package}.solution` shows them."""\n'


def solutions_wheel(out: Path = BUILD / "solutions") -> Path:
    """Build the wheel `embedding_course_solutions` into `out` and return its path; raise CalledProcessError if pip fails.

    It holds the right answers as text, in the layout of `solutions/`; mistakes, lessons and hidden cases stay out.
    """
    version, python = _version_and_python()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        package = tree / PART
        package.mkdir()
        (package / "__init__.py").write_text(_ABOUT.format(title=TITLE, package=course().package), encoding="utf-8")
        for reference_folder in sorted(SOLUTIONS.glob("*/reference")):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(reference_folder, package / reference_folder.relative_to(SOLUTIONS), ignore=ignored)
        (tree / "pyproject.toml").write_text(_project(version, python), encoding="utf-8")
        return build_wheel(tree, out, PART)


def _version_and_python() -> tuple[str, str]:
    if not course().ours:
        return course().subject.version, ">=3.11"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["version"], project["requires-python"]


def _project(version: str, python: str) -> str:
    values = {
        "name": PART.replace("_", "-"),
        "version": version,
        "description": f"Worked solutions to the exercises of the course “{TITLE}”",
        "requires-python": python,
    }
    head = '[build-system]\nrequires = ["hatchling>=1.24"]\nbuild-backend = "hatchling.build"\n\n[project]\n'
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    return f'{head}{lines}\n[tool.hatch.build.targets.wheel]\npackages = ["{PART}"]\n'
