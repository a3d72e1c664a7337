"""The wheel that `pip install embedding-course` would fetch: complete, and at work in an empty folder."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from embedding_course.exercises import exercises_of, known
from embedding_course.subject.lessons import topics
from grader.course_source.catalogue import reference_source
from grader.paths import ROOT
from tests.support.base_only import built_wheel

FIRST = next(exercise for exercise in known().values() if exercise.core)

pytestmark = pytest.mark.xdist_group("wheel")  # what its fixture makes is made once


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as pip lays it out: wheels are not imported from the archive."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_it_holds_code_expectations_and_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for topic in topics():
        assert {f"embedding_course/expected/{topic}/{exercise.stem}.bin" for exercise in exercises_of(topic)} <= names
        assert f"embedding_course/exercises/{topic}/__init__.py" in names
    code = [path.relative_to(ROOT) for folder in ("embedding_course", "grader") for path in (ROOT / folder).rglob("*.py")]
    assert {path.as_posix() for path in code} <= names
    for path in (ROOT / "data").rglob("*"):
        if path.is_file():
            assert f"embedding_course/data/files/{path.relative_to(ROOT / 'data').as_posix()}" in names
    assert not [name for name in names if name.startswith(("solutions/", "tests/", "notebooks/", "claims/", "benchmarks/"))]


def test_a_check_runs_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    code = f"""
import sys
sys.path.insert(0, {str(installed)!r})
import embedding_course
assert embedding_course.__file__.startswith({str(installed)!r}), embedding_course.__file__
from embedding_course import check, glossary, hint, ledger, progress
glossary("困惑度")
ledger("S1.memory-saved-by-lookup")
scope = {{}}
exec({reference_source(FIRST)!r}, scope)
assert check({FIRST.id!r}, scope[{FIRST.name!r}]) == {FIRST.points}
hint({FIRST.id!r})
progress()
assert not [name for name in sys.modules if name.split(".")[0] in ("grader", "IPython", "nbformat", "nbgrader", "typer")]
"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "EMBEDDING"))}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert f"✔ {FIRST.id}" in done.stdout
    assert "perplexity · 困惑度" in done.stdout and "60,000,000 bytes" in done.stdout
    assert (tmp_path / ".embedding_course" / "progress.json").exists()


def test_importing_it_is_all_that_a_notebook_waits_for(installed: Path, tmp_path: Path) -> None:
    """Neither scikit-learn nor matplotlib is loaded before a figure asks for it."""
    code = "import sys, embedding_course; print(*sorted({'sklearn', 'matplotlib', 'scipy'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "", done.stderr
