"""Grading that is killed at any moment, a gradebook that cannot be written, a full disk: nothing is lost."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader import gradebook, records
from grader.attack.attack import ATTACKS
from grader.attack.stage import TARGET, Stage, leftovers
from grader.classroom import Classroom
from grader.demo.run import make_class
from grader.engine.learner import Patience
from grader.engine.sandbox import Limits
from grader.grade import Run, grade_class, waiting
from grader.store import Busy, only_writer

TOPIC = TARGET.lesson.topic
QUICK = Run(limits=Limits(memory=512 * 2**20), patience=Patience(cpu=1.0, clock=4.0), seed=5)
ROWS = "select s.student_id, c.name, g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade from grade g " \
    "join base_cell c on c.id = g.cell_id join submitted_notebook n on n.id = g.notebook_id " \
    "join submitted_assignment s on s.id = n.assignment_id order by 1, 2"  # fmt: skip
GRADE = """
import sys
from pathlib import Path
from grader.classroom import Classroom
from grader.engine.learner import Patience
from grader.engine.sandbox import Limits
from grader.grade import Run, grade_class
run = Run(limits=Limits(memory=512 * 2**20), patience=Patience(cpu=1.0, clock=4.0))
for graded in grade_class(Classroom(Path(sys.argv[1])), [sys.argv[2]], run):
    pass
"""


def rows(home: Path) -> list[tuple]:
    book = sqlite3.connect(home / "gradebook.db")
    try:
        return book.execute(ROWS).fetchall()
    finally:
        book.close()


def class_of(home: Path, honest: int, hostile: int) -> None:
    """Demo submissions of one notebook, and attacks among them."""
    personas = itertools.islice(_personas(), honest)
    make_class(home, [(f"student-{place:04d}", TOPIC, persona) for place, persona in enumerate(personas)], seed=5)
    chosen = [entry for entry in ATTACKS if entry.spares_stock or "loop" in entry.name or "flood" in entry.name]
    stage = Stage(home, [chosen[place % len(chosen)] for place in range(hostile)])
    stage.write()


def _personas():
    while True:
        yield from ("perfect", "mistaken", "right but unusual", "half done", "mistaken", "untouched", "corrupt", "labels lost")


def kill_and_go_on(home: Path, kills: int, dice: random.Random, most: float) -> None:
    """Grade, killing the process and going on, until a run comes to its end; at most `kills` times."""
    for turn in range(kills + 1):
        process = subprocess.Popen([sys.executable, "-c", GRADE, str(home), TOPIC], stderr=subprocess.PIPE)
        if turn < kills:
            try:
                process.wait(dice.uniform(0.5, most))
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
        _, said = process.communicate(timeout=600)
        if process.returncode == 0:
            return
        assert process.returncode == -signal.SIGKILL, said.decode()[-2000:]
    raise AssertionError("it never came to its end")


def check_killed_runs(tmp_path: Path, honest: int, hostile: int, kills: int, most: float) -> None:
    one, other = tmp_path / "undisturbed", tmp_path / "killed"
    class_of(one, honest, hostile)
    shutil.copytree(one, other, symlinks=True)
    done = list(grade_class(Classroom(one), [TOPIC], QUICK))
    assert len(done) == len(list(Classroom(one).submissions([TOPIC])))
    kill_and_go_on(other, kills, random.Random(7), most)
    assert rows(other) == rows(one)
    assert not waiting(Classroom(other), [TOPIC], Run())
    _gone()


def _gone() -> None:
    until = time.monotonic() + 10
    while leftovers() and time.monotonic() < until:
        time.sleep(0.1)
    assert not leftovers()


def test_killed_and_gone_on_with(tmp_path: Path) -> None:
    check_killed_runs(tmp_path, honest=24, hostile=3, kills=4, most=11.0)


@pytest.mark.long
def test_a_thousand_submissions_a_hundred_hostile_twenty_kills(tmp_path: Path) -> None:
    check_killed_runs(tmp_path, honest=899, hostile=100, kills=20, most=40.0)


@pytest.fixture
def room(tmp_path: Path) -> Classroom:
    make_class(tmp_path / "class", [(f"student-{place}", TOPIC, "mistaken") for place in range(2)], seed=5)
    return Classroom(tmp_path / "class")


def test_what_is_graded_is_not_graded_again(room: Classroom) -> None:
    assert len(list(grade_class(room, [TOPIC], QUICK))) == 2
    assert not list(grade_class(room, [TOPIC], QUICK))
    path = next(room.submissions([TOPIC])).path
    path.write_bytes(path.read_bytes() + b"\n")
    again = list(grade_class(room, [TOPIC], QUICK))
    assert [graded.record.student for graded in again] == ["student-0"]
    assert len(records.attempts(room.home, TOPIC, "student-0")) == 2


def test_a_locked_gradebook_keeps_results_for_the_next_run(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    list(grade_class(room, [TOPIC], QUICK))
    wanted = rows(room.home)
    monkeypatch.setattr(gradebook.Book.__init__, "__defaults__", (0.3,))
    holder = sqlite3.connect(room.home / "gradebook.db")
    holder.execute("update grade set auto_score = 0")
    holder.commit()
    holder.execute("begin immediate")
    try:
        done = list(grade_class(room, [TOPIC], Run(force=True, seed=5)))
    finally:
        holder.rollback()
        holder.close()
    assert len(done) == 2
    assert not any(graded.record.stored for graded in done)
    assert "locked" in done[0].record.reason
    assert not list(grade_class(room, [TOPIC], QUICK))
    assert rows(room.home) == wanted
    assert all(record.stored for record in records.load_all(room.home))


def test_two_runs_at_a_time_do_not_mix(room: Classroom) -> None:
    with only_writer(room.home), pytest.raises(Busy, match=str(os.getpid())):
        list(grade_class(room, [TOPIC], QUICK))


def test_one_exercise_alone_leaves_the_others(room: Classroom) -> None:
    before = {graded.record.student: graded.record for graded in grade_class(room, [TOPIC], QUICK)}
    for graded in grade_class(room, [TOPIC], Run(exercise=TARGET.id, seed=9)):
        old, new = before[graded.record.student].results, graded.record.results
        assert [one.exercise for one in new] == [one.exercise for one in old]
        assert {one.exercise for one in new if one.seed == 9} == {TARGET.id}
