"""docs/teaching.md, typed as it stands: from an empty folder to grades that Canvas and Moodle take."""

import contextlib
import csv
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.paths import ROOT
from tests.support.classes import blank, perfect

PAGE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TOPIC = "03_max_norm"


def typed(command: str, cwd: Path) -> str:
    """What one line says, with `grader` and `nbgrader` those of this environment. Ours run in this process, which has
    imported already what each of them would import."""
    words = shlex.split(command)
    if words[0] == "grader":
        with contextlib.chdir(cwd):
            outcome = CliRunner().invoke(app, words[1:], env={"COLUMNS": "200"})
        expected = 3 if "✘ not collected" in outcome.output else 0  # Eve is no student of the class
        assert outcome.exit_code == expected, f"{command}\n{outcome.output}"
        return outcome.output
    assert words[0] == "nbgrader", command
    folder = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([folder, os.environ["PATH"]]),
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run([sys.executable, "-m", *words], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr[-3000:]}"
    return done.stdout + done.stderr


def handed_in(home: Path) -> None:
    """What a learning platform would give: a zip file, times, and its gradebook."""
    right, empty = (nbformat.writes(notebook).encode("utf-8") for notebook in (perfect(TOPIC), blank(TOPIC)))
    with zipfile.ZipFile(home / "download.zip", "w") as archive:
        for name, body in {
            "Ada Lovelace_501": right,
            "Bo Ek_502": right,
            "小明 王_503": empty,
            "Eve Stranger_504": right,
        }.items():
            archive.writestr(f"{name}_assignsubmission_file_/{TOPIC}.ipynb", body)
    (home / "times.csv").write_text(
        "student_id,timestamp\nada,2026-03-16 12:00\nbo,2026-03-20 12:00\nxiaoming,2026-03-15 23:59\n", encoding="utf-8"
    )
    (home / "moodle_gradebook.csv").write_text(
        f'First name,Last name,ID number,Email address,"Assignment: {TOPIC} (Real)"\nAda,Lovelace,,ada@example.org,-\n'
        "Bo,Ek,,bo@example.org,-\nNo,Body,,no@example.org,-\n",
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every command of the page with what it said; under "home" the folder where it ended."""
    home = tmp_path_factory.mktemp("teaching")
    heard: dict[str, str] = {}
    for language, name, body in BLOCKS:
        if language != "bash":
            (home / name).write_text(body, encoding="utf-8")
            continue
        for line in body.splitlines():
            if line.startswith("cd "):
                home = home / line.removeprefix("cd ")
                handed_in(home)
            else:
                heard[line] = typed(line, home)
    return {**heard, "home": str(home)}


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))


@pytest.mark.slow
@pytest.mark.xdist_group("teaching")
def test_every_command_of_the_page_works(outputs: dict[str, str]) -> None:
    assert len(outputs) >= 14 and all("Traceback" not in text for text in outputs.values())
    assert "Would collect 3" in outputs["grader collect download.zip --dry-run"]
    assert "no student 'Eve Stranger' in the roster" in outputs["grader collect download.zip --dry-run"]
    assert "2026-03-15 22:59" in outputs["grader class check"]
    assert "bo has 03_max_norm until 2026-03-22 23:59" in outputs["grader class check"]
    released = sorted(path.name for path in (Path(outputs["home"]) / "release" / "embedding-course" / "notebooks").glob("*/"))
    assert released == ["00_start_here", TOPIC, "zh"]
    handed_out = Path(outputs["home"]) / "release" / "embedding-course" / "notebooks" / TOPIC
    assert "Hand in by 2026-03-15 23:59 (Europe/Berlin)" in (handed_out / f"{TOPIC}.ipynb").read_text(encoding="utf-8")
    assert "12 hours 1 minute late, −10 %" in " ".join(outputs["grader grade"].split())


@pytest.mark.slow
@pytest.mark.xdist_group("teaching")
def test_the_grades_are_those_of_the_page(outputs: dict[str, str]) -> None:
    home = Path(outputs["home"])
    by_student = {row["student_id"]: row for row in rows(home / "grades.csv")}
    # Three core exercises of 6, 7 and 5 points, four for the written answer, four of extra credit.
    assert {row["max_score"] for row in by_student.values()} == {"22.0"}
    ada, bo, empty = by_student["ada"], by_student["bo"], by_student["xiaoming"]
    assert (ada["raw_score"], ada["late_submission_penalty"], ada["score"]) == ("22.0", "2.2", "19.8")
    assert (bo["raw_score"], bo["score"]) == ("22.0", "22.0") and empty["score"] == "0.0"
    page = (home / "feedback" / "ada" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert "That takes 2.2 points, which leaves 19.8." in page
    assert "after its deadline" not in (home / "feedback" / "bo" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    filled = rows(home / "for_moodle.csv")
    assert [row[f"Assignment: {TOPIC} (Real)"] for row in filled] == ["19.8", "22", "-"]
    assert "xiaoming" in outputs["grader export --to moodle --into moodle_gradebook.csv --out for_moodle.csv"]
    report = (home / "reports" / "class_report.html").read_text(encoding="utf-8")
    late = " ".join(re.sub("<[^>]*>", " ", report.partition('<details id="late">')[2].partition("</details>")[0]).split())
    assert "Ada Lovelace (ada) 03_max_norm 12 hours 1 minute 2.2" in late and not {"(bo)", "(xiaoming)"} & set(late.split())
    assert (home / "canvas.csv").exists()
    per_exercise = {row["student_id"]: row for row in rows(home / "grades_per_exercise.csv")}
    assert (per_exercise["ada"]["03 late penalty"], per_exercise["ada"]["03 counts (22)"]) == ("2.2", "19.8")


def test_the_template_says_what_the_page_says(tmp_path: Path) -> None:
    """With every # before a setting taken away, the template is a course.toml, and the page knows each key of it."""
    import tomllib

    from grader.classroom.new_class import template

    bare = re.sub(r"^# (?=\[|[\w.]+ = )", "", template(), flags=re.MULTILINE)
    for key, value in tomllib.loads(bare).items():
        assert f"`{key}`" in PAGE or f"[{key}]" in PAGE or key == "name", key
        for inner in value if key == "late" else ():
            assert f"`{inner}`" in PAGE, inner
    (tmp_path / "course.toml").write_text(bare.replace('roster = "roster.csv"\n', ""), encoding="utf-8")
    (tmp_path / "queries.tsv").write_text("", encoding="utf-8")
    from grader.classroom.policy.course import load_course

    assert load_course(tmp_path).deadlines and load_course(tmp_path).extensions
