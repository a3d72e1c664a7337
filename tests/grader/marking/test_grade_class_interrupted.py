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
from grader.classroom.grade_record import GradeRecord
from grader.classroom.only_writer import Busy, look_for_writer, only_writer
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
def classroom(tmp_path: Path) -> Classroom:
    for student in ("ada", "bo"):
        hand_in(tmp_path, student, blank())
    return Classroom(tmp_path)


def seeds(classroom: Classroom) -> dict[str, int]:
    return {record.student: record.seed for record in records.load_all(classroom.home)}


def test_a_second_run_says_at_once_who_writes(classroom: Classroom) -> None:
    look_for_writer(classroom.home)
    with only_writer(classroom.home):
        began = time.monotonic()
        outcome = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "grader", "grade", "--class", str(classroom.home)],
            capture_output=True,
            text=True,
            check=False,
        )
        with pytest.raises(Busy, match=f"process {os.getpid()}, since 20"):
            look_for_writer(classroom.home)
    assert outcome.returncode == 2 and time.monotonic() - began < 30
    messages = [line for line in outcome.stderr.splitlines() if not line.startswith("import time:")]
    assert len(messages) == 1 and f"(process {os.getpid()}, since 20" in messages[0] and "kill -INT" in messages[0]
    assert "torch" not in outcome.stderr and "nbgrader" not in outcome.stderr, "what takes seconds is not loaded for that"
    look_for_writer(classroom.home)


def test_a_forced_run_goes_on_with_what_is_not_done(classroom: Classroom, learners: Learners) -> None:
    list(grade_class(classroom, [TOPIC], ONE, learners))
    before = seeds(classroom)
    assert not (classroom.home / "results" / ".seed").exists()
    run = grade_class(classroom, [TOPIC], FORCED, learners)
    first = next(run).record
    run.close()  # as Ctrl-C does
    assert first.seed != before[first.student]
    left = list(grade_class(classroom, [TOPIC], FORCED, learners))
    assert {graded.record.student for graded in left} == {"ada", "bo"} - {first.student}
    assert set(seeds(classroom).values()) == {first.seed}
    again = list(grade_class(classroom, [TOPIC], FORCED, learners))
    assert len(again) == 2 and again[0].record.seed != first.seed, "that run is over; this is another one"


def test_an_unfinished_run_that_was_not_forced_is_no_reason_to_leave_out_anybody(
    classroom: Classroom, learners: Learners
) -> None:
    run = grade_class(classroom, [TOPIC], ONE, learners)
    first = next(run).record
    run.close()
    forced = list(grade_class(classroom, [TOPIC], FORCED, learners))
    assert len(forced) == 2 and {graded.record.seed for graded in forced}.isdisjoint({first.seed})


def test_interrupted_says_one_sentence(classroom: Classroom, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Iterator[Graded]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(grading, "grade_class", interrupted)
    outcome = command("grade", TOPIC[:2], "--class", classroom.home)
    assert outcome.exit_code == 130
    assert outcome.output == "Ended half way. What is graded is kept, and the same command goes on where this one stopped.\n"


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_leaves_no_traceback(classroom: Classroom) -> None:
    for number in range(30):
        hand_in(classroom.home, f"student{number}", blank())
    endless = blank()  # so that the class cannot be graded before the interrupt arrives, however busy the machine is
    endless.cells[solution(endless, exercises_of(TOPIC)[0].grade_id)].source = "while True:\n    pass"
    hand_in(classroom.home, "zoe", endless)
    words = [
        sys.executable,
        "-m",
        "grader",
        "grade",
        TOPIC[:2],
        "--class",
        str(classroom.home),
        "--log",
        str(classroom.home / "log"),
    ]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    until = time.monotonic() + 120
    while not ((classroom.home / "log").exists() and (classroom.home / "log").read_text("utf-8")) and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGINT)
    output = run.communicate(timeout=60)[0]
    assert run.returncode == 130 and "Traceback" not in output, output
    assert output.rstrip().endswith("goes on where this one stopped.")


def test_a_line_for_each_submission(classroom: Classroom, command: Command) -> None:
    hand_in(classroom.home, "cy", b"no notebook")
    log = classroom.home / "grading.tsv"
    log.write_text("before\n", encoding="utf-8")
    outcome = command("grade", TOPIC[:2], "--class", classroom.home, "--log", log)
    assert outcome.exit_code == 0, outcome.output
    first, *lines = log.read_text(encoding="utf-8").splitlines()
    rows = sorted(line.split("\t")[1:] for line in lines)
    assert first == "before" and rows[:2] == [["ada", TOPIC, "0", "graded"], ["bo", TOPIC, "0", "graded"]]
    assert rows[2] == ["cy", TOPIC, "", "unreadable"] and all(line.startswith("20") for line in lines)
    outcome = command("grade", TOPIC[:2], "--class", classroom.home, "--force", "--log", classroom.home / "no" / "log")
    assert outcome.exit_code == 2 and "cannot be written" in outcome.output


def test_what_a_record_says_is_one_line() -> None:
    from grader.classroom.records import log_line

    record = GradeRecord(student="a b", topic=TOPIC, status="failed", reason="x", seed=0, submission="", graded_at="now")
    assert log_line(record) == f"now\ta b\t{TOPIC}\t\tfailed"
