"""Every notebook runs from top to bottom: with the right answers, and with untouched stubs."""

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import topics
from grader.course_source.notebook import source
from tests.support.classes import blank


def execute(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Run a notebook in a folder of its own. An exception in a cell fails the test."""
    os.environ["EMBEDDING_COURSE_STATE"] = str(folder)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    return client.execute()


def outputs_of_checks(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    return {
        cell.metadata.nbgrader.grade_id: cell.outputs
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")
    }


def stderr_of(notebook: NotebookNode) -> list[str]:
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"]


def all_notebooks() -> list[Any]:
    """The first one is for `make test`; it leaves the others, which take longer, to `make test-slow`."""
    first, *others = topics()
    return [first, *(pytest.param(topic, marks=pytest.mark.slow) for topic in others)]


@pytest.mark.parametrize("topic", all_notebooks())
def test_the_reference_notebook_passes_every_check(topic: str, tmp_path: Path) -> None:
    notebook = execute(source(topic), tmp_path)
    wanted = {f"{exercise.grade_id}-check": exercise.points if exercise.core else 0 for exercise in exercises_of(topic)}
    got = {
        name: float(
            next(cell_output for cell_output in outputs if cell_output.output_type == "execute_result").data["text/plain"]
        )
        for name, outputs in outputs_of_checks(notebook).items()
    }
    assert got == wanted
    assert not stderr_of(notebook)
    pictures = [
        output
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {}) or "<img" in str(output.get("data", {}).get("text/html", ""))
    ]
    assert pictures, "a lesson without a single picture"


@pytest.mark.parametrize("topic", all_notebooks())
def test_the_stubs_are_not_attempted_and_nothing_breaks(topic: str, tmp_path: Path) -> None:
    notebook = execute(blank(topic), tmp_path)
    for name, outputs in outputs_of_checks(notebook).items():
        shown = "".join(output.data["text/plain"] for output in outputs if "data" in output)
        assert "not attempted" in shown, name
    assert not stderr_of(notebook)


@pytest.mark.long
@pytest.mark.parametrize("core", [True, False], ids=["core done", "further done"])
@pytest.mark.parametrize("topic", topics())
def test_half_the_answers_break_nothing(topic: str, core: bool, tmp_path: Path) -> None:
    """Cells that need both an answer that is there and one that is not: they wait, and none ends in an error."""
    answers = {exercise.grade_id for exercise in exercises_of(topic) if exercise.core == core}
    right = {
        cell.id: cell.source for cell in source(topic).cells if cell.metadata.get("nbgrader", {}).get("grade_id") in answers
    }
    notebook = blank(topic)
    for cell in notebook.cells:
        cell.source = right.get(cell.id, cell.source)
    assert not stderr_of(execute(notebook, tmp_path))


@pytest.mark.parametrize("topic", topics())
def test_cells_are_small_and_named(topic: str) -> None:
    notebook = blank(topic)
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(ids) == len(set(ids))
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and not marks.get("solution"):
            assert len(cell.source.splitlines()) <= 20, cell.id
        if cell.cell_type == "markdown":
            assert len(cell.source) <= 2200, f"{cell.id} is a wall of text"
