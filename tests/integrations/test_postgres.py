"""The gradebook in a real PostgreSQL, started for the test on loopback."""

import contextlib
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from benchmarks.own_postgres import NoPostgres, own_postgres
from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Classroom
from grader.classroom.gradebook.ask import find_alembic
from grader.classroom.gradebook.book import BookClosed
from grader.classroom.gradebook.dump import CannotDump, dump, program
from grader.classroom.gradebook.forget import forget_in_book, forget_in_copy
from grader.classroom.policy.rubrics import RubricLine
from grader.cli import app
from grader.engine.fork_server import Learners
from grader.marking.grade_class import grade_class
from grader.marking.written.desk import Desk, Outdated
from grader.marking.written.mark import Draft
from tests.support.classes import hand_in, perfect, still_waiting
from tests.support.faults import QUICK, TOPIC, class_of, gone, kill_and_go_on, rows

EXERCISE = exercises_of(TOPIC)[0].id


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server of one's own."""
    with contextlib.ExitStack() as stack:
        try:
            address = stack.enter_context(own_postgres())
        except NoPostgres as missing:
            pytest.skip(str(missing))
        yield address


@pytest.mark.slow
def test_killed_runs_end_with_the_same_gradebook(tmp_path: Path, server: str) -> None:
    undisturbed, killed = Classroom(tmp_path / "undisturbed"), Classroom(tmp_path / "killed", server)
    class_of(undisturbed.home, honest=12, hostile=2)
    shutil.copytree(undisturbed.home, killed.home, symlinks=True)
    list(grade_class(undisturbed, [TOPIC], QUICK))
    kill_and_go_on(killed, kills=2, dice=random.Random(3), most=10.0)
    assert not (killed.home / "gradebook.db").exists()
    assert rows(killed) == rows(undisturbed)
    assert not still_waiting(killed, TOPIC)
    gone(killed.home)


def test_a_name_that_does_not_fit_keeps_nobody_else_out(tmp_path: Path, server: str, learners: Learners) -> None:
    classroom = Classroom(tmp_path, server)
    long = "n" * 200
    for student in ("ada", long, "zoe"):
        hand_in(tmp_path, student, perfect(TOPIC), TOPIC)
    done = {graded.record.student: graded.record for graded in grade_class(classroom, [TOPIC], QUICK, learners)}
    assert done["ada"].stored and done["zoe"].stored and done["ada"].score == done["zoe"].score == done[long].score
    assert not done[long].stored and "has no room for it" in done[long].reason and "rename the folder" in done[long].reason
    assert {row[0] for row in rows(classroom)} >= {"ada", "zoe"} and long not in {row[0] for row in rows(classroom)}
    assert [graded.record.student for graded in grade_class(classroom, [TOPIC], QUICK, learners)] == []
    hand_in(tmp_path, "bob", perfect(TOPIC), TOPIC)
    assert [graded.record.stored for graded in grade_class(classroom, [TOPIC], QUICK, learners)] == [True]


def test_the_command_line_says_it_in_a_sentence(
    tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch, command: Callable[..., Result]
) -> None:
    for student in ("n" * 200, "ada"):
        hand_in(tmp_path, student, perfect(TOPIC), TOPIC)
    monkeypatch.setenv("GRADES", server)
    outcome = command("grade", TOPIC[:2], "--class", tmp_path, "--db", "env:GRADES", "--workers", "1")
    assert outcome.exit_code == 2 and isinstance(outcome.exception, SystemExit)
    assert (
        "1 results wait in results/" in outcome.output
        and "has no room" in outcome.output
        and "rename the folder" in outcome.output
    )


def test_a_name_that_the_database_cannot_write_keeps_nobody_else_out(tmp_path: Path, server: str, learners: Learners) -> None:
    import psycopg

    with psycopg.connect(server.replace("/grades", "/postgres"), autocommit=True) as connection:
        connection.execute("create database western encoding 'LATIN1' template template0 locale 'C'")
    classroom = Classroom(tmp_path, server.replace("/grades", "/western"))
    for student in ("ada", "小明", "zoe"):
        hand_in(tmp_path, student, perfect(TOPIC), TOPIC)
    done = {graded.record.student: graded.record for graded in grade_class(classroom, [TOPIC], QUICK, learners)}
    assert done["ada"].stored and done["zoe"].stored
    assert not done["小明"].stored and "rename the folder" in done["小明"].reason and "\n" not in done["小明"].reason


def test_a_student_is_forgotten_there_and_a_backup_leaves_it_alone(tmp_path: Path, server: str) -> None:
    find_alembic()
    address = server.replace("postgresql://", "postgresql+psycopg://")
    with Gradebook(address) as book:
        book.add_assignment("forgetting")
        book.add_notebook("forgetting", "forgetting")
        for who in ("gone", "stays"):
            book.add_student(who)
            book.add_submission("forgetting", who)
    (tmp_path / "submitted" / "gone").mkdir(parents=True)
    outcome = CliRunner().invoke(app, ["class", "forget", "gone", "--class", str(tmp_path), "--db", server, "--yes"])
    assert outcome.exit_code == 0 and "gone and 1 submissions removed" in outcome.output, outcome.output
    with Gradebook(address) as book:
        names = {row.id for row in book.students}
        assert "gone" not in names and "stays" in names and len(book.assignment_submissions("forgetting")) == 1
    outcome = CliRunner().invoke(app, ["class", "backup", "--class", str(tmp_path), "--db", server])
    assert outcome.exit_code == 0 and "left alone: pg_dump" in outcome.output, outcome.output


def test_written_marks_and_the_journal_of_formgraders_changes(tmp_path: Path, server: str) -> None:
    find_alembic()
    address = Classroom(tmp_path, server).db_url
    with Gradebook(address) as book:
        book.add_assignment("marking")
        book.add_notebook("marking", "marking")
        book.add_grade_cell("why", "marking", "marking", max_score=3, cell_type="markdown")
        book.add_solution_cell("why", "marking", "marking")
        book.add_student("marked")
        book.add_submission("marking", "marked")
    desks = [Desk(address, "marking", "why") for _ in range(2)]
    desks[0].begin([RubricLine("a", 1), RubricLine("b", 2)], "the lesson")
    first, second = desks[0].rubric()
    mark = desks[0].save("marked", Draft((first.id,), comment="Why?"), "li", 0, "text")
    with pytest.raises(Outdated):
        desks[1].save("marked", Draft((second.id,)), "wu", 0, "text")
    with Gradebook(address) as book:
        book.find_grade("why", "marking", "marking", "marked").manual_score = 2.5
        book.db.commit()
    entered = desks[1].entered()["marked"]
    assert (entered.points, entered.comment) == (2.5, "Why?") and entered.change
    desks[1].save("marked", Draft((second.id,)), "wu", mark.version, "text", entered.change)
    assert desks[0].entered()["marked"].points == 2 and not desks[0].entered()["marked"].change
    with desks[0].transaction() as connection:
        changes = desks[0].cells.changes_of(connection, "marked")
    assert [(change["before"], change["after"]) for change in changes] == [("1", "2.5")]
    assert forget_in_book(address, "marked") and desks[0].marks() == {}
    for desk in desks:
        desk.close()


def _kept(home: Path) -> list[Path]:
    return sorted((home / "backups").glob("gradebook_*.sql"))


@pytest.mark.slow
def test_it_is_dumped_before_a_regrade_and_an_upgrade(
    tmp_path: Path, server: str, learners: Learners, command: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    with psycopg.connect(server.replace("/grades", "/postgres"), autocommit=True) as connection:
        for name in ("dumped", "restored"):
            connection.execute(f"create database {name} encoding 'UTF8' template template0 locale 'C'")
    address = server.replace("/grades", "/dumped")
    classroom = Classroom(tmp_path, address)
    hand_in(tmp_path, "ada", perfect(TOPIC), TOPIC)
    list(grade_class(classroom, [TOPIC], QUICK, learners))
    monkeypatch.setattr("grader.classroom.gradebook.dump.program", lambda name: None)
    outcome = command("regrade", EXERCISE, "--class", tmp_path, "--db", address, "--workers", "1")
    assert (
        outcome.exit_code == 2
        and "pg_dump" in outcome.output
        and "Nothing was changed" in outcome.output
        and not _kept(tmp_path)
    )
    monkeypatch.undo()
    outcome = command("regrade", EXERCISE, "--class", tmp_path, "--db", address, "--workers", "1")
    assert outcome.exit_code == 0 and "is kept in backups/gradebook_" in outcome.output, outcome.output
    (first,) = _kept(tmp_path)
    assert first.stat().st_mode & 0o777 == 0o600
    outcome = command("class", "upgrade", tmp_path, "--db", address)
    assert outcome.exit_code == 0 and len(_kept(tmp_path)) == 2, outcome.output
    gone_from = command("class", "forget", "nobody-here", "--class", tmp_path, "--db", address, "--yes")
    assert "left as it is" not in gone_from.output and len(_kept(tmp_path)) == 2
    with pytest.raises(BookClosed, match="dump from PostgreSQL"):
        forget_in_copy(first, "ada")
    psql = program("psql")
    assert psql is not None
    again = server.replace("/grades", "/restored")
    subprocess.run([psql, "-q", "-v", "ON_ERROR_STOP=1", "-d", again, "-f", first], check=True, capture_output=True)
    assert rows(Classroom(tmp_path, again)) == rows(classroom)


def test_a_server_that_is_not_there_leaves_no_file(tmp_path: Path, server: str) -> None:
    with pytest.raises(CannotDump, match=r"postgresql://….*was not dumped") as caught:
        dump("postgresql+psycopg://teacher:secret@127.0.0.1:1/grades", tmp_path)
    assert "secret" not in str(caught.value) and not list(tmp_path.glob("*.sql"))


def test_a_missing_pg_dump_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.classroom.gradebook.dump.program", lambda name: None)
    with pytest.raises(CannotDump, match=r"apt-get install postgresql-client.*--no-dump"):
        dump("postgresql://teacher@127.0.0.1:1/grades", tmp_path)


def test_the_newest_version_of_a_program_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.classroom.gradebook.dump._DEBIAN", tmp_path / "postgresql")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    assert program("pg_dump") is None
    on_path = tmp_path / "bin" / "pg_dump"
    on_path.touch(mode=0o755)
    assert program("pg_dump") == str(on_path)
    for version in ("9.6", "16", "9.10"):
        folder = tmp_path / "postgresql" / version / "bin"
        folder.mkdir(parents=True)
        (folder / "pg_dump").touch(mode=0o755)
    assert program("pg_dump") == str(tmp_path / "postgresql" / "16" / "bin" / "pg_dump") and program("psql") is None
