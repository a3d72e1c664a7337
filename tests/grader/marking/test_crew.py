"""When a process of ours dies, what it had in its hands is tried once more, alone; nothing else is lost by it."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.classroom.class_folder import Classroom
from grader.engine.fork_server import Learners, Starter
from grader.engine.process import is_over
from grader.marking import workers as markers
from grader.marking.crew import Crew
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.marking.submission_task import Graded, Task, guarded
from tests.support.classes import TOPIC, hand_in, perfect


@contextlib.contextmanager
def crew(work: Callable[[int], object], count: int = 2, timeout: float = 60.0) -> Iterator[Crew]:
    found = Crew(count, lambda: contextlib.nullcontext(work), timeout)
    try:
        yield found
    finally:
        found.close()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_all_is_done(count: int) -> None:
    with crew(lambda place: place**2, count) as found:
        assert sorted(found.through(10)) == [(place, place**2) for place in range(10)]
        assert list(found.through(0)) == []


@pytest.mark.parametrize("killers", [{0}, {3}, {9}, {3, 4}, {0, 1, 2}, set(range(10))], ids=str)
@pytest.mark.parametrize("count", [1, 2])
def test_what_kills_is_given_up_and_nothing_else(killers: set[int], count: int) -> None:
    with crew(lambda place: die() if place in killers else place, count) as found:
        done = dict(found.through(10))
    assert done == {place: None if place in killers else place for place in range(10)}


def test_it_is_tried_twice_and_the_second_time_alone(tmp_path: Path) -> None:
    """Each notes when it began and ended: nothing else was at work while a suspect was tried again."""

    def work(place: int) -> int:
        mark = tmp_path / f"{place}"
        with mark.open("a", encoding="utf-8") as file:
            print(time.monotonic(), file=file)
        if place == 2 and len(mark.read_text().splitlines()) < 3:
            die()
        time.sleep(0.05)
        (tmp_path / f"{place}-end").write_text(str(time.monotonic()), encoding="utf-8")
        return place

    with crew(work) as found:
        assert dict(found.through(8))[2] is None
    begun = {place: list(map(float, (tmp_path / f"{place}").read_text().split())) for place in range(8)}
    assert [len(times) for times in begun.values()] == [1, 1, 2, 1, 1, 1, 1, 1]
    assert all(float((tmp_path / f"{place}-end").read_text()) < begun[2][1] for place in range(8) if place != 2)


def test_what_died_by_chance_is_done_after_all(tmp_path: Path) -> None:
    def work(place: int) -> int:
        if place == 1 and not (tmp_path / "once").exists():
            (tmp_path / "once").touch()
            die()
        return place

    with crew(work) as found:
        assert dict(found.through(4)) == {place: place for place in range(4)}


def test_one_that_holds_its_piece_for_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.marking.crew._TICK", 0.1)
    with crew(lambda place: time.sleep(60) if place == 1 else place, timeout=0.5) as found:
        assert dict(found.through(4)) == {0: 0, 1: None, 2: 2, 3: 3}


def test_all_end_with_it() -> None:
    with crew(lambda place: os.getpid() if place else time.sleep(60)) as found:
        everything = found.through(3)
        _, pid = next(everything)
        at_something = [worker.process.pid for worker in found._workers]
    assert pid in at_something and all(map(is_over, at_something))


def test_workers_that_cannot_begin_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(work: object, *_: object) -> None:
        die()

    monkeypatch.setattr("grader.marking.crew._serve", nothing)
    with crew(lambda place: place) as found:
        assert dict(found.through(3)) == {0: None, 1: None, 2: None}


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
    done = {one.record.student: one.record for one in grade_class(Classroom(tmp_path), [TOPIC], run, learners)}
    assert set(done) == set(names)
    for name in set(names) - killers:
        assert done[name].status == "graded" and done[name].score == done[name].max_score > 0
    for name in killers:
        assert done[name].status == "failed" and done[name].score == 0
        assert "its process died, and died again when it was marked alone" in done[name].reason
