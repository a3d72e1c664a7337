"""What is remembered of a learner, and what happens to it when things go wrong."""

import os
from pathlib import Path

import pytest

from embedding_course import files, progress
from embedding_course.files import state_file
from embedding_course.learner.progress.record import ProgressRecord, forget, load, record, save_to, update
from tests.support.samples import double, double_reference, double_squared, verdict

RIGHT = verdict(double, double_reference, double_reference)
WRONG = verdict(double, double_reference, double_squared)


def test_the_best_score_counts_and_the_last_status_is_shown() -> None:
    record(RIGHT)
    record(WRONG)
    memory = load()
    assert memory.best[double.id] == 3 and memory.status[double.id] == "wrong" and memory.tries[double.id] == 2


def test_nothing_yet() -> None:
    assert load() == ProgressRecord() and not state_file().exists()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"best": {"a": "many"}}', b"\xff\xfe\x00"])
def test_an_unreadable_file_is_set_aside(body: bytes) -> None:
    path = state_file()
    path.parent.mkdir(parents=True)
    path.write_bytes(body)
    assert load() == ProgressRecord()
    record(RIGHT)
    assert load().best == {double.id: 3}
    (aside,) = path.parent.glob("progress.unreadable-*.json")
    assert aside.read_bytes() == body


def test_the_nearest_folder_above_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMBEDDING_COURSE_STATE")
    inner = tmp_path / "work" / "03_max_norm"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert state_file() == inner / ".embedding_course" / "progress.json"
    (tmp_path / "work" / ".embedding_course").mkdir()
    assert state_file() == tmp_path / "work" / ".embedding_course" / "progress.json"


def test_save_to_merges(tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    (drive).mkdir()
    (drive / "progress.json").write_text(
        '{"best": {"01.sample": 1.0, "02.other": 4.0}, "status": {"01.sample": "partly", "02.other": "passed"},'
        ' "guesses": {"old": 1}, "hints": {"02.other": 2}, "tries": {"02.other": 5}}',
        encoding="utf-8",
    )
    record(RIGHT)
    memory = load()
    memory.guesses["new"] = 2
    update(memory)
    assert save_to(drive) == drive / "progress.json"
    merged = load()
    assert state_file() == drive / "progress.json"
    assert merged.best == {"01.sample": 3.0, "02.other": 4.0}
    assert merged.status == {"01.sample": "passed", "02.other": "passed"}
    assert merged.guesses == {"old": 1, "new": 2}
    assert merged.hints == {"02.other": 2} and merged.tries == {"02.other": 5, "01.sample": 1}


def test_a_lost_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    record(RIGHT)
    progress(save_to=tmp_path / "drive")
    assert "drive" in capsys.readouterr().out
    monkeypatch.setattr(files, "_chosen", None)
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path / "new machine"))
    assert load() == ProgressRecord()
    progress(save_to=tmp_path / "drive")
    assert load().best == {double.id: 3}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX")
def test_a_place_that_cannot_be_written_costs_the_memory_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path / "file"))
    record(RIGHT)
    assert load() == ProgressRecord()


def test_no_half_written_file_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    record(RIGHT)

    def fails(self: Path, target: Path) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fails)
        record(WRONG)
    assert load().tries == {double.id: 1}


def test_forgetting_keeps_a_backup() -> None:
    record(RIGHT)
    forget()
    assert load() == ProgressRecord()
    assert list(state_file().parent.glob("progress.backup-*.json"))
