"""The table of whom to talk to: what people enter stays, whatever a spreadsheet does to the file."""

import csv
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.classroom.student_files import pages_of_all, unnamed
from grader.classroom.talk_table import TALK, TalkRow, update_talk
from grader.cli import app
from grader.errors import UserError

WEEK = "03 max_norm"
FIRST, LATER = date(2026, 3, 5), date(2026, 3, 12)


def rows(home: Path) -> list[dict[str, str]]:
    with (home / TALK).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def enter(home: Path, student: str, separator: str = ",", **cells: str) -> None:
    """Enter something as a person does in a spreadsheet."""
    table = rows(home)
    for row in table:
        if row["student_id"] == student:
            row.update(cells)
    with (home / TALK).open("w", encoding="utf-8-sig", newline="") as file:
        columns = list(dict.fromkeys(name for row in table for name in row))
        writer = csv.DictWriter(file, columns, delimiter=separator)
        writer.writeheader()
        writer.writerows(table)


def test_ticks_notes_and_own_columns_stay(tmp_path: Path) -> None:
    update_talk(tmp_path, [TalkRow("ada", "Ada", reason="low"), TalkRow("bo", reason="=gone")], WEEK, FIRST)
    assert (tmp_path / TALK).stat().st_mode & 0o077 == 0
    assert rows(tmp_path)[1]["reason"] == "'=gone"
    enter(tmp_path, "ada", ";", done="x", note="=ill", room="12")
    ada, bo = update_talk(tmp_path, [TalkRow("ada", reason="lower"), TalkRow("bo")], WEEK, LATER)
    assert (ada.done, ada.note, ada.since, bo.done, bo.since) == ("x", "=ill", "2026-03-05", "", "2026-03-05")
    first = rows(tmp_path)[0]
    assert (first["reason"], first["room"], first["note"]) == ("lower", "12", "'=ill")


def test_a_row_goes_only_if_nobody_touched_it(tmp_path: Path) -> None:
    update_talk(tmp_path, [TalkRow("ada"), TalkRow("bo"), TalkRow("cy")], WEEK, FIRST)
    enter(tmp_path, "bo", note="wrote to him")
    update_talk(tmp_path, [TalkRow("cy")], WEEK, LATER, scope={"cy", "bo"})
    assert [row["student_id"] for row in rows(tmp_path)] == ["cy", "ada", "bo"], "ada is of another section"
    update_talk(tmp_path, [], WEEK, LATER)
    assert [row["student_id"] for row in rows(tmp_path)] == ["bo"]


def test_each_notebook_is_a_row_and_the_first_day_is_remembered(tmp_path: Path) -> None:
    update_talk(tmp_path, [TalkRow("ada")], WEEK, FIRST)
    enter(tmp_path, "ada", done="yes")
    (ada,) = update_talk(tmp_path, [TalkRow("ada")], "04 optimizers", LATER)
    assert (ada.done, ada.since) == ("", "2026-03-05") and len(rows(tmp_path)) == 2


def test_what_a_spreadsheet_does_to_numbers_and_days_costs_nothing(tmp_path: Path) -> None:
    update_talk(tmp_path, [TalkRow("0012"), TalkRow("7")], WEEK, FIRST)
    enter(tmp_path, "0012", student_id="12", since="05.03.2026", done="x")
    first, second = update_talk(tmp_path, [TalkRow("0012"), TalkRow("7")], WEEK, LATER)
    assert (first.done, second.done) == ("x", "") and [row["student_id"] for row in rows(tmp_path)] == ["0012", "7"]


@pytest.mark.parametrize("content", [b"PK\x03\x04 a workbook", b"name,done\nAda,x\n"])
def test_a_file_that_cannot_be_read_is_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / TALK).write_bytes(content)
    with pytest.raises(UserError, match=r"reports/talk\.csv.*repair the file, or move it away") as raised:
        update_talk(tmp_path, [TalkRow("ada")], WEEK, FIRST)
    assert (tmp_path / TALK).read_bytes() == content and "\n" not in str(raised.value)


def test_forgetting_a_student_keeps_the_notes_about_others(tmp_path: Path) -> None:
    update_talk(tmp_path, [TalkRow("ada"), TalkRow("bo")], WEEK, FIRST)
    (tmp_path / "reports" / "class_report.html").touch()
    assert [path.name for path in pages_of_all(tmp_path)["reports"]] == ["class_report.html"]
    assert unnamed(tmp_path, "ada") and [row["student_id"] for row in rows(tmp_path)] == ["bo"]
    assert not unnamed(tmp_path, "ada")


def test_a_backup_holds_the_notes_and_brings_them_back(tmp_path: Path) -> None:
    home = tmp_path / "class"
    (home / "submitted").mkdir(parents=True)
    (home / "course.toml").touch()
    update_talk(home, [TalkRow("ada")], WEEK, FIRST)
    enter(home, "ada", note="wrote to her")
    runner, words = CliRunner(), [str(tmp_path / "b.zip"), "--class", str(home)]
    assert runner.invoke(app, ["class", "backup", *words]).exit_code == 0
    enter(home, "ada", note="overwritten")
    outcome = runner.invoke(app, ["class", "restore", *words], input="y\n")
    assert outcome.exit_code == 0, outcome.output
    assert rows(home)[0]["note"] == "wrote to her"
