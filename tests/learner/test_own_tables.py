"""Trained tables survive the way from one notebook to the next, and a missing or broken one is replaced by the recorded one."""

from pathlib import Path

import pytest
import torch

from embedding_course.data.micro import micro_language
from embedding_course.learner.own_tables import Table, keep_table, read_table, table, write_table
from grader.authoring.recorded_curves import trainings
from grader.paths import ROOT

RECORDED = ROOT / "data" / "tables"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))


def test_what_is_kept_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    vectors = torch.randn(3, 2, requires_grad=True)
    keep_table("04_words", vectors, ["猫", "dog", 'a "b"'])
    own_table = table("04_words")
    assert own_table.own and own_table.words == ("猫", "dog", 'a "b"')
    assert torch.equal(own_table.vectors, vectors) and not own_table.vectors.requires_grad
    assert "as you trained it: 3 words" in capsys.readouterr().out


def test_without_an_own_table_the_recorded_one_comes(capsys: pytest.CaptureFixture[str]) -> None:
    recorded_table = table("04_words")
    assert not recorded_table.own and recorded_table.words == micro_language().vocabulary["english"].words
    assert "as recorded with the reference answers: 235 words, 16 numbers each" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"not a table", b"\x08\0\0\0\0\0\0\0{}      "])
def test_a_broken_own_table_does_not_stop_a_notebook(content: bytes, tmp_path: Path) -> None:
    keep_table("04_words", torch.zeros(1, 2), ["x"])
    (tmp_path / "tables" / "04_words.safetensors").write_bytes(content)
    assert not table("04_words").own


def test_an_unknown_name_and_a_wrong_shape() -> None:
    with pytest.raises(FileNotFoundError, match="04_wrods"):
        table("04_wrods")
    with pytest.raises(ValueError, match="needs vectors"):
        keep_table("x", torch.zeros(2, 3), ["one"])


def test_a_folder_that_cannot_be_written_costs_the_table_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tables").write_text("in the way", encoding="utf-8")
    keep_table("04_words", torch.zeros(1, 2), ["x"])
    assert "could not be kept" in capsys.readouterr().out


def test_every_recorded_table_has_its_training() -> None:
    files = {path.stem: path for path in RECORDED.glob("*.safetensors")}
    assert set(files) == set(trainings())
    for path in files.values():
        recorded_table = read_table(path)
        assert recorded_table.vectors.dtype == torch.float32 and recorded_table.vectors.isfinite().all()
    for side in ("chinese", "english"):
        assert read_table(files[f"05_{side}"]).words == micro_language().vocabulary[side].words


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    small_table = Table(torch.ones(2, 2), ("a", "b"))
    for name in ("one", "other"):
        write_table(small_table, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
