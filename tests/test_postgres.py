"""The gradebook in a real PostgreSQL, started for the test on loopback."""

from __future__ import annotations

import contextlib
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from nbgrader.api import Gradebook
from support.classes import hand_in, perfect, still_waiting
from support.faults import QUICK, TOPIC, class_of, gone, kill_and_go_on, rows
from typer.testing import CliRunner

from grader.classroom.class_folder import Classroom
from grader.cli import app
from grader.engine.fork_server import Learners
from grader.gradebook.alembic_path import find_alembic
from grader.marking.grade_class import grade_class
from grader.quality.bench.own_postgres import NoPostgres, own_postgres


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
    one, other = Classroom(tmp_path / "undisturbed"), Classroom(tmp_path / "killed", server)
    class_of(one.home, honest=12, hostile=2)
    shutil.copytree(one.home, other.home, symlinks=True)
    list(grade_class(one, [TOPIC], QUICK))
    kill_and_go_on(other, kills=2, dice=random.Random(3), most=10.0)
    assert not (other.home / "gradebook.db").exists()
    assert rows(other) == rows(one)
    assert not still_waiting(other, TOPIC)
    gone(other.home)


def test_a_name_that_does_not_fit_keeps_nobody_else_out(tmp_path: Path, server: str, learners: Learners) -> None:
    room = Classroom(tmp_path, server)
    long = "n" * 200
    for student in ("ada", long, "zoe"):
        hand_in(tmp_path, student, perfect(TOPIC), TOPIC)
    done = {graded.record.student: graded.record for graded in grade_class(room, [TOPIC], QUICK, learners)}
    assert done["ada"].stored and done["zoe"].stored and done["ada"].score == done["zoe"].score == done[long].score
    assert not done[long].stored and "has no room for it" in done[long].reason and "rename the folder" in done[long].reason
    assert {row[0] for row in rows(room)} >= {"ada", "zoe"} and long not in {row[0] for row in rows(room)}
    assert [graded.record.student for graded in grade_class(room, [TOPIC], QUICK, learners)] == []
    hand_in(tmp_path, "bob", perfect(TOPIC), TOPIC)
    assert [graded.record.stored for graded in grade_class(room, [TOPIC], QUICK, learners)] == [True]


def test_the_command_line_says_it_in_a_sentence(
    tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch, command: Callable[..., Result]
) -> None:
    for student in ("n" * 200, "ada"):
        hand_in(tmp_path, student, perfect(TOPIC), TOPIC)
    monkeypatch.setenv("GRADES", server)
    said = command("grade", TOPIC[:2], "--class", tmp_path, "--db", "env:GRADES", "--workers", "1")
    assert said.exit_code == 2 and isinstance(said.exception, SystemExit)
    assert "1 results wait in results/" in said.output and "has no room" in said.output and "rename the folder" in said.output


def test_a_name_that_the_database_cannot_write_keeps_nobody_else_out(tmp_path: Path, server: str, learners: Learners) -> None:
    import psycopg

    with psycopg.connect(server.replace("/grades", "/postgres"), autocommit=True) as connection:
        connection.execute("create database western encoding 'LATIN1' template template0 locale 'C'")
    room = Classroom(tmp_path, server.replace("/grades", "/western"))
    for student in ("ada", "小明", "zoe"):
        hand_in(tmp_path, student, perfect(TOPIC), TOPIC)
    done = {graded.record.student: graded.record for graded in grade_class(room, [TOPIC], QUICK, learners)}
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
