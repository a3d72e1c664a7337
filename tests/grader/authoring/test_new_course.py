"""A course of one's own: docs/own_course.md typed as it stands, and what `grader new` says to what cannot be."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.subject.course import SUBJECT, read_course
from embedding_course.subject.errors import CourseError
from grader.authoring.new_course import FIRST, make_course
from grader.authoring.new_notebook import make_notebook
from grader.authoring.scaffold import CannotMake
from grader.cli import app
from grader.paths import ROOT
from tests.support.other_course import graded, names, solved

PAGE = (ROOT / "docs" / "own_course.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


_ONE_DIGIT = 'number = "1"\nslug = "a"\ntitle = "A"\nquestion = "?"'


class Shell:
    """A shell that knows what the page types: `cd`, `export` and `grader`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.variables = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "COLUMNS": "200"}
        self.said: dict[str, str] = {}
        self.codes: dict[str, int] = {}

    def type(self, line: str) -> None:
        words = shlex.split(line)
        if words[0] == "cd":
            self.home /= words[1]
        elif words[0] == "export":
            name, _, value = words[1].partition("=")
            self.variables[name] = value.replace("$PWD", str(self.home))
        else:
            assert words[0] == "grader", line
            done = subprocess.run(
                [sys.executable, "-m", *words],
                cwd=self.home,
                env={**os.environ, **self.variables},
                capture_output=True,
                text=True,
                check=False,
            )
            self.said[line], self.codes[line] = done.stdout + done.stderr, done.returncode


@pytest.mark.slow
def test_the_page_leads_from_nothing_to_a_graded_report(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    for language, name, body in BLOCKS:
        if language != "bash":
            (shell.home / name).write_text(body, encoding="utf-8")
            continue
        for line in body.splitlines():
            shell.type(line)
            if line.startswith("cd "):
                _handed_in(tmp_path / "numpy-first", shell.home / "download.zip")
    failed = {line: code for line, code in shell.codes.items() if code}
    tried = "grader --course numpy-first try 01.count_above my_answer.py"
    assert failed == {tried: 1}, {line: shell.said[line] for line in failed}
    assert "[at_least]" in shell.said[tried]
    assert shell.said["grader new course numpy-first"].count("\n") == 11
    audited = shell.said["grader --course numpy-first audit --seeds 2"]
    assert "mistakes caught 6/6, named 6/6, right forms accepted 4/4" in audited and "forgers paid 0/" in audited
    assert "2 graded, 0 unreadable" in shell.said["grader grade"]
    assert graded(shell.home) == {"ada": (2.0, 2.0), "bo": (0.0, 2.0)}
    report = (shell.home / "reports" / "class_report.html").read_text(encoding="utf-8")
    assert "01.count_above" in report and "embedding" not in report.lower()
    assert "First steps" in (shell.home / "feedback" / "ada" / FIRST / f"{FIRST}.html").read_text(encoding="utf-8")
    with zipfile.ZipFile(next((tmp_path / "numpy-first" / "build" / "release").glob("*.whl"))) as wheel:
        held = wheel.namelist()
    assert {"numpy_first/subject.toml", "embedding_course/checking/judge.py"} <= set(held)
    assert not [name for name in held if "reference" in name.split("/") or "mistakes" in name.split("/") or "grader" in name]
    assert not [name for name in held if name.startswith("embedding_course/exercises/0")]


@pytest.mark.slow
def test_one_notebook_more_of_this_course(tmp_path: Path) -> None:
    """In a checkout without the other notebooks, which are soon built."""
    root = tmp_path / "checkout"
    for name in ("embedding_course", "grader", "solutions", "docs"):
        shutil.copytree(
            ROOT / name,
            root / name,
            ignore=lambda _, names: [
                file_name for file_name in names if file_name == "__pycache__" or re.match(r"(?!00_)\d\d_", file_name)
            ],
        )
    shutil.copy(ROOT / "pyproject.toml", root)
    shell = Shell(root)
    shell.variables["PYTHONPATH"] = str(root)
    for line in ("grader new notebook 12_my_topic", "grader build 12", "grader audit 12 --seeds 1"):
        shell.type(line)
        assert shell.codes[line] == 0, shell.said[line]
    assert "mistakes caught 6/6, named 6/6" in shell.said["grader audit 12 --seeds 1"]
    text = (root / "notebooks" / "12_my_topic" / "12_my_topic.ipynb").read_text(encoding="utf-8")
    assert "from embedding_course import doctor, submit" in text and "12 · My topic" in text
    assert ">12<" in (root / "docs" / "img" / "course_map.svg").read_text(encoding="utf-8")


def _handed_in(course: Path, archive: Path) -> None:
    right, empty = solved(course, FIRST), (course / "notebooks" / FIRST / f"{FIRST}.ipynb").read_bytes()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(f"ada_{FIRST}.ipynb", right)
        packed.writestr(f"bo_{FIRST}.ipynb", empty)


def test_a_new_course_is_whole_and_stands_alone(tmp_path: Path) -> None:
    made = make_course(tmp_path / "Linear-Algebra")
    own = read_course(tmp_path / "Linear-Algebra")
    assert own.package == "linear_algebra" and own.subject.title == "Linear algebra" and not own.subject.torch
    assert [f"{notebook.number}_{notebook.slug}" for notebook in own.subject.notebook] == [FIRST]
    assert len(made) == 10 and all(path.is_file() for path in made)
    for path in made:
        text = path.read_text(encoding="utf-8")
        assert "$" not in text and str(ROOT) not in text
        if path.suffix == ".py":
            compile(text, str(path), "exec")


def test_a_new_notebook_is_entered_and_has_names_of_its_own(tmp_path: Path) -> None:
    make_course(tmp_path / "algebra")
    *_, listed = make_notebook(read_course(tmp_path / "algebra"), "02_more")
    assert listed == tmp_path / "algebra" / "algebra" / SUBJECT
    own = read_course(tmp_path / "algebra")
    assert [notebook.number for notebook in own.subject.notebook] == ["01", "02"]
    assert names(own) == {"01": "count_above", "02": "count_above_02"}


@pytest.mark.parametrize(
    ("topic", "message"),
    [
        ("1_more", "two digits"),
        ("01_other", "There is a notebook 01 already, 01_first_steps"),
        ("02_Über", "two digits"),
        ("00_more", "warm-up"),
        ("../02_more", "two digits"),
    ],
)
def test_a_notebook_that_cannot_be(tmp_path: Path, topic: str, message: str) -> None:
    make_course(tmp_path / "algebra")
    before = _texts(tmp_path)
    with pytest.raises(CannotMake, match=re.escape(message)):
        make_notebook(read_course(tmp_path / "algebra"), topic)
    assert _texts(tmp_path) == before


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "algebra").mkdir()
    (tmp_path / "algebra" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CannotMake, match="is there already, and is not an empty folder"):
        make_course(tmp_path / "algebra")
    make_course(tmp_path / "other")
    (tmp_path / "other" / "solutions" / "02_more").mkdir()
    with pytest.raises(CannotMake, match="02_more is there already"):
        make_notebook(read_course(tmp_path / "other"), "02_more")
    assert [path.name for path in (tmp_path / "algebra").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["numpy", "json", "2courses", "class", "größe"])
def test_a_course_that_cannot_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(CannotMake, match=r"cannot be a course's name|There is a module"):
        make_course(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["new", "notebook"], "What is the notebook to be called?"),
        (["new", "course"], "What is the course to be called?"),
        (["new", "03.a", "b"], "An exercise is one word"),
        (["new", "notebook", "03_again"], "There is a notebook 03 already"),
    ],
)
def test_the_command_says_what_is_missing(words: list[str], message: str) -> None:
    outcome = CliRunner().invoke(app, words)
    assert outcome.exit_code == 2 and message in outcome.output and outcome.output.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "is no course"),
        ("title = 1", "cannot be read"),
        ("title =", "cannot be read"),
        ('title = "a"\ncourse_id = "a"\ndistribution = "a"\ncolour = "red"', "colour"),
        (f'title = "a"\ncourse_id = "a"\ndistribution = "a"\n[[notebook]]\n{_ONE_DIGIT}', "two digits"),
    ],
)
def test_a_folder_that_is_no_course(tmp_path: Path, text: str | None, message: str) -> None:
    (tmp_path / "abc").mkdir()
    if text is not None:
        (tmp_path / "abc" / SUBJECT).write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=message):
        read_course(tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--course", "nowhere"], "nowhere: name that of a course"),
        (["--course", ""], "--course: name the folder of the course"),
        (["--course", "."], "is no course: a course has one subject.toml"),
    ],
)
def test_a_wrong_folder_behind_course_is_one_sentence(tmp_path: Path, words: list[str], message: str) -> None:
    shell = Shell(tmp_path)
    line = shlex.join(["grader", *words, "build"])
    shell.type(line)
    assert shell.codes[line] == 1 and message in shell.said[line] and shell.said[line].count("\n") == 1


def test_another_course_comes_too_late(tmp_path: Path) -> None:
    make_course(tmp_path / "algebra")
    outcome = CliRunner().invoke(app, ["--course", str(tmp_path / "algebra"), "audit"])
    assert isinstance(outcome.exception, CourseError) and "already: --course comes first" in str(outcome.exception)


def _texts(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
