"""What is shown where a cell waits for a learner's function."""

import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from embedding_course.learner.recorded_figures import cell_code, recorded
from embedding_course.learner.waiting import waiting_for
from embedding_course.subject.lessons import topics
from grader.authoring.recorded_figures import FOLDER, waiting_cells
from grader.course_source.notebook import source

CHINESE = FOLDER / "zh"
EDITIONS = [FOLDER, CHINESE]
#: The least brightness of a recorded figure. The dense strokes of small Chinese characters come darker out of the compression.
DARKEST = {FOLDER: 40, CHINESE: 32}
#: What the figures of one edition may weigh in the wheel.
MOST = 550_000


@pytest.mark.parametrize("edition", EDITIONS, ids=["en", "zh"])
@pytest.mark.parametrize("topic", topics())
def test_what_is_recorded_belongs_to_a_cell_of_the_lesson(topic: str, edition: Path) -> None:
    index = json.loads((edition / topic / "index.json").read_text(encoding="utf-8"))
    cells = {cell_code(cell.source): cell.id for cell in waiting_cells(source(topic))}
    assert set(index) <= set(cells), "run `grader figures`: a cell was changed since its figure was recorded"
    listed = {name for figures in index.values() for name in figures}
    assert {path.name for path in (edition / topic).glob("*.webp")} == listed
    for code, figures in index.items():
        for name, alt in figures.items():
            assert name.startswith(cells[code]) and (len(alt) > 10 if edition == CHINESE else len(alt.split()) > 3)
            with Image.open(edition / topic / name) as picture:
                assert min(picture.convert("L").tobytes()) >= DARKEST[edition], "black belongs to the learner's own figures"


@pytest.mark.parametrize("edition", EDITIONS, ids=["en", "zh"])
def test_they_are_light_enough_to_travel(edition: Path) -> None:
    sizes = [path.stat().st_size for path in edition.glob("[0-9]*/*.webp")]
    assert len(sizes) > 50 and sum(sizes) < MOST


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch):
    notebook = source("06_positional_encoding")
    (waiting_cell,) = (cell for cell in waiting_cells(notebook) if cell.id == "use-rope")
    monkeypatch.setattr(sys.modules["__main__"], "In", ["", waiting_cell.source + "\n"], raising=False)
    return waiting_cell


def test_a_waiting_cell_shows_its_figure(cell, capsys: pytest.CaptureFixture[str]) -> None:
    with waiting_for("apply_rope"):
        raise NotImplementedError
    output = capsys.readouterr().out
    (figure,) = recorded(cell.source)
    assert output.startswith("This waits for your `apply_rope`") and f"[Recorded figure: {figure.alt}]" in output
    assert "Recorded with the reference answers" in figure.html() and "data:image/webp;base64," in figure.html()


def test_one_that_runs_shows_only_its_own(cell, capsys: pytest.CaptureFixture[str]) -> None:
    with waiting_for("apply_rope"):
        print("mine")
    assert capsys.readouterr().out == "mine\n"


def test_one_that_was_changed_shows_none(cell, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setattr(sys.modules["__main__"], "In", [cell.source + "\nx = 1"], raising=False)
    with waiting_for("apply_rope"):
        raise NotImplementedError
    assert "Recorded" not in capsys.readouterr().out
