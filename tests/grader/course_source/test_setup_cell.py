"""The setup cell: short, harmless to run again, and clear when it cannot install."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from embedding_course.subject.lessons import topics
from grader.course_source.setting import read_setting
from grader.course_source.setup_cell import setup_cell
from grader.paths import ROOT
from tests.support.classes import blank

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
    assert [Path(output.strip()).name for output in shell.said] == ["embedding_course-0.10.0-py3-none-any.whl"]


@pytest.mark.parametrize(
    "name",
    [
        "embedding_course-0.1.0-py3-none-any (1).whl",
        "embedding_course-0.1.0-py3-none-any(2).whl",
        "embedding_course-0.1.0-py3-none-any-3.whl",
        "embedding_course-0.1.0-py3-none-any - 副本.whl",
        "embedding_course-0.1.0-py3-none-any (1) (1).whl",
        "Copy of embedding_course-0.1.0-py3-none-any.whl",
    ],
)
def test_a_wheel_that_a_browser_renamed_is_installed_by_real_pip(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip refuses such a file by its name. The older one of the proper name is not what was uploaded last."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    shutil.copy(small_wheel(tmp_path, "0.1.0"), name)
    Path("embedding_course-0.0.9-py3-none-any.whl").write_bytes(b"an older one")
    os.utime("embedding_course-0.0.9-py3-none-any.whl", (1000, 1000))
    Path("not_embedding_course-9.0-py3-none-any.whl").write_bytes(b"another package")
    target = tmp_path / "installed"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    shell = Pip(target)
    exec(compile(SETUP, "<setup>", "exec"), {"get_ipython": lambda: shell})
    assert (target / "embedding_course" / "__init__.py").read_text(encoding="utf-8") == "version = '0.1.0'\n", shell.said
    assert sorted(path.name for path in Path().iterdir())[-1] == max(name, "not_embedding_course-9.0-py3-none-any.whl")


class Pip:
    """IPython's shell as far as the cell needs it, with the real pip, which installs into a folder."""

    def __init__(self, target: Path) -> None:
        self.target, self.said = target, ""

    def system(self, command: str) -> None:
        settings = {**os.environ, "PIP_TARGET": str(self.target), "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"}
        done = subprocess.run(command, shell=True, capture_output=True, text=True, env=settings)
        self.said += done.stdout + done.stderr


def small_wheel(folder: Path, version: str) -> Path:
    """A wheel of the course's name that holds one module, quick to install."""
    path = folder / f"embedding_course-{version}-py3-none-any.whl"
    about = f"embedding_course-{version}.dist-info"
    files = {
        "embedding_course/__init__.py": f"version = '{version}'\n",
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: embedding-course\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{about}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{about}/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("page", ["docs/installing.md", "docs/for_students.md"])
def test_the_documented_line_gives_renamed_wheels_their_names_back(page: str, tmp_path: Path) -> None:
    """The line is run as it stands on the page, then pip installs what it left, as the next line says."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    (number,) = [index for index, line in enumerate(lines) if line.startswith("    python3 -c ")]
    rename, install = lines[number].strip(), lines[number + 1].strip()
    assert install.startswith("python3 -m pip install ") and install.endswith("embedding_course-0.1.0-py3-none-any.whl")
    wheel = small_wheel(tmp_path, "0.1.0")
    here = tmp_path / "here"
    here.mkdir()
    (here / wheel.name).write_bytes(b"downloaded long ago")
    os.utime(here / wheel.name, (1000, 1000))
    shutil.copy(wheel, here / "embedding_course-0.1.0-py3-none-any (1).whl")
    shutil.copy(wheel, here / "embedding_course_solutions-0.1.0-py3-none-any(1).whl")
    settings = {**os.environ, "PIP_TARGET": str(tmp_path / "installed"), "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"}
    python3 = f'"{sys.executable}"'
    for command in (rename, install):
        done = subprocess.run(
            command.replace("python3", python3, 1), shell=True, capture_output=True, text=True, cwd=here, env=settings
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "installed" / "embedding_course" / "__init__.py").exists()
    assert {path.name for path in here.iterdir()} == {wheel.name, "embedding_course_solutions-0.1.0-py3-none-any.whl"}


def test_without_a_wheel_and_without_a_package_pip_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that nobody published yet might be anybody's tomorrow."""
    monkeypatch.chdir(tmp_path)
    (output,) = run(tmp_path, "print('asked')", monkeypatch, installed=False, source=setup_cell("")).said
    assert "asked" not in output and "could not be installed" in output and len(output.strip().splitlines()) == 1


def test_when_pip_fails_one_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (output,) = run(tmp_path, "raise SystemExit(1)", monkeypatch, installed=False, source=setup_cell("a-name")).said
    assert len(output.strip().splitlines()) == 1
    for word in ("could not be installed", "wheel", "beside this notebook", "run this cell again", "make setup"):
        assert word in output


def test_it_runs_in_a_checkout() -> None:
    code = f"def get_ipython(): raise SystemExit('asked for a shell')\n{SETUP}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == done.stderr == ""
