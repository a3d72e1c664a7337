"""Sections of a class: a column of the roster, several rosters, `[sections]`; and students in two of them."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.classroom.policy.course import load_course, people_of
from grader.classroom.policy.toml_file import WrongCourse
from grader.classroom.roster import BadRoster
from grader.classroom.sections import find_section, section_of, sections_of, students_in
from grader.cli import app
from grader.errors import UserError


def a_class(home: Path, course: str, **files: str) -> Path:
    (home / "course.toml").write_text(course, encoding="utf-8")
    for name, text in files.items():
        (home / f"{name}.csv").write_text(text, encoding="utf-8")
    return home


TWO = 'roster = ["mon.csv", "tue.csv"]\n[sections]\n"mon.csv" = "Monday"\ntue.csv = "Tuesday"\n'


@pytest.mark.parametrize("heading", ["section", "Section", "Abschnitt", "Sección", "班级"])
def test_a_column_says_the_section(tmp_path: Path, heading: str) -> None:
    home = a_class(tmp_path, 'roster = "r.csv"', r=f"student_id,{heading}\nada,Monday  10 h\nbo,\n")
    roster = people_of(load_course(home))
    assert section_of(roster) == {"ada": "Monday 10 h"} and sections_of(roster) == {"Monday 10 h": ["ada"]}


def test_each_file_may_be_a_section(tmp_path: Path) -> None:
    home = a_class(tmp_path, TWO, mon="student_id,email\nada,a@x.org\n", tue="student_id,section\nbo,other\ncy,\n")
    course = load_course(home)
    assert sections_of(people_of(course)) == {"Monday": ["ada"], "Tuesday": ["bo", "cy"]}
    assert find_section(people_of(course), "tuesday") == ("Tuesday", frozenset({"bo", "cy"}))
    assert students_in(course, "") is None and students_in(course, "", ["bo"]) == {"bo"}
    assert students_in(course, "Monday") == {"ada"} and students_in(course, "Tuesday", ["cy"]) == {"cy"}
    with pytest.raises(UserError, match="cy is not in the section Monday"):
        students_in(course, "Monday", ["cy"])
    outcome = CliRunner().invoke(app, ["class", "check", str(home)])
    assert outcome.exit_code == 0 and "2 sections: Monday (1), Tuesday (2)." in outcome.output


def test_a_student_of_two_files_is_one_person_unless_the_sections_differ(tmp_path: Path) -> None:
    home = a_class(
        tmp_path,
        'roster = ["a.csv", "b.csv"]',
        a="student_id,section\nada,Monday\nbo,\n",
        b="student_id,email,section\nada,a@x.org,\nbo,,Friday\n",
    )
    ada, bo = people_of(load_course(home)).people
    assert (ada.section, ada.email, bo.section) == ("Monday", "a@x.org", "Friday") and "axorg" in ada.keys
    (home / "b.csv").write_text("student_id,section\nada,Friday\n", encoding="utf-8")
    with pytest.raises(BadRoster, match=r"ada is in two sections, Monday \(a.csv\) and Friday \(b.csv\)"):
        people_of(load_course(home))
    outcome = CliRunner().invoke(app, ["class", "check", str(home)])
    assert outcome.exit_code == 2 and "two sections" in outcome.output and "Traceback" not in outcome.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('roster = ["mon.csv", "no.csv"]', 'roster = "no.csv": there is no such file'),
        ('roster = ["mon.csv", "mon.csv"]', "mon.csv stands there twice"),
        ("roster = 3", "roster"),
        ('roster = "mon.csv"\n[sections]\n"tue.csv" = "Tuesday"', 'sections: "tue.csv" is not among the files of roster'),
        ('[sections]\n"tue.csv" = "Tuesday"', "name the file there first"),
        ('roster = "mon.csv"\n[sections]\n"mon.csv" = ""', "name in quotation marks"),
        ('roster = "mon.csv"\n[sections]\nmon.csv = 3', "name in quotation marks"),
    ],
)
def test_bad_values_are_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    home = a_class(tmp_path, text, mon="student_id\nada\n")
    with pytest.raises(WrongCourse, match=message) as raised:
        load_course(home)
    assert "\n" not in str(raised.value)


def test_a_backup_holds_every_roster(tmp_path: Path) -> None:
    home = a_class(tmp_path / "class" if (tmp_path / "class").mkdir() is None else tmp_path, TWO, mon="student_id\nada\n",
                   tue="student_id\nbo\n")  # fmt: skip
    import zipfile

    outcome = CliRunner().invoke(app, ["class", "backup", str(tmp_path / "b.zip"), "--class", str(home)])
    assert outcome.exit_code == 0, outcome.output
    assert {"mon.csv", "tue.csv"} <= set(zipfile.ZipFile(tmp_path / "b.zip").namelist())
