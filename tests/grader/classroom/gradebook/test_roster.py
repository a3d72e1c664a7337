"""Who is in the class reaches the gradebook by our own commands: names, addresses, and who handed in nothing."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from grader.classroom.class_folder import Classroom
from grader.classroom.gradebook.book import Book
from grader.classroom.roster import person_of, read_roster
from tests.support.classes import TOPIC, blank, hand_in

Command = Callable[..., Result]
ROSTER = "student_id,first_name,last_name,email\nada,Ada,Lovelace,ada@example.org\nbo,Bo,,\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (tmp_path / "course.toml").write_text('roster = "roster.csv"\nstudents = ["cy"]\n', encoding="utf-8")
    return tmp_path


def known(home: Path) -> dict[str, tuple[str | None, str | None, str | None]]:
    with Gradebook(Classroom(home).db_url) as book:
        return {str(row.id): (row.first_name, row.last_name, row.email) for row in book.students}


def test_what_a_person_entered_stays_unless_the_roster_says_otherwise(home: Path) -> None:
    with Book(Classroom(home).db_url) as book:
        book.make()
    with Gradebook(Classroom(home).db_url) as theirs:
        add: Any = theirs.add_student
        add("ada", first_name="Adah", last_name="L", email="old@example.org", lms_user_id="7")
        add("bo", last_name="Ek", email="bo@example.org")
        add("guest", first_name="Guest")
    with Book(Classroom(home).db_url) as book:
        book.enter_people(read_roster(home / "roster.csv"))
    assert known(home) == {
        "ada": ("Ada", "Lovelace", "ada@example.org"),
        "bo": ("Bo", "Ek", "bo@example.org"),
        "guest": ("Guest", None, None),
    }


@pytest.mark.parametrize(
    ("header", "row", "expected"),
    [
        ("Student,ID,SIS Login ID,Section", "Lovelace; Ada,7,ada,A", ("Ada", "Lovelace", "")),
        ("First name,Last name,ID number,Email address", "小明,王,9,xm@example.org", ("小明", "王", "xm@example.org")),
        ("identifier,github_username,name", "ada,alove,Ada King Lovelace", ("Ada King", "Lovelace", "")),
        ("student", "ada", ("", "", "")),
    ],
)
def test_names_are_found_in_the_files_of_platforms(header: str, row: str, expected: tuple[str, str, str]) -> None:
    person = person_of(header.split(","), [cell.replace(";", ",") for cell in row.split(",")])
    assert person is not None and (person.first, person.last, person.email) == expected


def test_grade_enters_them_and_export_those_who_came_later(home: Path, command: Command) -> None:
    hand_in(home, "ada", blank())
    assert command("grade", TOPIC[:2], "--class", home).exit_code == 0
    assert known(home) == {"ada": ("Ada", "Lovelace", "ada@example.org"), "bo": ("Bo", None, None), "cy": (None, None, None)}
    (home / "roster.csv").write_text(ROSTER + "di,Di,Ng,\n", encoding="utf-8")
    outcome = command("export", "--class", home)
    assert outcome.exit_code == 0, outcome.output
    with (home / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert [rows["ada"][name] for name in ("first_name", "last_name", "email")] == ["Ada", "Lovelace", "ada@example.org"]
    assert rows["di"]["last_name"] == "Ng" and rows["di"]["score"] == "0.0"
    (home / "roster.csv").write_text("what,is,this\n1,2,3\n", encoding="utf-8")
    outcome = command("grade", TOPIC[:2], "--class", home)
    assert outcome.exit_code == 2 and outcome.output.startswith("roster.csv: none of its columns")


def test_collect_enters_them(home: Path, command: Command) -> None:
    hand_in(home / "came", "ada", blank())
    outcome = command("collect", home / "came" / "submitted", "--class", home, "--dry-run")
    assert outcome.exit_code == 0 and not (home / "gradebook.db").exists(), outcome.output
    assert command("collect", home / "came" / "submitted", "--class", home).exit_code == 0
    assert set(known(home)) == {"ada", "bo", "cy"}
