"""The grading wheel: the grader with the answers of some notebooks.

Both it and the learner's wheel are installed into one folder outside of Python's packages, by
``pip install --no-deps --target FOLDER``. That folder is then `grader.paths.ROOT`, which no submission sees; among Python's
packages one could read the answers.
"""

import json
import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from embedding_course.subject.titles import DISTRIBUTION, TITLE

from ..classroom.release import build_wheel, release
from ..course_source.notebook import MADE, released
from ..course_source.stored import as_bytes
from ..paths import ENGINE, SOLUTIONS

#: The name that the grading wheel is imported by nowhere, and installed under.
GRADING = f"{DISTRIBUTION.replace('-', '_')}_grading"
_IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc")


def own_wheels(out: Path, topics: Sequence[str]) -> tuple[Path, Path]:
    """Build the learner's wheel and the grading wheel into `out`, and return both paths.

    Raises
    ------
    CalledProcessError
        If pip fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        _, built = release(Path(folder))
        assert built is not None
        out.mkdir(parents=True, exist_ok=True)
        learner = Path(shutil.copy2(built, out))
    return learner, grading_wheel(out, topics)


def grading_wheel(out: Path, topics: Sequence[str]) -> Path:
    """Build the grader with the answers and mistakes of `topics` into `out`, and return the wheel.

    The wheel includes what the grader reads from `pyproject.toml`. Raise CalledProcessError if pip fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        shutil.copytree(ENGINE / "grader", tree / "grader", ignore=_IGNORED)
        for topic in topics:
            shutil.copytree(SOLUTIONS / topic, tree / "solutions" / topic, ignore=_IGNORED)
            (tree / "solutions" / topic / MADE).write_bytes(as_bytes(released(topic)))
        shutil.copy2(ENGINE / "pyproject.toml", tree / "whole.toml")
        (tree / "pyproject.toml").write_text(_project(), encoding="utf-8")
        return build_wheel(tree, out, GRADING)


def _project() -> str:
    whole = tomllib.loads((ENGINE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    values = {
        "name": GRADING.replace("_", "-"),
        "version": whole["version"],
        "description": f"What grading the course “{TITLE}” needs. It holds answers: keep it from learners",
        "requires-python": whole["requires-python"],
        "classifiers": ["Private :: Do Not Upload"],
    }
    lines = "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())
    return (
        '[build-system]\nrequires = ["hatchling>=1.24"]\nbuild-backend = "hatchling.build"\n\n'
        f'[project]\n{lines}\n[tool.hatch.build.targets.wheel]\npackages = ["grader"]\n\n'
        '[tool.hatch.build.targets.wheel.force-include]\n"solutions" = "solutions"\n"whole.toml" = "pyproject.toml"\n'
    )
