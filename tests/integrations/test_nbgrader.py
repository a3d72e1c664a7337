"""nbgrader's own commands, with our configuration and without it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from embedding_course.exercises import exercises_of
from grader.authoring.build import build
from grader.classroom import records
from grader.classroom.new_class import make_class
from grader.cli import app
from grader.course_source.catalogue import mistakes_of
from grader.course_source.notebook import release, source
from grader.course_source.stored import as_bytes
from grader.quality.demo.foretell import score_of
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank, hand_in, perfect

EXERCISES = exercises_of(TOPIC)
# One that no other exercise builds on: in a stock kernel nobody can lend a right one, so a fault there costs twice.
USED = {name for exercise in EXERCISES for name in exercise.uses}
CORE = next(exercise for exercise in EXERCISES if exercise.core and exercise.name not in USED)
FIRST = next(exercise for exercise in EXERCISES if exercise.core and exercise is not CORE)
TERMS = """
timezone = "Europe/Berlin"
drop = ["{dropped}"]
[points]
"{first}" = 9
"{first[0]}{first[1]}.written" = 4
[deadlines]
"{first[0]}{first[1]}" = "2026-03-01 23:59"
[late]
per_day = 10
[[extensions]]
student = "longer"
days = 7
"""
#: What nbgrader releases goes into the class's own folder: it would take the notebook away from tests that read it meanwhile.
CONFIG = """
from pathlib import Path
from grader.marking.nbgrader_plugin import configure
config, home = get_config(), Path(__file__).parent
configure(config, home)
config.CourseDirectory.release_directory = str(home / "release")
"""


#: nbgrader takes seconds to start: several commands in one process of it.
IN_TURN = """
import json, sys
from nbgrader.apps.nbgraderapp import NbGraderApp
for words in json.loads(sys.argv[1]):
    NbGraderApp.launch_instance(words)
    NbGraderApp.clear_instance()
"""


def nbgrader(home: Path, *words: str, fails: bool = False) -> str:
    """Run an nbgrader command in a class folder; its output."""
    return _run(home, ["-m", "nbgrader", *words], fails)


def in_turn(home: Path, *commands: Sequence[str]) -> str:
    """Run nbgrader commands in a class folder, one after the other; their output."""
    return _run(home, ["-c", IN_TURN, json.dumps(commands)], fails=False)


def _run(home: Path, words: Sequence[str], fails: bool) -> str:
    folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([folder, os.environ["PATH"]]), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *words], cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails, done.stderr[-3000:]
    return done.stdout + done.stderr


def scores(home: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        return {submission.student.id: submission.score for submission in book.find_assignment(TOPIC).submissions}


def _mistaken() -> tuple[nbformat.NotebookNode, float]:
    """A notebook with one mistake, and what the core exercises must earn."""
    notebook = perfect()
    mistake = mistakes_of(CORE)[0]
    notebook.cells[solution(notebook, CORE.grade_id)].source = mistake.source
    whole = sum(exercise.points for exercise in EXERCISES)
    return notebook, whole - CORE.points + score_of(CORE.id, mistake.slug, 0)


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
    in_turn(
        tmp_path, ("generate_assignment", TOPIC, "--force"), ("autograde", TOPIC), ("generate_feedback", TOPIC), ("export",)
    )
    whole = sum(exercise.points for exercise in EXERCISES)
    assert scores(tmp_path) == pytest.approx({"ada": whole, "bob": expected, "cy": whole})
    page = (tmp_path / "feedback" / "bob" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert "What to look at again" in page and mistakes_of(CORE)[0].diagnosis.split("`")[0] in page
    assert "bob" in (tmp_path / "grades.csv").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_class_s_terms_hold_under_nbgrader_s_own_commands(tmp_path: Path) -> None:
    """The same points and penalties, whichever command marks: nbgrader's, or `grader grade`."""
    books = {}
    for marked_by in ("nbgrader", "grader"):
        home = tmp_path / marked_by
        make_class(home)
        (home / "course.toml").write_text(TERMS.format(dropped=CORE.id, first=FIRST.id), encoding="utf-8")
        notebook, _ = _mistaken()
        for student, handed_in in {"ada": perfect(), "bob": notebook, "late": perfect(), "longer": perfect()}.items():
            folder = hand_in(home, student, handed_in).parent
            when = "2026-03-03 12:00:00 UTC" if student in ("late", "longer") else "2026-03-01 12:00:00 UTC"
            (folder / "timestamp.txt").write_text(when, encoding="utf-8")
        if marked_by == "nbgrader":
            in_turn(home, ("generate_assignment", TOPIC, "--force"), ("autograde", TOPIC))
        else:
            assert CliRunner().invoke(app, ["grade", "--class", str(home)]).exit_code == 0
        with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
            rows = book.find_assignment(TOPIC).submissions
            books[marked_by] = {row.student.id: (row.score, row.max_score, row.late_submission_penalty) for row in rows}
            assert book.find_assignment(TOPIC).duedate.isoformat() == "2026-03-01T22:59:00"
    assert books["nbgrader"] == pytest.approx(books["grader"])
    core = sum(exercise.points for exercise in EXERCISES if exercise.core and exercise is not CORE) - FIRST.points + 9
    extra = sum(exercise.points for exercise in EXERCISES if not exercise.core)
    whole, most = core + extra, core + 4
    taken = pytest.approx(0.2 * most)
    # The dropped exercise is the one that bob has wrong.
    assert books["nbgrader"] == {
        "ada": (whole, most, 0),
        "bob": (whole, most, 0),
        "late": (whole, most, taken),
        "longer": (whole, most, 0),
    }

    # A later change of mind needs no new assignment: the next marking knows it.
    home = tmp_path / "nbgrader"
    course_text = (home / "course.toml").read_text(encoding="utf-8")
    (home / "course.toml").write_text(course_text.replace("= 9", "= 7"), encoding="utf-8")
    nbgrader(home, "autograde", TOPIC, "--student", "ada", "--force")
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        ada = book.find_submission(TOPIC, "ada")
        assert (ada.score, ada.max_score) == (whole - 2, most - 2)


@pytest.mark.slow
def test_a_corrupt_file_does_not_stop_the_class(tmp_path: Path) -> None:
    build([TOPIC], only_notebooks=True)
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    hand_in(tmp_path, "ada", b"{ no notebook")
    hand_in(tmp_path, "bob", perfect())
    nbgrader(tmp_path, "generate_assignment", TOPIC, "--force")
    output = nbgrader(tmp_path, "autograde", TOPIC, fails=True)
    assert "ada" in output
    assert scores(tmp_path)["bob"] > 0


@pytest.mark.slow
def test_stock_nbgrader_gives_partial_credit_from_public_cases(tmp_path: Path) -> None:
    """Without our configuration, students' kernels decide, from the public cases; the pages say so."""
    (tmp_path / "source" / TOPIC).mkdir(parents=True)
    (tmp_path / "source" / TOPIC / f"{TOPIC}.ipynb").write_bytes(as_bytes(source(TOPIC)))
    notebook, expected = _mistaken()
    extra = sum(exercise.points for exercise in EXERCISES if not exercise.core)  # a check of 0 points earns 0 in stock nbgrader
    hand_in(tmp_path, "bob", notebook)
    hand_in(tmp_path, "nobody", blank())
    in_turn(tmp_path, ("generate_assignment", TOPIC), ("autograde", TOPIC), ("generate_feedback", TOPIC))
    assert scores(tmp_path) == pytest.approx({"bob": expected - extra, "nobody": 0})
    page = (tmp_path / "feedback" / "bob" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert "Public cases" in page


@pytest.mark.slow
def test_validate_speaks_of_what_is_open(tmp_path: Path) -> None:
    path = hand_in(tmp_path, "ada", blank())
    output = nbgrader(path.parent, "validate", path.name)
    assert "failed" in output.lower()
    shutil.rmtree(tmp_path / "submitted")
    path = hand_in(tmp_path, "ada", perfect())
    output = nbgrader(path.parent, "validate", path.name)
    assert "Success" in output


@pytest.mark.slow
def test_autograde_goes_through_the_sandbox(tmp_path: Path) -> None:
    """What nbgrader's own command marks is shut in as well, and says how."""
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    notebook = perfect()
    spy = f"import os\ndef {CORE.name}(*args, **options):\n    return os.listdir({str(tmp_path)!r})"
    notebook.cells[solution(notebook, CORE.grade_id)].source = spy
    hand_in(tmp_path, "eve", notebook)
    in_turn(tmp_path, ("generate_assignment", TOPIC, "--force"), ("autograde", TOPIC))
    record = records.load(tmp_path, TOPIC, "eve")
    assert record is not None and record.sandbox.split(":")[0] in ("full", "partial")
    (result,) = [candidate for candidate in record.results if candidate.exercise == CORE.id]
    assert result.status == "wrong" and result.stage == "raises" and result.score == 0
