"""The sealed release: everything a student needs and not a line of an answer."""

import re
import subprocess
import sys
import tomllib
import zipfile
import zlib
from pathlib import Path

import nbformat
import pytest

from embedding_course.checking.expected import file_of
from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import topics
from grader.classroom.policy.course import load_course
from grader.classroom.release import release, student_project
from grader.course_source.notebook import release as notebook_release
from grader.course_source.notebook import source
from grader.paths import ROOT
from grader.submission.rebuild import rebuild
from tests.support.answers import leaks

pytestmark = pytest.mark.xdist_group("release")  # what its fixture makes is made once


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    tree, wheel = release(tmp_path_factory.mktemp("release"))
    assert wheel is not None
    return tree, wheel


def files(tree: Path) -> dict[str, bytes]:
    return {str(path.relative_to(tree)): path.read_bytes() for path in tree.rglob("*") if path.is_file()}


def test_the_tree_holds_what_a_student_needs(sealed: tuple[Path, Path]) -> None:
    tree, _ = sealed
    assert {path.name for path in tree.iterdir()} == {
        "embedding_course",
        "notebooks",
        "projects",
        "data",
        "README.md",
        "README.zh.md",
        "environment.yml",
        "postBuild",
        "LICENSE",
        "pyproject.toml",
    }
    for topic in topics():
        assert (tree / "notebooks" / topic / f"{topic}.ipynb").exists()
        assert all(file_of(exercise, tree / "embedding_course" / "expected").exists() for exercise in exercises_of(topic))


@pytest.mark.parametrize(("page", "other"), [("README.md", "README.zh.md"), ("README.zh.md", "README.md")])
def test_the_first_page_leads_to_the_other_language(page: str, other: str, sealed: tuple[Path, Path]) -> None:
    (switch, *links) = re.findall(r"\]\(([^)\s]+)\)", (sealed[0] / page).read_text(encoding="utf-8"))
    assert switch == other and all(link.startswith("#") for link in links)


@pytest.mark.parametrize("part", ["tree", "wheel"])
def test_no_answer_is_in_it(part: str, sealed: tuple[Path, Path]) -> None:
    if part == "tree":
        contents = files(sealed[0])
    else:
        with zipfile.ZipFile(sealed[1]) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
    assert not [name for name in contents if {"solutions", "grader", ".git", "__pycache__"} & set(Path(name).parts)]
    contents |= {name: zlib.decompress(body) for name, body in contents.items() if name.endswith(".bin")}
    leaked = [leak for name, body in contents.items() if not name.endswith(".safetensors") for leak in leaks(name, body)]
    assert leaked == []


def test_hidden_queries_of_projects_stay_here(sealed: tuple[Path, Path]) -> None:
    hidden = (ROOT / "solutions" / "projects" / "search_engine" / "hidden.tsv").read_bytes().splitlines()
    contents = files(sealed[0])
    assert "projects/search_engine/queries.tsv" in contents
    for name, body in contents.items():
        assert not [line for line in hidden if line.partition(b"\t")[0] in body], name


def test_the_project_asks_for_the_same_and_has_no_grader() -> None:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = student_project()
    mine = tomllib.loads(text)["project"]
    assert mine["dependencies"] == whole["dependencies"]
    assert mine["requires-python"] == whole["requires-python"] and mine["version"] == whole["version"]
    assert "scripts" not in mine and "nbgrader" not in text and "jupyter_server_config" not in text
    packages = tomllib.loads(text)["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == ["embedding_course"]


def test_a_student_gets_their_copies_from_the_tree_alone(sealed: tuple[Path, Path]) -> None:
    tree, _ = sealed
    code = "import sys; from embedding_course.learner.lab.__main__ import main; sys.exit(main(['--copy-only']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tree, capture_output=True, text=True, env={"PATH": ""})
    assert done.returncode == 0, done.stderr
    topic = topics()[0]
    copy = tree / "work" / topic / f"{topic}.ipynb"
    assert copy.read_bytes() == (tree / "notebooks" / topic / f"{topic}.ipynb").read_bytes()


def test_a_second_release_replaces_the_first_and_nothing_else(tmp_path: Path) -> None:
    tree, _ = release(tmp_path, wheel=False)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (tree / "left over").write_text("", encoding="utf-8")
    release(tmp_path, wheel=False)
    assert not (tree / "left over").exists() and (tmp_path / "notes.txt").exists()


COURSE = """\
notebooks = ["03", "01"]
timezone = "Asia/Shanghai"
drop = ["03.grad_after_lookup"]
further = ["03.tied_scores"]
core = ["03.norm_trace"]

[points]
03.renorm_rows = 7.5
03.written = 4

[deadlines]
03 = "2026-03-15 23:59"

[late]
per_day = 10
most = 50
closed_after = 7
"""


@pytest.fixture
def for_class(tmp_path: Path) -> Path:
    (tmp_path / "course.toml").write_text(COURSE, encoding="utf-8")
    tree, _ = release(tmp_path / "release", wheel=False, course=load_course(tmp_path))
    return tree / "notebooks"


def test_a_class_gets_its_own_notebooks_points_and_deadlines(for_class: Path) -> None:
    assert {path.name for path in for_class.iterdir()} == {
        "00_start_here",
        "01_onehot_vs_lookup",
        "03_max_norm",
        "zh",
    }
    assert {path.name for path in (for_class / "zh").iterdir()} <= {path.name for path in for_class.iterdir()} - {"zh"}
    whole = ROOT / "notebooks" / "01_onehot_vs_lookup" / "01_onehot_vs_lookup.ipynb"
    assert (for_class / "01_onehot_vs_lookup" / whole.name).read_bytes() == whole.read_bytes()
    cells = nbformat.read(for_class / "03_max_norm" / "03_max_norm.ipynb", as_version=4).cells
    text = "\n".join(cell.source for cell in cells)
    for sentence in (
        "core · 7.5 points in your class (its check counts 6) · about",
        "core · does not count in your class · about",
        "further · 4 points of extra credit · about",
        "core · 4 points · about",
        "The written answer at the end is worth 4 points in your class, in the proportions named there.",
        "**Hand in by 2026-03-15 23:59 (Asia/Shanghai).** Each day begun after that takes 10 % of the points, 50 % at most."
        " What comes more than 7 days late earns nothing.",
    ):
        assert sentence in text, sentence


def test_a_class_s_notebook_that_lost_its_labels_keeps_its_answers(for_class: Path) -> None:
    theirs = nbformat.read(for_class / "03_max_norm" / "03_max_norm.ipynb", as_version=4)
    for cell in theirs.cells:
        if cell.id == "reflection-answer":
            cell.source = "Neither of the two."
        elif cell.source.startswith("def renorm_rows("):
            cell.source = "def renorm_rows(weight, max_norm, norm_type=2.0):\n    return weight"
        cell.metadata, cell.id = {}, f"other-{len(cell.source)}"
    rebuilt = rebuild(notebook_release(source("03_max_norm")), theirs, "03_max_norm")
    source_by_label = {cell.metadata.nbgrader.grade_id: cell.source for cell in rebuilt.cells if "nbgrader" in cell.metadata}
    assert source_by_label["reflection-answer"] == "Neither of the two."
    assert (
        "return weight" in source_by_label["03-renorm_rows"]
        and "raise NotImplementedError" in source_by_label["03-tied_scores"]
    )


def test_a_class_s_notebook_differs_in_prose_alone(for_class: Path) -> None:
    theirs = nbformat.read(for_class / "03_max_norm" / "03_max_norm.ipynb", as_version=4)
    whole = nbformat.read(ROOT / "notebooks" / "03_max_norm" / "03_max_norm.ipynb", as_version=4)
    assert [cell.id for cell in theirs.cells] == [cell.id for cell in whole.cells]
    for mine, lesson in zip(theirs.cells, whole.cells, strict=True):
        assert mine.metadata == lesson.metadata
        assert mine.source == lesson.source or (mine.cell_type == "markdown" and "nbgrader" not in mine.metadata)
