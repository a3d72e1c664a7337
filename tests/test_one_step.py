"""A file is written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from embedding_course.files import atomic_write


def test_the_new_file_takes_the_place_of_the_old_one_and_nothing_else_is_left(tmp_path: Path) -> None:
    for body in (b"old", b"a longer one\r\n"):
        atomic_write(tmp_path / "notes.txt", body)
        assert (tmp_path / "notes.txt").read_bytes() == body
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_where_it_fails_the_old_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, body: bytes) -> None:
        raise OSError(28, "No space left on device")

    atomic_write(tmp_path / "notes.txt", b"old")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        atomic_write(tmp_path / "notes.txt", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"] and (tmp_path / "notes.txt").read_bytes() == b"old"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_what_is_private_is_so_from_the_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes = []
    write = Path.write_bytes

    def seen(path: Path, body: bytes) -> int:
        modes.append(stat.S_IMODE(path.stat().st_mode))
        return write(path, body)

    monkeypatch.setattr(Path, "write_bytes", seen)
    atomic_write(tmp_path / "key", b"names", mode=0o600)
    assert modes == [0o600] and stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
