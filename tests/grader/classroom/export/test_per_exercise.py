"""A table by exercise or criterion: its cells add up to the score of each notebook, and nothing is hidden in it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Classroom
from tests.grader.marking.test_decide import EXERCISE, wrong
from tests.support.classes import TOPIC, hand_in, perfect
from tests.support.exports import table

Command = Callable[..., Result]
NUMBER = TOPIC[:2]
FURTHER = next(exercise for exercise in exercises_of(TOPIC) if not exercise.core)


@pytest.fixture
def home(tmp_path: Path, command: Command) -> Path:
    (tmp_path / "roster.csv").write_text(
        "student_id,first_name,last_name,email\nada,Ada,Lovelace,ada@x.org\nbo,Bo,Ek,bo@x.org\ncy,Cy,=1+1,cy@x.org\n",
        encoding="utf-8",
    )
    (tmp_path / "course.toml").write_text(
        f'roster = "roster.csv"\nnotebooks = ["{NUMBER}"]\ntimezone = "UTC"\n[points]\n{EXERCISE.id} = 6\n'
        f'[deadlines]\n{NUMBER} = "2026-03-01"\n[late]\nper_day = 10\n[term]\n',
        encoding="utf-8",
    )
    hand_in(tmp_path, "ada", perfect())
    late = hand_in(tmp_path, "bo", wrong())
    (late.parent / "timestamp.txt").write_text("2026-03-02 13:00:00 UTC", encoding="utf-8")
    assert command("grade", NUMBER, "--class", tmp_path).exit_code == 0
    return tmp_path


def by_student(path: Path) -> tuple[list[str], dict[str, dict[str, str]]]:
    header, *rows = table(path)
    return header, {row[2]: dict(zip(header, row, strict=True)) for row in rows}


def total(row: dict[str, str]) -> float:
    return sum(float(points or 0) for title, points in row.items() if title.startswith(f"{NUMBER}."))


@pytest.mark.parametrize("per", ["exercise", "criterion"])
def test_the_cells_add_up_to_the_score(home: Path, command: Command, per: str) -> None:
    with Gradebook(Classroom(home).db_url) as book:  # a person overrules an exercise of bo's
        cell = f"{FURTHER.grade_id}-check"
        overruled: Any = book.find_grade(cell, TOPIC, TOPIC, "bo")
        overruled.extra_credit = 0.25
        (answer,) = [grade for grade in book.find_submission_notebook(TOPIC, TOPIC, "ada").grades if grade.needs_manual_grade]
        answer.manual_score, answer.needs_manual_grade = 1.5, False
        book.db.commit()
    outcome = command("export", "--per", per, "--class", home)
    assert outcome.exit_code == 0, outcome.output
    path = home / f"grades_per_{per}.csv"
    header, rows = by_student(path)
    assert header[:3] == ["last_name", "first_name", "student_id"] and header[-2:] == ["term (100)", "email"]
    assert path.stat().st_mode & 0o077 == 0 and "1 stand in the columns “late penalty”" in " ".join(outcome.output.split())
    counts = next(title for title in header if title.startswith(f"{NUMBER} counts ("))
    for student in ("ada", "bo"):
        penalty = float(rows[student][f"{NUMBER} late penalty"])
        assert total(rows[student]) - penalty == pytest.approx(float(rows[student][counts])) and bool(penalty) == (
            student == "bo"
        )
    assert not any(rows["cy"][title] for title in header if title.startswith(NUMBER)) and rows["cy"]["last_name"] == "'=1+1"
    written = next(title for title in header if title.startswith(f"{NUMBER}.written ("))
    assert rows["ada"][written] == "1.5" and rows["bo"][written] == "", "one is marked, the other waits for a person"


def test_titles_say_what_each_is_worth(home: Path, command: Command) -> None:
    for per in ("exercise", "criterion"):
        assert command("export", "--per", per, "--class", home).exit_code == 0
    exercises, of_exercises = by_student(home / "grades_per_exercise.csv")
    criteria, of_criteria = by_student(home / "grades_per_criterion.csv")
    assert f"{EXERCISE.id} (6)" in exercises and f"{FURTHER.id} ({FURTHER.points:g} extra)" in exercises
    titles = [title for title in criteria if title.startswith(f"{EXERCISE.id}: ")]
    assert [re.sub(r" \(.*", "", title.split(": ")[1]) for title in titles] == [part.name for part in EXERCISE.criteria]
    assert sum(float(title.split("(")[1].rstrip(")")) for title in titles) == pytest.approx(6)
    assert sum(float(of_criteria["bo"][title]) for title in titles) == pytest.approx(
        float(of_exercises["bo"][f"{EXERCISE.id} (6)"])
    )


def test_points_that_no_criterion_earned_have_a_column(home: Path, command: Command) -> None:
    accepted = command("accept", "bo", EXERCISE.id, "--why", "half of it is right", "--points", "5", "--class", home)
    assert accepted.exit_code == 0, accepted.output
    assert command("export", "--per", "criterion", "--missing", "zero", "--class", home).exit_code == 0
    header, rows = by_student(home / "grades_per_criterion.csv")
    other = f"{EXERCISE.id}: other points"
    parts = sum(float(rows["bo"][title]) for title in header if title.startswith(f"{EXERCISE.id}: "))
    assert other in header and parts == pytest.approx(5) and rows["ada"][other] == "0"
    assert {rows["cy"][title] for title in header if title.startswith(NUMBER)} == {"0"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--per", "notebook"), "there are exercise, criterion"),
        (("--per", "exercise", "--to", "canvas"), "a table of its own"),
        (("--per", "exercise", "--above", "cap"), "scores as they are"),
    ],
)
def test_what_does_not_fit_together_is_said(tmp_path: Path, command: Command, words: tuple[str, ...], message: str) -> None:
    outcome = command("export", *words, "--class", tmp_path)
    assert outcome.exit_code == 2 and message in " ".join(outcome.output.split())
