"""`grader class check` says all that a class decided; formgrader lists the class's notebooks alone."""

from pathlib import Path

from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config
from typer.testing import CliRunner

from embedding_course.exercises.index import entries_of
from grader.classroom.new_class import make_class
from grader.classroom.policy.course import load_course
from grader.classroom.policy.decisions import changes, late_policy
from grader.classroom.policy.lateness import Late
from grader.cli import app
from grader.marking.nbgrader_plugin import sources_of

CORE = [exercise for exercise in entries_of("01_onehot_vs_lookup") if exercise.core]
FURTHER = [exercise for exercise in entries_of("01_onehot_vs_lookup") if not exercise.core]
COURSE = f"""
notebooks = ["01", "03"]
timezone = "Europe/Berlin"
drop = ["{CORE[2].id}"]
core = ["{FURTHER[0].id}"]
further = ["{CORE[1].id}"]
[points]
{CORE[0].id} = 9
01.written = 5
03.written = 3
[deadlines]
01 = "2026-03-01 23:59"
[late]
per_day = 10
most = 50
grace = 15
closed_after = 14
"""


def test_every_decision_is_said(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(COURSE, encoding="utf-8")
    outcome = CliRunner().invoke(app, ["class", "check", str(tmp_path)])
    assert outcome.exit_code == 0, outcome.output
    for sentence in (
        f"Other points: {CORE[0].id} 9 instead of {CORE[0].points:g}, 01.written 5 instead of 3.",
        f"Counted as core: {FURTHER[0].id}.",
        f"Extra credit only: {CORE[1].id}.",
        f"Not counted: {CORE[2].id}.",
        "Lateness takes 10 % of a notebook's points for each day begun, 50 % at most; 15 minutes are forgiven; "
        "what comes more than 14 days late earns nothing.",
    ):
        assert sentence in outcome.output


def test_a_class_that_decided_nothing(tmp_path: Path) -> None:
    assert not list(changes(load_course(tmp_path)))
    assert late_policy(Late()) == "Lateness takes nothing: there is no per_day in [late]."
    assert "earns nothing" in late_policy(Late(closed_after=1)) and "%" not in late_policy(Late(closed_after=1))


def test_formgrader_lists_the_notebooks_of_the_class(tmp_path: Path) -> None:
    every, home = tmp_path / "every", tmp_path / "class"
    make_class(home)
    assert sources_of(home, load_course(home), every) == every, "all notebooks: nothing to choose"
    for topic in ("01_onehot_vs_lookup", "02_gradients", "03_max_norm"):
        (every / topic).mkdir(parents=True)
    for chosen, listed in (('"01", "03"', {"01_onehot_vs_lookup", "03_max_norm"}), ('"02"', {"02_gradients"})):
        (home / "course.toml").write_text(f"notebooks = [{chosen}]\n", encoding="utf-8")
        config = Config()
        config.CourseDirectory.root = str(home)
        config.CourseDirectory.source_directory = str(sources_of(home, load_course(home), every))
        assert NbGraderAPI(config=config).get_source_assignments() == listed
    (home / "source" / "own").mkdir()
    assert sources_of(home, load_course(home), every) == home / "source"
    assert {path.name for path in (home / "source").iterdir()} == {"02_gradients", "own"}
