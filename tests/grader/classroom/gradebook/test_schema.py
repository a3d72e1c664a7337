"""A gradebook from another version: one sentence, a copy, and a way on."""

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy
from nbgrader.api import Base, Gradebook
from typer.testing import CliRunner

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.gradebook.ask import find_alembic
from grader.classroom.gradebook.book import Book
from grader.classroom.gradebook.schema import clear_half_made, misfit
from grader.cli import app
from tests.support.classes import TOPIC, blank, hand_in, perfect

run = CliRunner().invoke
find_alembic()


def command(*words: str, code: int = 0) -> str:
    outcome = run(app, list(words))
    assert outcome.exit_code == code, outcome.output
    return " ".join(outcome.output.split())


def an_old_one(home: Path, version: str) -> None:
    """A gradebook without what nbgrader's last two migrations add."""
    home.mkdir(exist_ok=True)
    path = home / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as book:
        book.add_student("ada", first_name="Ada")
        book.add_assignment("ps1")
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE student DROP COLUMN lms_user_id")
        database.execute("CREATE TABLE kept AS SELECT id, name, duedate FROM assignment")
        database.execute("DROP TABLE assignment")
        database.execute("CREATE TABLE assignment (id VARCHAR(32) PRIMARY KEY, name VARCHAR(128) UNIQUE, duedate DATETIME)")
        database.execute("INSERT INTO assignment SELECT * FROM kept")
        database.execute("DROP TABLE kept")
        database.execute("DROP TABLE course")
        database.execute("UPDATE alembic_version SET version_num = ?", [version])


@pytest.mark.slow
def test_an_older_gradebook_is_brought_up_to_date(tmp_path: Path) -> None:
    an_old_one(tmp_path, "167914646830")
    before = (tmp_path / "gradebook.db").read_bytes()
    hand_in(tmp_path, "ada", perfect())
    output = command("grade", TOPIC[:2], "--class", str(tmp_path), code=2)
    assert "from an older version of nbgrader (grader class upgrade" in output and "wait in results/" in output
    assert (tmp_path / "gradebook.db").read_bytes() == before
    assert "older version" in command("export", "--class", str(tmp_path), code=2)
    assert "up to date" in command("class", "upgrade", str(tmp_path))
    (copy,) = tmp_path.glob("gradebook.db.*.backup")
    with sqlite3.connect(copy) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == ("167914646830",)
    command("grade", TOPIC[:2], "--class", str(tmp_path))
    with Gradebook(Classroom(tmp_path).db_url) as book:
        assert book.find_student("ada").first_name == "Ada" and book.find_assignment("ps1").name == "ps1"
        assert book.find_submission(TOPIC, "ada").score > 0
    assert records.load(tmp_path, TOPIC, "ada").stored  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", ["newer", "no gradebook", "damaged"])
def test_what_cannot_be_used_is_said_and_left_alone(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "gradebook.db"
    if kind == "newer":
        an_old_one(tmp_path, "ffffffffffff")
    elif kind == "no gradebook":
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE recipes (name TEXT)")
    else:
        path.write_bytes(b"no database" * 100)
    before = path.read_bytes()
    output = command("class", "upgrade", str(tmp_path), code=2)
    words = {"newer": "pip install --upgrade nbgrader", "no gradebook": "not a gradebook", "damaged": "not a database"}
    assert words[kind] in output and words[kind] in command("export", "--class", str(tmp_path), code=2)
    assert path.read_bytes() == before


@pytest.mark.slow
def test_a_notebook_that_has_other_exercises_now(tmp_path: Path) -> None:
    hand_in(tmp_path, "ada", perfect())
    command("grade", TOPIC[:2], "--class", str(tmp_path))
    gone = next(cell.metadata.nbgrader.grade_id for cell in blank().cells if "check" in str(cell.metadata.get("nbgrader", "")))
    names = [gone, gone.removesuffix("-check")]
    with sqlite3.connect(tmp_path / "gradebook.db") as database:
        for name in names:  # as if the exercise had had another name
            for table in ("base_cell", "source_cell"):
                database.execute(f"UPDATE {table} SET name = ? WHERE name = ?", [f"old-{name}", name])
    with Gradebook(Classroom(tmp_path).db_url) as book:
        whole = book.find_submission(TOPIC, "ada").score
        written = next(grade for grade in book.find_submission(TOPIC, "ada").notebooks[0].grades if grade.auto_score is None)
        written.manual_score = 2.0
        book.db.commit()
    output = command("grade", TOPIC[:2], "--class", str(tmp_path), "--force", code=2)
    assert "older version of the course" in output and "wait in results/" in output
    assert f"{gone} added" in command("class", "upgrade", str(tmp_path))
    command("grade", TOPIC[:2], "--class", str(tmp_path), "--force")
    with Gradebook(Classroom(tmp_path).db_url) as book:
        submission = book.find_submission(TOPIC, "ada")
        core = sum(exercise.points for exercise in exercises_of(TOPIC) if exercise.core)
        assert submission.score == whole + 2.0 and submission.notebooks[0].max_score == core + 3
        comments = {comment.name for comment in submission.notebooks[0].comments}
        assert {gone.removesuffix("-check")} <= comments


def test_a_gradebook_whose_making_was_cut_short_is_made_anew(tmp_path: Path) -> None:
    """Killed after the tables and before the note of their version: they are empty, so nothing is lost."""
    address = f"sqlite:///{tmp_path / 'gradebook.db'}"
    engine = sqlalchemy.create_engine(address)
    Base.metadata.create_all(engine)
    with engine.connect() as connection:
        assert "alembic_version" not in sqlalchemy.inspect(connection).get_table_names()
    assert "older version" in misfit(address)
    with Book(address) as book:
        book.make()
    assert misfit(address) == ""
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("DROP TABLE alembic_version"))
        connection.execute(sqlalchemy.text("INSERT INTO student (id) VALUES ('ada')"))
    clear_half_made(address)
    assert "older version" in misfit(address), "what holds a row is kept"
    engine.dispose()
