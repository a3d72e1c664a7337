"""Gradebook files: formulas are defused, numbers stay numbers, a platform's own file is filled in."""

from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin

from grader.classroom import records
from grader.classroom.export.nbgrader_csv import SafeCsv
from grader.classroom.export.platform_sheets import safe
from tests.support.exports import exported, table
from tests.support.report_records import record


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1+1", "-cmd|x", "=1\n2"])
def test_formulas_become_text(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-3", "+4.5", "1e-3", "50 %", "-", "王小明", "a=b", "", -2.5, 3, "    Points Possible"])
def test_numbers_and_names_stay(value: object) -> None:
    assert safe(value) == str(value)


def test_canvas(home: Path) -> None:
    output = exported(home, "--to", "canvas")
    rows = table(home / "canvas.csv")
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "02_gradients", "03_max_norm"]
    assert rows[1] == ["    Points Possible", "", "", "", "", "20", "20"]
    by_id = {row[3]: row for row in rows[2:]}
    assert by_id["ada"] == ["Lovelace, Ada", "", "", "ada", "", "", "18.5"]
    assert by_id["xiaoming"][0] == "王, 小明" and by_id["xiaoming"][-1] == "16", "after the penalty"
    assert by_id["nobody"][-1] == "" and "4 students" in output
    assert by_id["'=cmd|' /C calc'!A1"][0] == "'@SUM(A1), =1+1"


def test_moodle_and_nbgrader(home: Path) -> None:
    exported(home, "--to", "moodle", "--notebook", "03")
    rows = table(home / "moodle.csv")
    assert rows[0][-1] == "03_max_norm" and ["ada", "Ada", "Lovelace", "", "ada@x.org", "18.5"] in rows
    exported(home)
    ours = table(home / "grades.csv")
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        book.remove_student("=cmd|' /C calc'!A1")
        CsvExportPlugin(to=str(home / "theirs.csv")).export(book)
        SafeCsv(to=str(home / "ours.csv")).export(book)
    assert table(home / "ours.csv") == table(home / "theirs.csv"), "the same as nbgrader's own where names are harmless"
    assert any(row[3].startswith("'=cmd") and row[6] == "'+x@x.org" for row in ours)


@pytest.fixture
def generous(home: Path) -> Path:
    """Ada has 25 of 20."""
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        book.find_grade("all", "03_max_norm", "03_max_norm", "ada").manual_score = 25.0
        book.db.commit()
    return home


@pytest.mark.parametrize(
    "words, ada, xiaoming, warning",
    [
        (["moodle"], "20", "16", "ada 25 → 20"),
        (["canvas"], "25", "16", ""),
        (["canvas", "--above", "cap"], "20", "16", "ada 25 → 20"),
        (["moodle", "--above", "keep"], "25", "16", ""),
        (["moodle", "--above", "scale"], "20", "12.8", "xiaoming 16 → 12.8"),
    ],
)
def test_scores_above_the_maximum(generous: Path, words: list[str], ada: str, xiaoming: str, warning: str) -> None:
    heard = exported(generous, "--to", *words)
    grades = {cell: row[-1] for row in table(generous / f"{words[0]}.csv") for cell in (row[0], row[3])}
    assert (grades["ada"], grades["xiaoming"]) == (ada, xiaoming)
    assert warning in heard and ("→" in heard) == bool(warning)


def test_a_worksheet_gets_no_more_than_its_maximum(generous: Path) -> None:
    theirs = generous / "worksheet.csv"
    theirs.write_text("Identifier,Full name,Grade,Maximum Grade\nParticipant 4,Ada Lovelace,,100.00\n", encoding="utf-8")
    assert "ada 25 → 20" in exported(generous, "--to", "moodle", "--into", str(theirs), "--notebook", "03")
    assert table(generous / "moodle.csv")[1][2] == "100"


def test_what_above_may_say(home: Path) -> None:
    assert "there are keep, cap, scale" in exported(home, "--to", "moodle", "--above", "most", code=2)
    assert "changes what goes to canvas or moodle" in exported(home, "--above", "cap", code=2)


@pytest.mark.parametrize(
    "content, message",
    [(b"", "is empty"), (b"\xff\xfe\xfa", "UTF-8"), (b"a,b\n1,2\n", "no students that could be told apart")],
)
def test_bad_files(home: Path, content: bytes, message: str) -> None:
    (home / "bad.csv").write_bytes(content)
    assert message in exported(home, "--to", "canvas", "--into", str(home / "bad.csv"), code=2)


def test_no_gradebook_and_no_such_export(tmp_path: Path) -> None:
    assert "run grader grade first" in exported(tmp_path, code=2)
    assert "no export to 'excel'" in exported(tmp_path, "--to", "excel", code=2)


def test_the_three_things_that_no_points_can_mean(home: Path) -> None:
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        book.find_grade("all", "03_max_norm", "03_max_norm", "xiaoming").auto_score = 0.0
        book.add_student("broken")
        book.db.commit()
    records.save(home, record("broken", status="unreadable", reason="no JSON"), None)
    output = exported(home, "--to", "canvas", "--notebook", "03")
    assert "03_max_norm: 1 nothing came (left empty; --missing zero enters 0): nobody." in output
    assert "1 a file came that cannot be read" in output and "1 handed in and earned 0 points: xiaoming" in output
    assert exported(home, "--notebook", "03") and {row[3]: row[-1] for row in table(home / "grades.csv")[1:]} == {
        "ada": "handed in",
        "'=cmd|' /C calc'!A1": "handed in",
        "xiaoming": "zero earned",
        "nobody": "nothing came",
        "broken": "not readable",
    }
    exported(home, "--to", "canvas", "--notebook", "03", "--missing", "zero")
    points = {row[3]: row[-1] for row in table(home / "canvas.csv")[2:]}
    assert (points["nobody"], points["broken"], points["xiaoming"]) == ("0", "", "0")
    assert "there are empty, zero" in exported(home, "--missing", "none", code=2)


def test_nobody_gets_a_zero_before_the_time_is_over(home: Path) -> None:
    (home / "course.toml").write_text(
        'timezone = "UTC"\nstudents = ["ada", "xiaoming", "nobody", "late"]\n[deadlines]\n03 = "2020-01-01"\n'
        '[[extensions]]\nstudent = "late"\nnotebook = "03"\nuntil = "2199-01-01"\n',
        encoding="utf-8",
    )
    output = exported(home, "--to", "canvas", "--notebook", "03", "--missing", "zero")
    points = {row[3]: row[-1] for row in table(home / "canvas.csv")[2:]}
    assert (points["nobody"], points["late"]) == ("0", "") and "there is time still (left empty): late" in output
