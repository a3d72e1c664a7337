"""doctor shows at once that it works and at which step it is, and names places by their headings."""

import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import embedding_course
from embedding_course.checking.intake.cells import cells_of
from embedding_course.learner.doctor import examine
from embedding_course.learner.doctor.run import RunOutcome
from embedding_course.learner.doctor.saved import read
from embedding_course.learner.doctor.static_look import look
from embedding_course.learner.doctor.would_be_graded import take
from tests.redteam.honest import solution
from tests.support.classes import blank, keep, perfect


def test_each_step_is_shown_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    shown: list[str] = []
    path = keep(blank(), tmp_path)
    began = time.monotonic()

    def runs(*_: object) -> RunOutcome:
        shown.append(capsys.readouterr().out)
        assert time.monotonic() - began < 5, "long before the cells have run"
        return RunOutcome()

    monkeypatch.setattr(examine, "run_graded", runs)
    embedding_course.doctor(path)
    steps = [line.split(": ")[1] for line in shown[0].splitlines()]
    assert steps == ["starting", "step 1 of 3", "step 2 of 3"]
    assert "step 3 of 3" in capsys.readouterr().out


def test_in_a_notebook_it_is_one_line_that_counts(tmp_path: Path) -> None:
    code = """
import time
from embedding_course.messages import Message
from embedding_course.learner.doctor.steps_shown import steps_shown
with steps_shown("03.ipynb", every=0.05) as tell:
    tell(Message("step 1 of 1: look"))
    time.sleep(0.3)
"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    (output,) = notebook.cells[0].outputs
    assert output.data["text/plain"] == "doctor looked at 03.ipynb for 0 s."


def told(notebook: nbformat.NotebookNode, folder: Path) -> str:
    saved = read(keep(notebook, folder))
    return "\n".join(finding.message for finding in look(saved, take(saved)))


def test_places_are_named_by_their_headings(tmp_path: Path) -> None:
    notebook = blank()
    index = solution(notebook, "03-renorm_rows") + 1
    assert f"still holds a stub, in cell {index} below “Exercise 03.renorm_rows · " in told(notebook, tmp_path)
    notebook = perfect()
    index = solution(notebook, "03-renorm_rows")
    notebook.cells[index].source = "def renorm_rows(weight:\n    return weight"
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("My own words, without a heading"))
    assert f"Cell {index + 2} below “Exercise 03.renorm_rows · " in told(notebook, tmp_path)


def test_the_heading_of_a_cell_is_the_last_one_above_it() -> None:
    texts = [
        ("code", "x = 1"),
        ("markdown", "# 03 · `max_norm`\n\n```python\n# no heading\n```"),
        ("code", "y = 2\n# none either"),
        ("markdown", "## 1 · Which rows\n### *How* long?"),
        ("markdown", "text"),
        ("raw", "# raw"),
        ("code", "z = 3"),
    ]
    cells = cells_of({"cells": [{"cell_type": kind, "source": text, "metadata": {}} for kind, text in texts]})
    assert [cell.heading for cell in cells] == ["", *["03 · max_norm"] * 2, *["How long?"] * 4]
    assert cells[2].named == "cell 3 below “03 · max_norm” (`y = 2`)" and cells[0].named == "cell 1 (`x = 1`)"
