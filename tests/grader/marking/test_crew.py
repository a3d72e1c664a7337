"""When a process of ours dies, what it had in its hands is tried once more, alone; nothing else is lost by it."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.classroom.class_folder import Classroom
from grader.engine.fork_server import Learners
from grader.engine.forks import Starter
from grader.engine.process import is_over
from grader.marking import workers as markers
from grader.marking.crew import Crew
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.marking.submission_task import Graded, Task, guarded
from tests.support.classes import TOPIC, hand_in, perfect


@contextlib.contextmanager
def crew(work: Callable[[int], object], count: int = 2, timeout: float = 60.0) -> Iterator[Crew]:
    running_crew = Crew(count, lambda: contextlib.nullcontext(work), timeout)
    try:
        yield running_crew
    finally:
        running_crew.close()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_all_is_done(count: int) -> None:
    with crew(lambda task_number: task_number**2, count) as running_crew:
        assert sorted(running_crew.through(10)) == [(task_number, task_number**2) for task_number in range(10)]
        assert list(running_crew.through(0)) == []


@pytest.mark.parametrize("killers", [{0}, {3}, {9}, {3, 4}, {0, 1, 2}, set(range(10))], ids=str)
@pytest.mark.parametrize("count", [1, 2])
def test_what_kills_is_given_up_and_nothing_else(killers: set[int], count: int) -> None:
    with crew(lambda task_number: die() if task_number in killers else task_number, count) as running_crew:
        done = dict(running_crew.through(10))
    assert done == {task_number: None if task_number in killers else task_number for task_number in range(10)}


def test_it_is_tried_twice_and_the_second_time_alone(tmp_path: Path) -> None:
    """Each notes when it began and ended: nothing else was at work while a suspect was tried again."""

    def work(task_number: int) -> int:
        mark = tmp_path / f"{task_number}"
        with mark.open("a", encoding="utf-8") as file:
            print(time.monotonic(), file=file)
        if task_number == 2 and len(mark.read_text().splitlines()) < 3:
            die()
        time.sleep(0.05)
        (tmp_path / f"{task_number}-end").write_text(str(time.monotonic()), encoding="utf-8")
        return task_number

    with crew(work) as running_crew:
        assert dict(running_crew.through(8))[2] is None
    begun = {number: list(map(float, (tmp_path / f"{number}").read_text().split())) for number in range(8)}
    assert [len(times) for times in begun.values()] == [1, 1, 2, 1, 1, 1, 1, 1]
    assert all(float((tmp_path / f"{number}-end").read_text()) < begun[2][1] for number in range(8) if number != 2)


def test_what_died_by_chance_is_done_after_all(tmp_path: Path) -> None:
    def work(task_number: int) -> int:
        if task_number == 1 and not (tmp_path / "once").exists():
            (tmp_path / "once").touch()
            die()
        return task_number

    with crew(work) as running_crew:
        assert dict(running_crew.through(4)) == {number: number for number in range(4)}


def test_one_that_holds_its_piece_for_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.marking.crew._TICK", 0.1)
    with crew(lambda task_number: time.sleep(60) if task_number == 1 else task_number, timeout=0.5) as running_crew:
        assert dict(running_crew.through(4)) == {0: 0, 1: None, 2: 2, 3: 3}


def test_all_end_with_it() -> None:
    with crew(lambda task_number: os.getpid() if task_number else time.sleep(60)) as running_crew:
        everything = running_crew.through(3)
        _, pid = next(everything)
        at_something = [worker.process.pid for worker in running_crew._workers]
    assert pid in at_something and all(map(is_over, at_something))


def test_workers_that_cannot_begin_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(work: object, *_: object) -> None:
        die()

    monkeypatch.setattr("grader.marking.crew._serve", nothing)
    with crew(lambda task_number: task_number) as running_crew:
        assert dict(running_crew.through(3)) == {0: None, 1: None, 2: None}


@pytest.mark.parametrize("killers", [{"bob"}, {"bob", "eve"}], ids=len)
def test_a_class_with_submissions_that_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learners: Learners, killers: set[str]
) -> None:
    """The honest ones get their marks; whoever ends the process that marks it gets a sentence."""

    def marked(ours: Starter, task: Task, *more: object) -> Graded:
        if task.submission.student in killers:
            die()
        return guarded(ours, task, *more)

    monkeypatch.setattr(markers, "guarded", marked)
    names = ["ada", "bob", "cyd", "dan", "eve"]
    for name in names:
        hand_in(tmp_path, name, perfect())
    run = Run(workers=2, seed=5)
    done = {graded.record.student: graded.record for graded in grade_class(Classroom(tmp_path), [TOPIC], run, learners)}
    assert set(done) == set(names)
    for name in set(names) - killers:
        assert done[name].status == "graded" and done[name].score == done[name].max_score > 0
    for name in killers:
        assert done[name].status == "failed" and done[name].score == 0
        assert "its process died, and died again when it was marked alone" in done[name].reason
