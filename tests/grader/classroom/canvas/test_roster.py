"""`grader roster --pull canvas` against a Canvas on loopback."""

import stat
from pathlib import Path

from typer.testing import CliRunner

from grader.classroom.roster import read_roster
from grader.cli import app
from tests.support.canvas import Canvas, user
from tests.support.exports import table


def pulled(home: Path, *words: str, code: int = 0) -> str:
    outcome = CliRunner().invoke(app, ["roster", "--class", str(home), *words])
    assert outcome.exit_code == code, outcome.output
    return " ".join(outcome.output.split())


def with_roster(home: Path, text: str) -> None:
    (home / "roster.csv").write_text(text, encoding="utf-8")
    course = (home / "course.toml").read_text(encoding="utf-8")
    (home / "course.toml").write_text(f'roster = "roster.csv"\n{course}', encoding="utf-8")


def test_a_first_roster(home: Path, canvas: Canvas) -> None:
    output = pulled(home, "--pull", "canvas")
    assert "4 new: " in output and "Nothing was written. --yes writes it." in output and not (home / "roster.csv").exists()
    output = pulled(home, "--pull", "canvas", "--yes")
    path = home / "roster.csv"
    assert "4 students" in output and 'write roster = "roster.csv" into it' in output
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    rows = table(path)
    assert rows[0] == ["student_id", "Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Email"]
    assert ["xiaoming", "王, 小明", "102", "", "xiaoming", "Monday and Tuesday", "xiaoming@x.org"] in rows
    roster = read_roster(path)
    assert roster.find(["canvas 101"]) == "ada", "Canvas's number, as it stands in the names of downloaded files"
    assert next(person for person in roster.people if person.id == "ada").email == "ada@x.org"


def test_a_section_that_was_dropped_is_not_named(home: Path, canvas: Canvas) -> None:
    canvas.users[1]["enrollments"][0]["enrollment_state"] = "deleted"
    canvas.users.append(user(105, "Test Student", "", type="StudentViewEnrollment"))
    assert "4 students" in pulled(home, "--pull", "canvas", "--yes")
    assert "Tuesday" in next(row for row in table(home / "roster.csv") if row[0] == "xiaoming")


def test_ids_and_own_columns_stay_and_differences_are_shown(home: Path, canvas: Canvas) -> None:
    with_roster(
        home,
        "student_id,first_name,last_name,email,Section,Group\n"
        "lovelace,Ada,Lovelace,ada@x.org,Friday,Team A\ngone,Gone,Away,gone@x.org,Monday,\n",
    )
    older = (home / "roster.csv").read_bytes()
    output = pulled(home, "--pull", "canvas", "--yes")
    assert "3 new: " in output and "1 in the file but not in Canvas" in output and "gone" in output
    assert "lovelace: section “Friday” → “Monday”" in output
    (kept,) = (home / "backups").glob("roster_*.csv")
    assert kept.read_bytes() == older and stat.S_IMODE(kept.stat().st_mode) == 0o600
    rows = {row[0]: row for row in table(home / "roster.csv")}
    assert rows["student_id"][-1] == "Group" and rows["lovelace"][-1] == "Team A" and rows["lovelace"][4] == "ada"
    assert "gone" not in rows
    assert "says the same already; nothing was written" in pulled(home, "--pull", "canvas", "--yes")
    assert len(list((home / "backups").iterdir())) == 1


def test_what_cannot_be_is_one_sentence(home: Path, canvas: Canvas) -> None:
    assert "grader roster --pull canvas" in pulled(home, code=2)
    canvas.refuse["/search_users"] = (403, {}, "{}")
    assert "the token's owner may not do that" in pulled(home, "--pull", "canvas", code=2)
    canvas.refuse.clear()
    canvas.users.clear()
    assert "lists no students who are in this course now, so the roster stays" in pulled(
        home, "--pull", "canvas", "--yes", code=2
    )
    canvas.users.append(user(101, "Ada Lovelace", "ada"))
    with_roster(home, "colour,size\nred,1\n")
    assert "student_id, email, SIS Login ID" in pulled(home, "--pull", "canvas", "--yes", code=2)
