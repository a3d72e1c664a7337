"""`grader --course FOLDER package`: the example in Gradescope's folders and in GitHub's, with the marks of `grader grade`."""

import os
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from embedding_course.checking.render import as_text
from grader.classroom import records
from grader.classroom.grade_record import GradeRecord
from grader.paths import ROOT
from tests.support.other_course import solved
from tests.support.packages import GH, Gradescope, Runner

pytestmark = [pytest.mark.xdist_group("another course's packages"), pytest.mark.slow]
EXAMPLE = ROOT / "examples" / "numpy_basics"
TOPIC = "01_arrays"
SEED = "7"
TOKEN = "a token that reads all repositories"


def served(*words: str) -> str:
    """What `grader --course` says; it must end well."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "grader", "--course", str(EXAMPLE), *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def handed_in() -> dict[str, bytes]:
    """All right; a known mistake; nothing written."""
    right = solved(EXAMPLE, TOPIC)
    wrong = right.replace(b"axis=0", b"axis=1")
    assert wrong != right
    return {"ada": right, "bo": wrong, "cai": (EXAMPLE / "notebooks" / TOPIC / f"{TOPIC}.ipynb").read_bytes()}


def spy(paths: list[Path]) -> bytes:
    """A notebook whose first answer is right if and only if its process can read one of the `paths`."""
    seen = f"any(os.access(path, os.R_OK) for path in {[str(path) for path in paths]})"
    answer = f"def column_means(table):\\n    import os\\n    assert {seen}\\n"
    right = solved(EXAMPLE, TOPIC).decode("utf-8")
    assert "def column_means(table" in right
    return right.replace("def column_means(table", f"{answer}    return _means(table)\\n\\n\\ndef _means(table", 1).encode()


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, GradeRecord]:
    """What `grader --course grade` makes of the same files."""
    home = tmp_path_factory.mktemp("class")
    for student, body in handed_in().items():
        path = home / "submitted" / student / TOPIC / f"{TOPIC}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(body)
    served("grade", "01", "--class", str(home), "--seed", SEED)
    records_by_student = {record.student: record for record in records.load_topic(home, TOPIC)}
    assert {name: record.score for name, record in records_by_student.items()} == {"ada": 6, "bo": 0, "cai": 0}
    return records_by_student


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Gradescope:
    home = tmp_path_factory.mktemp("gradescope")
    output = served("package", "gradescope", "01", "--seed", SEED, "--out", str(home / "a.zip"))
    assert "say 6 autograder points" in output
    made = Gradescope.make(home / "autograder", home / "a.zip")
    done = made.setup(EMBEDDING_COURSE_PYTHON=sys.executable)
    assert done.returncode == 0, done.stderr
    return made


def test_gradescope_gives_the_points_and_words_of_grader_grade(image: Gradescope, graded: dict[str, GradeRecord]) -> None:
    for student, body in handed_in().items():
        done = image.grade(body, f"{TOPIC}.ipynb")
        assert done.returncode == 0, done.stderr
        results, record = image.results, graded[student]
        assert results["score"] == pytest.approx(record.score + record.extra)
        assert results["extra_data"]["check"] == record.check
        words = [test["output"] for test in results["tests"]]
        assert {as_text(result) for result in record.results} <= set(words)
    asked = (image.root / "source" / "requirements.txt").read_text(encoding="utf-8")
    assert "numpy==" in asked and "torch" not in asked and "scikit-learn" not in asked


def test_its_answers_are_out_of_sight_there(image: Gradescope) -> None:
    source, course = image.root / "source", image.course
    public = [course / "numpy_basics" / "subject.toml"]
    secret = [
        source / "settings.json",
        source / "own",
        course / "solutions",
        course / "grader" / "paths.py",
        course / "solutions" / TOPIC / "reference" / "column_means.py",
    ]
    assert all(path.exists() for path in public + secret)
    for paths, points in ((public, 3), (secret, 0)):
        assert image.grade(spy(paths), f"{TOPIC}.ipynb").returncode == 0
        earned = sum(test["score"] for test in image.results["tests"] if test["name"].startswith("01.column_means"))
        assert earned == points, "the spy itself must work" if points else "something can be read"


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("github")
    template, marks = home / "template", home / "marks"
    words = ["--into", str(template), "--marks-into", str(marks), "--students", "our-class/arrays", "--seed", SEED]
    served("package", "github", "01", *words)
    return template, marks


def test_the_template_checks_a_push_and_holds_no_answer(repositories: tuple[Path, Path], tmp_path: Path) -> None:
    template, _ = repositories
    assert {path.name for path in template.iterdir()} == {
        f"{TOPIC}.ipynb",
        "numpy_basics-0.1.0-py3-none-any.whl",
        "README.md",
        ".gitignore",
        ".github",
    }
    assert "./numpy_basics-*.whl" in (template / "README.md").read_text(encoding="utf-8")
    runner = Runner(template, tmp_path)
    assert "./numpy_basics-*.whl" in runner.steps()["Install"]["run"]
    site = tmp_path / "site"
    (wheel,) = template.glob("*.whl")
    installing = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--target",
        str(site),
        str(wheel),
    ]
    subprocess.run(installing, check=True)
    python = tmp_path / "python"  # one to which the wheel is installed
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{site}" exec "{sys.executable}" -P "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    (template / f"{TOPIC}.ipynb").write_bytes(handed_in()["bo"])
    done = runner.run("Check")
    summary = unescape(runner.summary.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stderr
    assert "[row_means]" in summary and "Marks come from hidden cases" in summary


def test_the_teachers_repository_gives_the_marks_of_grader_grade(
    repositories: tuple[Path, Path], graded: dict[str, GradeRecord], tmp_path: Path
) -> None:
    there, commands = tmp_path / "there", tmp_path / "bin"
    for student, body in handed_in().items():
        (there / f"arrays-{student}").mkdir(parents=True)
        (there / f"arrays-{student}" / f"{TOPIC}.ipynb").write_bytes(body)
    commands.mkdir()
    (commands / "gh").write_text(GH.format(token=TOKEN, there=there), encoding="utf-8")
    (commands / "gh").chmod(0o755)
    runner = Runner(repositories[1], commands)
    for step in runner.steps():
        if step == "Install":  # other people's packages are here already
            installing = runner.steps()[step]["run"].splitlines()[-1].split()
            assert installing[:3] == ["python", "-m", "pip"] and installing[-1] == "own/*.whl"
            own = sorted(map(str, (runner.repository / "own").glob("*.whl")))
            subprocess.run([sys.executable, *installing[1:-1], *own], cwd=runner.repository, check=True)
            continue
        done = runner.run(step, {"CLASSROOM_TOKEN": TOKEN})
        assert done.returncode == 0, f"{step}\n{done.stdout}\n{done.stderr}"
    records_by_student = {record.student: record for record in records.load_topic(runner.repository / "class", TOPIC)}
    assert records_by_student.keys() == graded.keys()
    for who, record in records_by_student.items():
        assert [as_text(result) for result in record.results] == [as_text(result) for result in graded[who].results]
    assert "| ada | 6 of 6 |" in runner.summary.read_text(encoding="utf-8")
