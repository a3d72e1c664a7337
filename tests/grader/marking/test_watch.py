"""`grader grade --watch`: what arrives is graded once, one at a time, through restarts; from nbgrader's exchange too."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from click.testing import Result

from grader.classroom import records
from grader.classroom.new_class import make_class
from grader.cli import watch
from grader.marking import watch as watching
from grader.paths import ROOT
from tests.grader.classroom.test_exchange import Hub
from tests.support.classes import TOPIC, blank, hand_in, perfect

Command = Callable[..., Result]
#: A line of a graded submission: whose.
MARKED = re.compile(r"^(\w+) +\d\d_\w+ +\S+ of \d", re.M)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """What happens between two looks, one after the other; then Ctrl-C. Nobody waits for files to come to rest."""
    steps: list[Callable[[], object]] = []

    def pause(seconds: float) -> None:
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    monkeypatch.setattr(watch, "pause", pause)
    monkeypatch.setattr(watching, "_STILL", 0.0)
    return steps


def watched(command: Command, home: Path, *words: str) -> str:
    outcome = command("grade", "--watch", "--class", home, *words)
    assert outcome.exit_code == 130, outcome.output
    assert f"grader grade --watch{' --exchange' if '--exchange' in words else ''} --class {home} goes on" in outcome.output
    return outcome.output


@pytest.mark.slow
def test_what_arrives_is_graded_once(tmp_path: Path, command: Command, looks: list[Callable[[], object]]) -> None:
    make_class(tmp_path)
    hand_in(tmp_path, "ada", perfect())
    looks += [lambda: hand_in(tmp_path, "bo", b"{"), lambda: hand_in(tmp_path, "ada", blank()), lambda: None]
    output = watched(command, tmp_path, "--feedback")
    assert MARKED.findall(output) == ["ada", "ada"] and len(re.findall(r"^bo .*unreadable", output, re.M)) == 1
    assert len(records.attempts(tmp_path, TOPIC, "ada")) == 2
    assert len({attempt.seed for attempt in records.attempts(tmp_path, TOPIC, "ada")}) == 1
    assert (tmp_path / "feedback" / "ada" / TOPIC / f"{TOPIC}.html").is_file()
    again = watched(command, tmp_path)
    assert not MARKED.search(again) and "unreadable" not in again


@pytest.mark.slow
def test_a_course_toml_being_written_is_waited_for(tmp_path: Path, command: Command, looks: list[Callable[[], object]]) -> None:
    make_class(tmp_path)
    course = tmp_path / "course.toml"
    right = course.read_text("utf-8")

    def spoil() -> None:
        course.write_text("notebooks = [", encoding="utf-8")
        hand_in(tmp_path, "ada", blank())

    looks += [spoil, lambda: None, lambda: course.write_text(right, encoding="utf-8")]
    output = watched(command, tmp_path)
    assert output.count("course.toml:") == 1 and MARKED.findall(output) == ["ada"]


@pytest.mark.slow
def test_the_exchange_is_collected_too(tmp_path: Path, command: Command, looks: list[Callable[[], object]]) -> None:
    hub = Hub(tmp_path)
    released = command("release", "03", "--to-exchange", "--class", hub.home)
    assert released.exit_code == 0, released.output
    (hub.inbound / "rubbish").mkdir()
    right = nbformat.writes(perfect("03_max_norm")).encode("utf-8")
    looks += [lambda: hub.hand_in("ada", right), lambda: None]
    output = watched(command, hub.home, "--exchange")
    assert output.count("nbgrader gives folders other names") == 1 and MARKED.findall(output) == ["ada"]
    assert hub.submitted("ada") == right


def test_a_file_that_is_being_copied_is_left_alone(tmp_path: Path) -> None:
    from grader.classroom.class_folder import Classroom

    hand_in(tmp_path, "ada", blank())
    (submission,) = Classroom(tmp_path).submissions([TOPIC])
    assert not watching._is_still(submission)
    assert watching._changed(submission) <= time.time()


@pytest.mark.parametrize("words", [["--watch", "--force"], ["--exchange"], ["--watch", "--runner", "kernel"]])
def test_what_does_not_go_together_is_refused(tmp_path: Path, command: Command, words: list[str]) -> None:
    outcome = command("grade", "--class", tmp_path, *words)
    assert outcome.exit_code == 2 and "--watch" in outcome.output


@pytest.mark.slow
def test_it_survives_being_killed(tmp_path: Path) -> None:
    make_class(tmp_path)
    for student in ("ada", "bo", "cy"):
        hand_in(tmp_path, student, blank())
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "grader", "grade", "--watch", "--every", "0.5", "--class", str(tmp_path), TOPIC[:2]]
    output = ""
    for word in (signal.SIGKILL, signal.SIGINT):
        with subprocess.Popen(
            command, env=environment, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            assert process.stdout
            for line in process.stdout:
                output += line
                if MARKED.match(line) and (word is signal.SIGKILL or line.startswith("cy")):
                    process.send_signal(word)
    assert MARKED.findall(output) == ["ada", "bo", "cy"], output
    assert process.returncode == 130 and "goes on" in output
    assert [len(records.attempts(tmp_path, TOPIC, student)) for student in ("ada", "bo", "cy")] == [1, 1, 1]
