"""The setup cell: short, harmless to run again, and clear when it cannot install."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.classes import blank

from embedding_course.lessons import topics
from grader.course_source.setting import read_setting
from grader.course_source.setup_cell import setup_cell
from grader.paths import ROOT

SETUP = setup_cell(read_setting().package)
REAL_FIND = importlib.util.find_spec


class Shell:
    """IPython's shell as far as the cell needs it; the fake pip is found first."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.said = folder, []

    def system(self, command: str) -> None:
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, cwd=self.folder, env={"PYTHONPATH": str(self.folder)}
        )
        self.said.append(done.stdout + done.stderr)


def run(folder: Path, pip: str, monkeypatch: pytest.MonkeyPatch, *, installed: bool, source: str = SETUP) -> Shell:
    (folder / "pip").mkdir(exist_ok=True)
    (folder / "pip" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "pip" / "__main__.py").write_text(pip, encoding="utf-8")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: REAL_FIND(name) if installed else None)
    shell = Shell(folder)
    exec(compile(source, "<setup>", "exec"), {"get_ipython": lambda: shell})
    return shell


def test_three_lines_and_no_pin() -> None:
    assert len(SETUP.splitlines()) <= 3
    assert not re.search(r"==|<=|>=|~=", SETUP)
    assert "torch" not in SETUP


@pytest.mark.parametrize("topic", topics())
def test_every_notebook_opens_with_it(topic: str) -> None:
    code = [cell for cell in blank(topic).cells if cell.cell_type == "code"]
    assert code[0].id == "setup" and code[0].source == SETUP


def test_nothing_happens_where_the_course_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        assert run(tmp_path, "raise SystemExit('never')", monkeypatch, installed=True).said == []


@pytest.mark.parametrize("package", ["embedding-course", "my wheels/embedding_course-0.1.0-py3-none-any.whl"])
def test_it_installs_what_the_one_setting_names(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell = run(tmp_path, "import sys; print(sys.argv[1:])", monkeypatch, installed=False, source=setup_cell(package))
    assert shell.said == [f"{['install', '--quiet', package]}\n"]


def test_a_wheel_that_was_uploaded_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for age, version in enumerate(("0.9.0", "0.10.0")):
        wheel = tmp_path / f"embedding_course-{version}-py3-none-any.whl"
        wheel.touch()
        os.utime(wheel, (1000 + age, 1000 + age))
    (tmp_path / "embedding_course_solutions-0.10.0-py3-none-any.whl").touch()
    shell = run(tmp_path, "import sys; print(sys.argv[-1])", monkeypatch, installed=False)
    assert shell.said == ["embedding_course-0.10.0-py3-none-any.whl\n"]


def test_without_a_wheel_and_without_a_package_pip_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that nobody published yet might be anybody's tomorrow."""
    monkeypatch.chdir(tmp_path)
    (said,) = run(tmp_path, "print('asked')", monkeypatch, installed=False, source=setup_cell("")).said
    assert "asked" not in said and "could not be installed" in said and len(said.strip().splitlines()) == 1


def test_when_pip_fails_one_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (said,) = run(tmp_path, "raise SystemExit(1)", monkeypatch, installed=False, source=setup_cell("a-name")).said
    assert len(said.strip().splitlines()) == 1
    for word in ("could not be installed", "wheel", "beside this notebook", "run this cell again", "make setup"):
        assert word in said


def test_it_runs_in_a_checkout() -> None:
    code = f"def get_ipython(): raise SystemExit('asked for a shell')\n{SETUP}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == done.stderr == ""
