"""A run that is ended half way, a second one at the same time, and the lines that a run leaves for machines."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.only_writer import Busy, look_for_writer, only_writer
from grader.classroom.records import GradeRecord
from grader.engine.fork_server import Learners
from grader.marking import grade_class as grading
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.marking.submission_task import Graded
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank, hand_in

Command = Callable[..., Result]
ONE, FORCED = Run(workers=1), Run(workers=1, force=True)


@pytest.fixture
def room(tmp_path: Path) -> Classroom:
    for student in ("ada", "bo"):
        hand_in(tmp_path, student, blank())
    return Classroom(tmp_path)


def seeds(room: Classroom) -> dict[str, int]:
    return {record.student: record.seed for record in records.load_all(room.home)}


def test_a_second_run_says_at_once_who_writes(room: Classroom) -> None:
    look_for_writer(room.home)
    with only_writer(room.home):
        began = time.monotonic()
        outcome = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "grader", "grade", "--class", str(room.home)],
            capture_output=True,
            text=True,
            check=False,
        )
        with pytest.raises(Busy, match=f"process {os.getpid()}, since 20"):
            look_for_writer(room.home)
    assert outcome.returncode == 2 and time.monotonic() - began < 30
    said = [line for line in outcome.stderr.splitlines() if not line.startswith("import time:")]
    assert len(said) == 1 and f"(process {os.getpid()}, since 20" in said[0] and "kill -INT" in said[0]
    assert "torch" not in outcome.stderr and "nbgrader" not in outcome.stderr, "what takes seconds is not loaded for that"
    look_for_writer(room.home)


def test_a_forced_run_goes_on_with_what_is_not_done(room: Classroom, learners: Learners) -> None:
    list(grade_class(room, [TOPIC], ONE, learners))
    before = seeds(room)
    assert not (room.home / "results" / ".seed").exists()
    run = grade_class(room, [TOPIC], FORCED, learners)
    first = next(run).record
    run.close()  # as Ctrl-C does
    assert first.seed != before[first.student]
    left = list(grade_class(room, [TOPIC], FORCED, learners))
    assert {graded.record.student for graded in left} == {"ada", "bo"} - {first.student}
    assert set(seeds(room).values()) == {first.seed}
    again = list(grade_class(room, [TOPIC], FORCED, learners))
    assert len(again) == 2 and again[0].record.seed != first.seed, "that run is over; this is another one"


def test_an_unfinished_run_that_was_not_forced_is_no_reason_to_leave_out_anybody(room: Classroom, learners: Learners) -> None:
    run = grade_class(room, [TOPIC], ONE, learners)
    first = next(run).record
    run.close()
    forced = list(grade_class(room, [TOPIC], FORCED, learners))
    assert len(forced) == 2 and {graded.record.seed for graded in forced}.isdisjoint({first.seed})


def test_interrupted_says_one_sentence(room: Classroom, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Iterator[Graded]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(grading, "grade_class", interrupted)
    outcome = command("grade", TOPIC[:2], "--class", room.home)
    assert outcome.exit_code == 130
    assert outcome.output == "Ended half way. What is graded is kept, and the same command goes on where this one stopped.\n"


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_leaves_no_traceback(room: Classroom) -> None:
    for number in range(30):
        hand_in(room.home, f"student{number}", blank())
    endless = blank()  # so that the class cannot be graded before the interrupt arrives, however busy the machine is
    endless.cells[solution(endless, exercises_of(TOPIC)[0].grade_id)].source = "while True:\n    pass"
    hand_in(room.home, "zoe", endless)
    words = [sys.executable, "-m", "grader", "grade", TOPIC[:2], "--class", str(room.home), "--log", str(room.home / "log")]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    until = time.monotonic() + 120
    while not ((room.home / "log").exists() and (room.home / "log").read_text("utf-8")) and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGINT)
    said = run.communicate(timeout=60)[0]
    assert run.returncode == 130 and "Traceback" not in said, said
    assert said.rstrip().endswith("goes on where this one stopped.")


def test_a_line_for_each_submission(room: Classroom, command: Command) -> None:
    hand_in(room.home, "cy", b"no notebook")
    log = room.home / "grading.tsv"
    log.write_text("before\n", encoding="utf-8")
    outcome = command("grade", TOPIC[:2], "--class", room.home, "--log", log)
    assert outcome.exit_code == 0, outcome.output
    first, *lines = log.read_text(encoding="utf-8").splitlines()
    rows = sorted(line.split("\t")[1:] for line in lines)
    assert first == "before" and rows[:2] == [["ada", TOPIC, "0", "graded"], ["bo", TOPIC, "0", "graded"]]
    assert rows[2] == ["cy", TOPIC, "", "unreadable"] and all(line.startswith("20") for line in lines)
    outcome = command("grade", TOPIC[:2], "--class", room.home, "--force", "--log", room.home / "no" / "log")
    assert outcome.exit_code == 2 and "cannot be written" in outcome.output


def test_what_a_record_says_is_one_line() -> None:
    from grader.classroom.records import log_line

    record = GradeRecord(student="a b", topic=TOPIC, status="failed", reason="x", seed=0, submission="", graded_at="now")
    assert log_line(record) == f"now\ta b\t{TOPIC}\t\tfailed"
