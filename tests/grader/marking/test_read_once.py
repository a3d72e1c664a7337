"""How often a run reads each file of a class: a few times, however many students there are."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from embedding_course.exercises import exercises_of
from tests.support.classes import TOPIC, hand_in, perfect
from tests.support.opened import opened_below

STUDENTS = ("ada", "bob")
COURSE = f'timezone = "UTC"\n[deadlines]\n{TOPIC[:2]} = "2026-03-01 23:59"\n'


@pytest.fixture
def opened(tmp_path: Path, command: Callable[..., Result]) -> Callable[..., dict[str, int]]:
    """Run a command over the class; how often it opened course.toml, and each student's file, timestamp and record."""

    def counts(*words: str) -> dict[str, int]:
        with opened_below(tmp_path / "class", tmp_path / f"{words}") as open_counts:
            outcome = command(*words, "--class", tmp_path / "class")
        assert outcome.exit_code == 0, outcome.output
        shown = {"course.toml": open_counts["course.toml"]}
        for name in STUDENTS:
            shown[f"{name}'s file"] = open_counts[f"submitted/{name}/{TOPIC}/{TOPIC}.ipynb"]
            shown[f"{name}'s time"] = open_counts[f"submitted/{name}/{TOPIC}/timestamp.txt"]
            shown[f"{name}'s record"] = open_counts[f"results/{TOPIC}/{name}.json"]
        return shown

    return counts


def test_a_run_reads_a_file_a_few_times_whatever_there_is_to_do(tmp_path: Path, opened: Callable[..., dict[str, int]]) -> None:
    home = tmp_path / "class"
    for name in STUDENTS:
        hand_in(home, name, perfect())
    (home / "course.toml").write_text(COURSE, encoding="utf-8")
    # To see that it waits, to mark it, and to see which of several files counts.
    new = {"file": 3, "time": 1, "record": 3}
    once = {"course.toml": 1} | {f"{name}'s {what}": 1 for name in STUDENTS for what in new}
    assert opened("grade", "--workers", "2") == once | {f"{name}'s {what}": n for name in STUDENTS for what, n in new.items()}
    assert opened("grade") == once, "nothing is new"

    changed = perfect()
    changed.cells[0].source += "\nMore."
    hand_in(home, "ada", changed)
    assert opened("grade", "--workers", "1") == once | {"ada's file": 3, "ada's time": 2, "ada's record": 4}

    # To see whom it concerns, then the same.
    regraded = {"file": 4, "time": 2, "record": 4}
    again = {f"{name}'s {what}": n for name in STUDENTS for what, n in regraded.items()}
    assert opened("regrade", exercises_of(TOPIC)[0].id, "--workers", "2") == once | again
    assert opened("report") == once | {f"{name}'s time": 0 for name in STUDENTS}
