"""A platform's own file is filled in: the right lines and columns, and nothing else of it changes."""

import csv
import io
from pathlib import Path

import pytest

from grader.classroom.export.fill import fill
from grader.classroom.export.grades import Grade, Student
from grader.classroom.roster import Roster
from tests.support.exports import exported, table
from tests.support.paths import REAL_WORLD


def test_a_file_from_canvas_is_filled_in(home: Path) -> None:
    theirs = home / "from_canvas.csv"
    theirs.write_text(
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,max_norm (03) (771),Final Score\n"
        '"    Points Possible",,,,,25,(read only)\n"Lovelace, Ada",11,,ada@x.org,A,,-1\n"王, 小明",12,,u12,A,3,\n'
        '"=Evil, =E",13,,u13,A,,\n"Student, Test",14,,t,A,,\n',
        encoding="utf-8",
    )
    before = theirs.read_bytes()
    said = exported(home, "--to", "canvas", "--into", str(theirs), "--notebook", "03")
    rows = table(home / "canvas.csv")
    assert rows[2] == ["Lovelace, Ada", "11", "", "ada@x.org", "A", "18.5", "-1"]
    assert rows[3][:6] == ["王, 小明", "12", "", "u12", "A", "16"]
    assert rows[4][0] == "=Evil, =E" and rows[5][5] == "", "a value that is not ours stays as it is"
    assert "begin like a formula" in said
    assert "2 in the gradebook but not in that file: =cmd" in said and "nobody" in said
    assert "1 in that file without a grade" in said and "25 points possible" in said
    assert theirs.read_bytes() == before
    assert "say another one" in exported(home, "--to", "canvas", "--into", str(theirs), "--out", str(theirs), code=2)


def test_a_grading_worksheet_from_moodle_is_filled_in(home: Path) -> None:
    theirs = home / "worksheet.csv"
    theirs.write_text(
        "Identifier;Full name;Email address;Status;Grade;Maximum Grade;Feedback comments\n"
        "Participant 4;Ada Lovelace;ada@x.org;Submitted;;100.00;\nParticipant 5;小明 王;q@x.org;Submitted;;100.00;\n",
        encoding="utf-8",
    )
    assert "--notebook" in exported(home, "--to", "moodle", "--into", str(theirs), code=2)
    said = exported(home, "--to", "moodle", "--into", str(theirs), "--notebook", "03")
    rows = table(home / "moodle.csv")
    assert rows[1][4] == "92.5" and rows[2][4] == "80" and "Late: 4 points" in rows[2][6]
    assert "scaled" in said


def test_whose_line_it_is_an_exact_id_says_first() -> None:
    header = ["Username", "Email address", "03_max_norm"]
    lines = [["eve", "bob@y.org", ""], ["bob", "b@x.org", ""], ["7", "s@x.org", ""], ["cy", "0@x.org", ""]]
    students = [
        Student(name, grades={"03_max_norm": Grade(score, 0, 20, False)})
        for name, score in (("bob", 1.0), ("eve", 2.0), ("7", 3.0), ("1", 9.0))
    ]
    filled = fill(header, lines, students, {"03_max_norm": 20.0}, Roster())
    assert [row[2] for row in filled.rows[1:]] == [2.0, 1.0, 3.0, ""]
    assert filled.strangers == ["1"]


def filled_in(home: Path, text: str, *words: str, to: str = "canvas", code: int = 0) -> tuple[str, str]:
    """Fill a platform's file in; what was said, and the file that was written."""
    (home / "theirs.csv").write_bytes(text.encode("utf-8"))
    said = exported(home, "--to", to, "--into", str(home / "theirs.csv"), "--notebook", "03", *words, code=code)
    return said, "" if code else (home / f"{to}.csv").read_bytes().decode("utf-8")


PEOPLE_OF_CANVAS = '"Lovelace, Ada",11,,ada,A,{}\n"王, 小明",12,,xiaoming,A,{}\n'
HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,"


@pytest.mark.parametrize("title", ["03_max_norm", "03_max_norm (4102)", "max_norm (03) (771)", "Max-norm", "03 · Max norm"])
def test_a_column_with_the_whole_title_is_filled_and_no_other(home: Path, title: str) -> None:
    text = f"{HEAD}Reading quiz 03 (4101),{title}\n" + PEOPLE_OF_CANVAS.format("9.50,", "7.00,3")
    said, written = filled_in(home, text)
    assert written == f"{HEAD}Reading quiz 03 (4101),{title}\n" + PEOPLE_OF_CANVAS.format("9.50,18.5", "7.00,16"), said


@pytest.mark.parametrize("title", ["Reading quiz 03 (4101)", "Week 3", "03_max_norm Percentage", "Max norm, second try"])
def test_a_column_that_only_looks_like_it_is_asked_about(home: Path, title: str) -> None:
    text = f"{HEAD}{title!r}\n".replace("'", '"') + PEOPLE_OF_CANVAS.format("9.50", "7")
    said, _ = filled_in(home, text, code=2)
    assert f"Is “{title}” meant?" in said and not (home / "canvas.csv").exists()
    _, written = filled_in(home, text, "--column", f"03={title}")
    assert ",A,18.5\n" in written and ",A,16\n" in written
    _, written = filled_in(home, text, "--column", "03=+")
    assert ",A,9.50,18.5\n" in written and ",A,7,16\n" in written


def test_two_columns_of_one_title_and_a_title_that_is_not_there(home: Path) -> None:
    twice = f"{HEAD}03_max_norm (41020),03_max_norm (41021)\n" + PEOPLE_OF_CANVAS.format(",", ",")
    assert "several columns with the title" in filled_in(home, twice, code=2)[0]
    _, written = filled_in(home, twice, "--column", "03=03_max_norm (41021)")
    assert ",A,,18.5\n" in written
    assert "no column is called “Week 9”" in filled_in(home, twice, "--column", "03=Week 9", code=2)[0]
    assert "write a notebook of the class" in filled_in(home, twice, "--column", "99=x", code=2)[0]


@pytest.mark.parametrize("word", ["EX", "N/A", "Excused", "entschuldigt", "缺席"])
def test_words_in_cells_stay(home: Path, word: str) -> None:
    above = ",,,,,Manual Posting\n    Points Possible,,,,,20.0\n"
    said, written = filled_in(home, f"{HEAD}03_max_norm (4102)\n{above}" + PEOPLE_OF_CANVAS.format(word, ""))
    assert written == f"{HEAD}03_max_norm (4102)\n{above}" + PEOPLE_OF_CANVAS.format(word, "16")
    assert f"1 in a cell with a word, which stays as it is: Lovelace, Ada {word}" in said


def test_decimal_commas_and_the_style_of_the_file_are_kept(home: Path) -> None:
    head = 'Identifikator;"Vollständiger Name";E-Mail-Adresse;Status;Bewertung;Bestwertung;"Feedback als Kommentar"\r\n'
    lines = "Teilnehmer/in4;{0}Ada Lovelace{0};ada@x.org;;{1};20,00;\r\n"
    said, written = filled_in(home, head + lines.format('"', ""), to="moodle")
    assert written == head + lines.format('"', "18,5") and "scaled" not in said
    _, written = filled_in(home, head + lines.format("", "18,50"), to="moodle")
    assert written == head + lines.format("", "18,50"), "the same number stays as it is written"


def test_files_of_the_real_world_are_filled(home: Path) -> None:
    shown = REAL_WORLD / "s09_canvas_columns"
    for name, to in (("quiz_before.csv", "canvas"), ("moodle_gradebook.csv", "moodle")):
        text = (shown / name).read_text(encoding="utf-8").replace("ada@example.org", "ada@x.org")
        _, written = filled_in(home, text, to=to)
        before, after = (list(csv.reader(io.StringIO(one))) for one in (text, written))
        column = next(place for place, title in enumerate(before[0]) if "max" in title)
        changed = {
            (row, place) for row, line in enumerate(before) for place, cell in enumerate(line) if after[row][place] != cell
        }
        ada = next(row for row, line in enumerate(before) if "ada" in line)
        assert changed == {(ada, column)} and after[ada][column] == "18.5", name
