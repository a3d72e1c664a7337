"""A class that is kept, brought back, and made to forget somebody."""

import shutil
import sqlite3
import zipfile
from pathlib import Path

import msgspec
import pytest
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.classroom.gradebook.ask import find_alembic
from grader.classroom.only_writer import only_writer
from grader.cli import app
from grader.marking.regrade import back_up
from grader.report.anonymous import Key

run = CliRunner().invoke
find_alembic()
TOPIC = "03_max_norm"
pytestmark = pytest.mark.xdist_group("class keep")  # what its fixture makes is made once
PEOPLE = ("ada", "adam", "bo")


def command(*words: str | Path, code: int = 0, typed: str | None = None) -> str:
    outcome = run(app, ["class", *map(str, words)], input=typed)
    assert outcome.exit_code == code, outcome.output
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit), outcome.exception
    return " ".join(outcome.output.split())


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def filled(home: Path) -> Path:
    """A class of three with everything that commands leave behind."""
    write(home / "course.toml", 'roster = "lists/roster.csv"\nnotebooks = ["03"]\n')
    write(home / "lists" / "roster.csv", "student_id\nada\nadam\nbo\n")
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        book.add_assignment(TOPIC)
        book.add_notebook(TOPIC, TOPIC)
        book.add_grade_cell("all", TOPIC, TOPIC, max_score=20, cell_type="code")
        book.add_solution_cell("all", TOPIC, TOPIC)
        for who in PEOPLE:
            book.add_student(who, first_name=f"First-of-{who}")
            book.add_submission(TOPIC, who)
            book.find_grade("all", TOPIC, TOPIC, who).manual_score = 7.0
            book.find_comment("all", TOPIC, TOPIC, who).manual_comment = f"Remark for {who}."
        book.db.commit()
    for who in PEOPLE:
        for folder in ("submitted", "autograded"):
            write(home / folder / who / TOPIC / f"{TOPIC}.ipynb", f"work of {who}")
        write(home / "earlier" / who / TOPIC / "1.ipynb", f"earlier work of {who}")
        write(home / "feedback" / who / TOPIC / f"{TOPIC}.html", f"feedback for {who}")
        for turn in ("1", "2"):
            record = GradeRecord(student=who, topic=TOPIC, status="graded", seed=0, submission=turn, graded_at=turn)
            records.save(home, record, records.load(home, TOPIC, who))
    write(home / "feedback" / f"{TOPIC}_plain.zip", "all pages")
    write(home / "reports" / "class_report.html", "ada, adam, bo")
    Key(home).learn(PEOPLE)
    back_up(Classroom(home))
    return home


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("made") / "class")


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "class")


def state(home: Path) -> dict[str, bytes]:
    """What is in a class, but for copies, locks, and the gradebook, which is read."""
    skipped = ("backups", "reports")
    files = {path.relative_to(home): path for path in sorted(home.rglob("*")) if path.is_file()}
    kept = {str(name): path.read_bytes() for name, path in files.items() if name.parts[0] not in skipped}
    kept = {name: body for name, body in kept.items() if not name.startswith("gradebook.db") and not name.endswith(".writer")}
    return {**kept, "gradebook": " ".join(people(home / "gradebook.db")).encode()}


def people(path: Path) -> list[str]:
    with Gradebook(f"sqlite:///{path}") as book:
        return sorted(f"{row.id}:{sum(submission.score for submission in row.submissions):g}" for row in book.students)


def holding(home: Path, word: bytes) -> set[str]:
    """The files, and entries of zip files, that hold these bytes."""
    file_names = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file() and word in path.read_bytes()}
    for path in home.rglob("backups/*.zip"):
        with zipfile.ZipFile(path) as archive:
            file_names |= {f"{path.name}:{name}" for name in archive.namelist() if word in archive.read(name)}
    return file_names


def test_nothing_of_who_is_forgotten_stays(home: Path) -> None:
    write(home / "mine.csv", "x,ada\n")
    write(home / "theirs.csv", "x,adam\n")
    command("backup", "--class", home)
    assert holding(home, b"Remark for ada.")
    others = {name: body for name, body in state(home).items() if "adam" in name or "bo/" in name}
    output = command("forget", "ada", "--class", home, "--yes")
    for word in (
        "submitted: 1 files",
        "earlier: 1",
        "results: 2 files",
        "1 submissions removed",
        "from 2 of 2 copies",
        "reports: 1",
    ):
        assert word in output, output
    assert "still hold the name: mine.csv." in output
    assert not holding(home, b"Remark for ada.")
    assert not [path for path in home.rglob("*") if path.name in ("ada", "ada.json", "ada.attempts.jsonl")]
    for copy in [home / "gradebook.db", *(home / "backups").glob("*.db")]:
        assert people(copy) == ["adam:7", "bo:7"]
    (kept,) = (home / "backups").glob("*.zip")
    with zipfile.ZipFile(kept) as archive:
        assert not [name for name in archive.namelist() if "/ada/" in name or "/ada." in name]
    after = state(home)
    assert all(after[name] == body for name, body in others.items())
    numbers = msgspec.json.decode((home / "results" / ".pseudonyms.json").read_bytes(), type=dict[str, int])
    assert "ada" not in numbers and sorted(numbers.values()) == [1, 2, 3]
    assert "nothing of 'ada'" in command("forget", "ada", "--class", home, "--yes", code=2)


def test_forgetting_asks_first(home: Path) -> None:
    before = state(home)
    command("forget", "ada", "--class", home, code=1, typed="n\n")
    assert state(home) == before
    assert "nothing of 'nobody'" in command("forget", "nobody", "--class", home, "--yes", code=2)
    assert "no student '../x'" in command("forget", "../x", "--class", home, "--yes", code=2)
    with only_writer(home):
        assert "another command writes" in command("forget", "ada", "--class", home, "--yes", code=2)
    assert state(home) == before


def test_a_link_is_removed_and_what_it_leads_to_stays(home: Path, tmp_path: Path) -> None:
    write(tmp_path / "else" / "file", "mine")
    (home / "submitted" / "eve").symlink_to(tmp_path / "else")
    command("forget", "eve", "--class", home, "--yes")
    assert (tmp_path / "else" / "file").exists() and not (home / "submitted" / "eve").is_symlink()


def test_a_copy_that_cannot_be_changed_is_said(home: Path) -> None:
    write(home / "backups" / "gradebook_old.db", "no database")
    output = command("forget", "ada", "--class", home, "--yes", code=1)
    assert "backups/gradebook_old.db was left as it is" in output and "Delete the copies" in output
    assert people(home / "gradebook.db") == ["adam:7", "bo:7"]


def test_a_class_is_brought_back_into_an_empty_folder(home: Path, tmp_path: Path) -> None:
    before = state(home)
    command("backup", tmp_path / "kept.zip", "--class", home)
    assert oct((tmp_path / "kept.zip").stat().st_mode)[-3:] == "600"
    command("restore", tmp_path / "kept.zip", "--class", tmp_path / "other")
    assert state(tmp_path / "other") == before
    assert "there already" in command("backup", tmp_path / "kept.zip", "--class", home, code=2)


def test_a_class_is_brought_back_over_itself_and_what_was_there_is_kept(home: Path, tmp_path: Path) -> None:
    before = state(home)
    command("backup", tmp_path / "kept.zip", "--class", home)
    write(home / "submitted" / "cy" / TOPIC / f"{TOPIC}.ipynb", "new")
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        book.remove_student("bo")
    changed = state(home)
    output = command("restore", tmp_path / "kept.zip", "--class", home)
    assert state(home) == before and "is kept in" in output
    (safe,) = (home / "backups").glob("*_before_restore.zip")
    command("restore", safe, "--class", home)
    assert state(home) == changed
    assert not list(home.glob(".restore*"))


def test_a_class_that_is_broken_can_be_brought_back(home: Path, tmp_path: Path) -> None:
    before = state(home)
    command("backup", tmp_path / "kept.zip", "--class", home)
    write(home / "course.toml", "notebooks = [")
    write(home / "gradebook.db", "no database")
    write(home / "lists" / "roster.csv", "student_id\nzoe\n")
    command("restore", tmp_path / "kept.zip", "--class", home)
    assert state(home) == before
    (safe,) = (home / "backups").glob("*_before_restore.zip")
    with zipfile.ZipFile(safe) as archive:
        kept = {name: archive.read(name) for name in ("course.toml", "gradebook.db", "lists/roster.csv")}
    assert list(kept.values()) == [b"notebooks = [", b"no database", b"student_id\nzoe\n"]


def test_a_backup_is_whole_while_somebody_writes(home: Path, tmp_path: Path) -> None:
    with sqlite3.connect(home / "gradebook.db") as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("UPDATE student SET first_name = 'Changed' WHERE id = 'bo'")
        database.commit()
        database.execute("UPDATE student SET first_name = 'Never' WHERE id = 'ada'")
        command("backup", tmp_path / "kept.zip", "--class", home)
        database.rollback()
    command("restore", tmp_path / "kept.zip", "--class", tmp_path / "other")
    with sqlite3.connect(tmp_path / "other" / "gradebook.db") as database:
        assert dict(database.execute("SELECT id, first_name FROM student"))["bo"] == "Changed"
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_cannot_be_restored(home: Path, tmp_path: Path) -> None:
    before = state(home)
    command("backup", tmp_path / "kept.zip", "--class", home)
    whole = (tmp_path / "kept.zip").read_bytes()
    offset = whole.index(b"work of") if b"work of" in whole else len(whole) // 2
    (tmp_path / "damaged.zip").write_bytes(whole[:offset] + bytes(40) + whole[offset + 40 :])
    (tmp_path / "text.zip").write_text("no zip")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("a.txt", "b")
    with zipfile.ZipFile(tmp_path / "kept.zip") as source, zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("class_backup.json", source.read("class_backup.json"))
        archive.writestr("submitted/../../reached", "x")
    for name, message in (
        ("damaged", "nothing was changed"),
        ("text", "cannot be read"),
        ("other", "not written by grader class backup"),
        ("evil", "no part of a class"),
        ("absent", "cannot be read"),
    ):
        assert message in command("restore", tmp_path / f"{name}.zip", "--class", home, code=2)
        assert state(home) == before
    write(tmp_path / "full" / "letter.txt", "mine")
    assert "neither empty nor a class" in command("restore", tmp_path / "kept.zip", "--class", tmp_path / "full", code=2)
    assert "no class in" in command("backup", "--class", tmp_path / "full", code=2)
    with only_writer(home):
        assert "nother command writes" in command("backup", "--class", home, code=2)
        assert "nother command writes" in command("restore", tmp_path / "kept.zip", "--class", home, code=2)
    assert not (tmp_path / "reached").exists() and not list(home.glob(".restore*"))


def test_a_gradebook_elsewhere_is_left_alone(home: Path, tmp_path: Path) -> None:
    output = command("backup", tmp_path / "kept.zip", "--class", home, "--db", "postgresql://teacher@db.example.org/grades")
    assert "left alone: pg_dump" in output
    with zipfile.ZipFile(tmp_path / "kept.zip") as archive:
        assert "gradebook.db" not in archive.namelist()
    before = (home / "gradebook.db").read_bytes()
    assert "is left alone" in command("restore", tmp_path / "kept.zip", "--class", home)
    assert (home / "gradebook.db").read_bytes() == before
