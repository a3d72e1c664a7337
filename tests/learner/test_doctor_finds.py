"""Which notebook doctor looks at: the named one, the copy in work/, the one that is open."""

import json
import sys
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

import embedding_course
from embedding_course.learner.doctor.saved import find
from grader.cli import app
from tests.redteam.honest import TOPIC
from tests.support.classes import blank, keep


def test_a_notebook_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, sentence in (("03", "make lab NB=03"), ("99", "no notebook of that number"), ("x.ipynb", "no file x.ipynb")):
        outcome = CliRunner().invoke(app, ["doctor", name])
        assert outcome.exit_code == 2 and sentence in outcome.output


def test_a_number_means_the_copy_in_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work" / TOPIC).mkdir(parents=True)
    keep(blank(), tmp_path / "work" / TOPIC)
    monkeypatch.chdir(tmp_path)
    assert find(TOPIC[:2]).path == Path("work") / TOPIC / f"{TOPIC}.ipynb"
    assert find("3").path == find("03").path


def test_without_an_open_notebook_a_run_of_all_cells_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    for call in (embedding_course.doctor, embedding_course.submit):
        call()
        assert "No notebook is open here" in capsys.readouterr().out


def test_the_open_notebook_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = keep(blank(), tmp_path)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    assert find().path == path
    monkeypatch.delenv("JPY_SESSION_NAME")
    monkeypatch.setattr(sys.modules["__main__"], "__vsc_ipynb_file__", str(path), raising=False)
    assert find().path == path


def test_colab_hands_its_notebook_over(monkeypatch: pytest.MonkeyPatch) -> None:
    import types

    tree = json.loads(nbformat.writes(blank()))
    tree["metadata"]["colab"] = {"name": "Copy of 03_max_norm.ipynb"}
    message = types.SimpleNamespace(blocking_request=lambda *_, **__: {"ipynb": tree})
    colab = types.ModuleType("google.colab")
    colab._message = message  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "google.colab", colab)
    assert find().lesson.topic == TOPIC
