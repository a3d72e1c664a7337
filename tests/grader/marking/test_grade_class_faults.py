"""Grading that is killed at any moment, a gradebook that cannot be written: nothing is lost."""

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.gradebook import book as gradebook
from grader.classroom.only_writer import Busy, only_writer
from grader.engine.fork_server import Learners
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.quality.demo.run import make_class
from tests.support.classes import still_waiting
from tests.support.faults import QUICK, TARGET, TOPIC, class_of, gone, kill_and_go_on, rows


def check_killed_runs(tmp_path: Path, honest: int, hostile: int, kills: int, most: float) -> None:
    undisturbed, killed = Classroom(tmp_path / "undisturbed"), Classroom(tmp_path / "killed")
    class_of(undisturbed.home, honest, hostile)
    shutil.copytree(undisturbed.home, killed.home, symlinks=True)
    done = list(grade_class(undisturbed, [TOPIC], QUICK))
    assert len(done) == len(list(undisturbed.submissions([TOPIC])))
    kill_and_go_on(killed, kills, random.Random(7), most)
    assert rows(killed) == rows(undisturbed)
    assert not still_waiting(killed, TOPIC)
    gone(killed.home)


@pytest.mark.slow
def test_killed_and_gone_on_with(tmp_path: Path) -> None:
    check_killed_runs(tmp_path, honest=24, hostile=3, kills=4, most=11.0)


@pytest.mark.long
def test_a_thousand_submissions_a_hundred_hostile_twenty_kills(tmp_path: Path) -> None:
    check_killed_runs(tmp_path, honest=899, hostile=100, kills=20, most=40.0)


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    make_class(tmp_path / "class", [(f"student-{number}", TOPIC, "mistaken") for number in range(2)])
    return Classroom(tmp_path / "class")


@pytest.mark.slow
def test_what_is_graded_is_not_graded_again(classroom: Classroom, learners: Learners) -> None:
    assert len(list(grade_class(classroom, [TOPIC], QUICK, learners))) == 2
    assert not list(grade_class(classroom, [TOPIC], QUICK, learners))
    path = next(classroom.submissions([TOPIC])).path
    path.write_bytes(path.read_bytes() + b"\n")
    again = list(grade_class(classroom, [TOPIC], QUICK, learners))
    assert [graded.record.student for graded in again] == ["student-0"]
    assert len(records.attempts(classroom.home, TOPIC, "student-0")) == 2


@pytest.mark.slow
def test_a_locked_gradebook_keeps_results_for_the_next_run(
    classroom: Classroom, learners: Learners, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(grade_class(classroom, [TOPIC], QUICK, learners))
    wanted = rows(classroom)
    monkeypatch.setattr(gradebook.Book.__init__, "__defaults__", (0.3,))
    holder = sqlite3.connect(classroom.home / "gradebook.db")
    holder.execute("update grade set auto_score = 0")
    holder.commit()
    holder.execute("begin immediate")
    try:
        done = list(grade_class(classroom, [TOPIC], Run(force=True, seed=5), learners))
    finally:
        holder.rollback()
        holder.close()
    assert len(done) == 2
    assert not any(graded.record.stored for graded in done)
    assert "locked" in done[0].record.reason
    assert not list(grade_class(classroom, [TOPIC], QUICK, learners))
    assert rows(classroom) == wanted
    assert all(record.stored for record in records.load_all(classroom.home))


def test_two_runs_at_a_time_do_not_mix(classroom: Classroom) -> None:
    with only_writer(classroom.home), pytest.raises(Busy, match=str(os.getpid())):
        list(grade_class(classroom, [TOPIC], QUICK))


@pytest.mark.slow
def test_one_exercise_alone_leaves_the_others(classroom: Classroom, learners: Learners) -> None:
    before = {graded.record.student: graded.record for graded in grade_class(classroom, [TOPIC], QUICK, learners)}
    for graded in grade_class(classroom, [TOPIC], Run(exercise=TARGET.id, seed=9), learners):
        old, new = before[graded.record.student].results, graded.record.results
        assert [result.exercise for result in new] == [result.exercise for result in old]
        assert {result.exercise for result in new if result.seed == 9} == {TARGET.id}
