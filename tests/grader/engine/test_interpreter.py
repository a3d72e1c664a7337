"""Another Python that runs learners' cells, as course.toml names it."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.policy.course import load_course
from grader.cli import app
from grader.engine.fork_server import Learners
from grader.engine.interpreter import WrongPython, version_of_python
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from tests.redteam.honest import TOPIC
from tests.support.classes import perfect

HERE = ".".join(map(str, sys.version_info[:3]))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment of its own that sees the packages of this one."""
    folder = tmp_path_factory.mktemp("python") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    packages = next(path for path in sys.path if Path(path).name == "site-packages")
    (site / "others.pth").write_text(f"{packages}\n", encoding="utf-8")
    return folder / "bin" / "python"


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def a_class(home: Path, python: str) -> Classroom:
    (home / "course.toml").write_text(f'[learners]\npython = "{python}"\n', encoding="utf-8")
    folder = home / "submitted" / "ada" / TOPIC
    folder.mkdir(parents=True, exist_ok=True)
    notebook = perfect()
    notebook.metadata["language_info"] = {"name": "python", "version": "3.99.1"}
    nbformat.write(notebook, folder / f"{TOPIC}.ipynb")
    return Classroom(home)


def test_cells_are_run_by_the_python_that_is_named(other: Path) -> None:
    with Learners(trusted=True, topics=[TOPIC], python=str(other)) as learners:
        assert learners.how.endswith(f"; Python {HERE}, {other}")
        with learners.start() as learner:
            learner.run(f"import sys\nassert sys.prefix == {str(other.parent.parent)!r}, sys.prefix")
            assert not any(learner.errors)


def test_a_class_is_graded_by_it_and_each_grade_says_so(other: Path, tmp_path: Path) -> None:
    classroom = a_class(tmp_path, os.path.relpath(other, tmp_path))
    assert load_course(tmp_path).python == str(other), "a path counts from the class's folder, and stays a link"
    (graded,) = grade_class(classroom, [TOPIC], Run(seed=1))
    record = records.load(tmp_path, TOPIC, "ada")
    assert record is not None and record.score == record.max_score == graded.record.score
    assert record.python == str(other) and str(other) in record.sandbox and record.written_with == "3.99.1"
    assert not list(grade_class(classroom, [TOPIC], Run(seed=1))), "nothing has changed"
    (tmp_path / "course.toml").write_text("", encoding="utf-8")
    (again,) = grade_class(classroom, [TOPIC], Run(seed=1))
    assert again.record.python == "" and "Python" not in again.record.sandbox


def test_what_it_lacks_is_said_before_anything_is_graded(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    a_class(tmp_path, "bare/bin/python")
    done = CliRunner().invoke(app, ["grade", "03", "--class", str(tmp_path)])
    assert done.exit_code == 2 and not list((tmp_path / "results").rglob("*.json"))
    last_line = done.output.strip().splitlines()[-1]
    assert (
        f"is Python {HERE} and has no msgspec, IPython, numpy, safetensors, torch" in last_line and "pip install" in last_line
    )
    done = CliRunner().invoke(app, ["class", "check", str(tmp_path)])
    assert done.exit_code == 2 and "has no msgspec" in done.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('echo "[[3, 10, 2], []]"', "is Python 3.10.2, and learners' cells need 3.11 or newer"),
        ("echo Python 2.7", "did not answer as Python 3.11 or newer does"),
        ("exit 3", "did not answer as Python 3.11 or newer does"),
    ],
)
def test_no_python_or_an_old_one_is_one_sentence(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(WrongPython, match=message):
        version_of_python(str(program(tmp_path / "python", text)))


def test_a_path_that_leads_nowhere_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(WrongPython, match="cannot be started"):
        Learners(trusted=True, topics=(), python=str(tmp_path / "python3.99"))
    (tmp_path / "course.toml").write_text("[learners]\npyhton = 'x'\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["class", "check", str(tmp_path)])
    assert done.exit_code == 2 and "there is no key learners.pyhton; did you mean python?" in done.output


def test_grade_warns_of_notebooks_of_a_newer_python(tmp_path: Path) -> None:
    wrapper = program(tmp_path / "python", f'exec {shlex.quote(sys.executable)} "$@"')
    a_class(tmp_path, f"./{wrapper.name}")
    done = CliRunner().invoke(app, ["grade", "03", "--class", str(tmp_path)])
    assert done.exit_code == 0 and f"Python {HERE}, {wrapper}" in done.output
    here = ".".join(HERE.split(".")[:2])
    assert f"Written with a newer Python than the {here} that graded: 1 notebook with 3.99. Syntax" in done.output
