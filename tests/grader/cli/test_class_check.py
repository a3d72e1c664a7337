"""`grader class check` says all that a class decided; formgrader lists the class's notebooks alone."""

from dataclasses import replace
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config
from typer.testing import CliRunner

from embedding_course.exercises.index import entries_of
from grader.classroom.new_class import make_class
from grader.classroom.policy.contradictions import contradictions
from grader.classroom.policy.course import load_course
from grader.classroom.policy.decisions import changes, example_sentences, late_policy
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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[late]\nper_day = 10", "[late] has no effect"),
        ("[late]\nmost = 50", "late.most = 50 has no effect without per_day"),
        (
            '[deadlines]\n01 = "2026-03-01"\n[late]\nper_day = 10\nmost = 50\nclosed_after = 3',
            "late.most = 50 is never reached: after 3 days, when lateness takes 30 %",
        ),
        ('[attempts]\nscore = "last on time"', 'means "last" here'),
        ("[attempts]\nmost = 1", "the first file counts, so score"),
        ('[[excused]]\nstudent = "ada"\nnotebook = "01"', "there is no [term]"),
        (
            '[deadlines]\n01 = "2026-03-01"\n[term]\n[[excused]]\nstudent = "ada"\nnotebook = "01"\n'
            '[[extensions]]\nstudent = "ada"\nnotebook = "01"\ndays = 3',
            "ada is excused from 01_onehot_vs_lookup and has an extension for it",
        ),
        ('[term]\nweights = { "01" = 0 }\n[[excused]]\nstudent = "ada"\nnotebook = "01"', "weight 0 and counts for nobody"),
        ('[term]\ndrop = 1\n[[excused]]\nstudent = "ada"\nnotebook = "01"', "1 remain, and term.drop = 1 would leave none"),
        ('[projects]\nsearch_engine = 20\n[term]\nweights = { "search_engine" = 0 }', "its weight 0 leaves it out"),
        (
            '[projects]\nsearch_engine = 20\n[term]\nweights = { "03" = 0 }\n[[excused]]\nstudent = "ada"\nnotebook = "01"',
            "nothing but projects can count",
        ),
    ],
)
def test_settings_that_contradict_are_named(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "course.toml").write_text(f'notebooks = ["01", "03"]\ntimezone = "UTC"\n{text}\n', encoding="utf-8")
    (named,) = contradictions(load_course(tmp_path))
    assert sentence in named


def test_the_template_and_a_usual_class_contradict_nothing(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(COURSE, encoding="utf-8")
    assert list(contradictions(load_course(tmp_path))) == []
    assert list(contradictions(load_course(tmp_path / "nowhere"))) == []


def test_an_invented_student_shows_what_follows(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(
        COURSE + '[extra]\nmost = 2\n[attempts]\nscore = "last on time"\nmost = 3\n', encoding="utf-8"
    )
    output = CliRunner().invoke(app, ["class", "check", str(tmp_path)]).output
    assert "Of the first 3 submissions of one student counts the last one that is on time" in output
    assert "hands in 01 1 day 3 hours late and earns" in output and "lateness takes" in output
    assert "the last of them late: the one with 70% counts." in output and "with extra credit has" in output
    shares = {}
    for rule, most in (("best", None), ("last", None), ("last on time", None), ("best", 1), ("last", 2)):
        course = replace(load_course(tmp_path), attempt_rule=rule, most_attempts=most)
        shares[rule, most] = next(line for line in example_sentences(course) if "Four files" in line).split()[-2]
    assert list(shares.values()) == ["90%", "80%", "70%", "60%", "90%"]


@pytest.mark.parametrize(
    ("line", "stranger"), [('sections = ["Nowhere"]', "section Nowhere"), ('students = ["zz"]', "student zz")]
)
def test_an_allotment_of_nobody_is_named(tmp_path: Path, line: str, stranger: str) -> None:
    (tmp_path / "roster.csv").write_text("student_id,section\nada,Monday\n", encoding="utf-8")
    text = f'notebooks = ["03"]\nroster = "roster.csv"\n[[allotments]]\nmarkers = ["li"]\n{line}\n'
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    outcome = CliRunner().invoke(app, ["class", "check", str(tmp_path)])
    assert outcome.exit_code == 2 and f"there is no {stranger} in the roster" in " ".join(outcome.output.split())
