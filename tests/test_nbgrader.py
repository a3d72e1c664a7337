"""nbgrader's own commands, with our configuration and without it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from classes import TOPIC, blank, hand_in, perfect
from nbgrader.api import Gradebook

from embedding_course.exercises import exercises_of
from grader import records
from grader.attack.honest import solution
from grader.build.course import build
from grader.build.notebook import as_bytes, release, source
from grader.catalogue import mistakes_of
from grader.demo.personas import _score_of

EXERCISES = exercises_of(TOPIC)
# One that no other exercise builds on: in a stock kernel nobody can lend a right one, so a fault there costs twice.
USED = {name for exercise in EXERCISES for name in exercise.uses}
CORE = next(exercise for exercise in EXERCISES if exercise.core and exercise.name not in USED)
CONFIG = """
from pathlib import Path
from grader.nbgrader_plugin import configure
configure(get_config(), Path(__file__).parent)
"""


def nbgrader(home: Path, *words: str, fails: bool = False) -> str:
    """Run an nbgrader command in a class folder; its output."""
    folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([folder, os.environ["PATH"]]), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words], cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode != 0) == fails, done.stderr[-3000:]
    return done.stdout + done.stderr


def scores(home: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        return {entry.student.id: entry.score for entry in book.find_assignment(TOPIC).submissions}


def _mistaken() -> tuple[nbformat.NotebookNode, float]:
    """A notebook with one mistake, and what the core exercises must earn."""
    notebook = perfect()
    mistake = mistakes_of(CORE)[0]
    notebook.cells[solution(notebook, CORE.grade_id)].source = mistake.source
    whole = sum(exercise.points for exercise in EXERCISES if exercise.core)
    return notebook, whole - CORE.points + _score_of(CORE.id, mistake.slug, 0)


def test_release_equals_generate_assignment(tmp_path: Path) -> None:
    """One producer: our build and nbgrader's command give the same bytes."""
    (tmp_path / "source" / TOPIC).mkdir(parents=True)
    full = source(TOPIC)
    (tmp_path / "source" / TOPIC / f"{TOPIC}.ipynb").write_bytes(as_bytes(full))
    nbgrader(tmp_path, "generate_assignment", TOPIC)
    theirs = (tmp_path / "release" / TOPIC / f"{TOPIC}.ipynb").read_bytes()
    assert theirs.strip() == as_bytes(release(full)).strip()


def test_the_round_trip_with_our_configuration(tmp_path: Path) -> None:
    build([TOPIC], only_notebooks=True)
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    notebook, expected = _mistaken()
    hand_in(tmp_path, "ada", perfect())
    hand_in(tmp_path, "bob", notebook)
    doubled = perfect()
    doubled.cells.insert(3, doubled.cells[solution(doubled, CORE.grade_id)].copy())
    hand_in(tmp_path, "cy", doubled)
    nbgrader(tmp_path, "generate_assignment", TOPIC, "--force")
    nbgrader(tmp_path, "autograde", TOPIC)
    whole = sum(exercise.points for exercise in EXERCISES if exercise.core)
    assert scores(tmp_path) == pytest.approx({"ada": whole, "bob": expected, "cy": whole})
    nbgrader(tmp_path, "generate_feedback", TOPIC)
    page = (tmp_path / "feedback" / "bob" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert mistakes_of(CORE)[0].slug in page
    nbgrader(tmp_path, "export")
    assert "bob" in (tmp_path / "grades.csv").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_corrupt_file_does_not_stop_the_class(tmp_path: Path) -> None:
    build([TOPIC], only_notebooks=True)
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    hand_in(tmp_path, "ada", b"{ no notebook")
    hand_in(tmp_path, "bob", perfect())
    nbgrader(tmp_path, "generate_assignment", TOPIC, "--force")
    said = nbgrader(tmp_path, "autograde", TOPIC, fails=True)
    assert "ada" in said
    assert scores(tmp_path)["bob"] > 0


@pytest.mark.slow
def test_stock_nbgrader_gives_partial_credit_from_public_cases(tmp_path: Path) -> None:
    """Without our configuration, students' kernels decide, from the public cases; the pages say so."""
    (tmp_path / "source" / TOPIC).mkdir(parents=True)
    (tmp_path / "source" / TOPIC / f"{TOPIC}.ipynb").write_bytes(as_bytes(source(TOPIC)))
    notebook, expected = _mistaken()
    hand_in(tmp_path, "bob", notebook)
    hand_in(tmp_path, "nobody", blank())
    nbgrader(tmp_path, "generate_assignment", TOPIC)
    nbgrader(tmp_path, "autograde", TOPIC)
    assert scores(tmp_path) == pytest.approx({"bob": expected, "nobody": 0})
    nbgrader(tmp_path, "generate_feedback", TOPIC)
    page = (tmp_path / "feedback" / "bob" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert "Public cases" in page


@pytest.mark.slow
def test_validate_speaks_of_what_is_open(tmp_path: Path) -> None:
    path = hand_in(tmp_path, "ada", blank())
    said = nbgrader(path.parent, "validate", path.name)
    assert "failed" in said.lower()
    shutil.rmtree(tmp_path / "submitted")
    path = hand_in(tmp_path, "ada", perfect())
    said = nbgrader(path.parent, "validate", path.name)
    assert "Success" in said


@pytest.mark.slow
def test_autograde_goes_through_the_sandbox(tmp_path: Path) -> None:
    """What nbgrader's own command marks is shut in as well, and says how."""
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    notebook = perfect()
    spy = f"import os\ndef {CORE.name}(*args, **options):\n    return os.listdir({str(tmp_path)!r})"
    notebook.cells[solution(notebook, CORE.grade_id)].source = spy
    hand_in(tmp_path, "eve", notebook)
    nbgrader(tmp_path, "generate_assignment", TOPIC, "--force")
    nbgrader(tmp_path, "autograde", TOPIC)
    record = records.load(tmp_path, TOPIC, "eve")
    assert record is not None and record.sandbox.split(":")[0] in ("full", "partial")
    (result,) = [one for one in record.results if one.exercise == CORE.id]
    assert result.status == "wrong" and result.stage == "raises" and result.score == 0
