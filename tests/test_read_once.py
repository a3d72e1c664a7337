"""A run reads each file of a class once, and twice only where it may have become another one in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from support.classes import TOPIC, hand_in, perfect
from support.opened import opened_below

from embedding_course.exercises import exercises_of

STUDENTS = ("ada", "bob")
COURSE = f'timezone = "UTC"\n[deadlines]\n{TOPIC[:2]} = "2026-03-01 23:59"\n'


@pytest.fixture
def opened(tmp_path: Path, command: Callable[..., Result]) -> Callable[..., dict[str, int]]:
    """Run a command over the class; how often it opened course.toml, and each student's file, timestamp and record."""

    def counts(*words: str) -> dict[str, int]:
        with opened_below(tmp_path / "class", tmp_path / f"{words}") as found:
            outcome = command(*words, "--class", tmp_path / "class")
        assert outcome.exit_code == 0, outcome.output
        shown = {"course.toml": found["course.toml"]}
        for name in STUDENTS:
            shown[f"{name}'s file"] = found[f"submitted/{name}/{TOPIC}/{TOPIC}.ipynb"]
            shown[f"{name}'s time"] = found[f"submitted/{name}/{TOPIC}/timestamp.txt"]
            shown[f"{name}'s record"] = found[f"results/{TOPIC}/{name}.json"]
        return shown

    return counts


def test_each_file_is_read_once_unless_it_may_have_changed(tmp_path: Path, opened: Callable[..., dict[str, int]]) -> None:
    home = tmp_path / "class"
    for name in STUDENTS:
        hand_in(home, name, perfect())
    (home / "course.toml").write_text(COURSE, encoding="utf-8")
    once = opened("grade", "--workers", "2")
    assert set(once.values()) == {1}
    assert opened("grade") == once, "nothing is new"

    changed = perfect()
    changed.cells[0].source += "\nMore."
    hand_in(home, "ada", changed)
    # To see that it waits, then to mark it; the record once more before it is replaced.
    assert opened("grade", "--workers", "1") == once | {"ada's file": 2, "ada's time": 2, "ada's record": 2}

    # To see whom it concerns, then the same; the record also with the lock in hand.
    twice = {f"{name}'s {what}": 2 for name in STUDENTS for what in ("file", "time")}
    thrice = {f"{name}'s record": 3 for name in STUDENTS}
    assert opened("regrade", exercises_of(TOPIC)[0].id, "--workers", "2") == once | twice | thrice
    assert opened("report") == once | {f"{name}'s time": 0 for name in STUDENTS}
