"""The warm-up runs, tells right from wrong in a sentence, and is no lesson."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch
from nbclient import NotebookClient

from embedding_course.experiments.start_here.tries import TRIES, said_of
from embedding_course.subject.lessons import LESSONS
from grader.course_source.start_here import NAME, minutes, start_here
from grader.course_source.stored import as_bytes
from grader.paths import NOTEBOOKS, ROOT

#: The line that each function wants.
RIGHT = {
    "empty_table": "return torch.zeros(rows, columns)",
    "as_ids": "return torch.tensor(numbers)",
    "last_column": "return table[:, -1]",
    "rows_of": "return table[ids]",
    "add_to_rows": "return table + vector",
    "scale_rows": "return table * factors[:, None]",
    "project": "return x @ matrix",
    "slope": "x.square().sum().backward()\n    return x.grad",
}
WRONG: list[tuple[str, Callable[..., Any], str]] = [
    ("empty_table", lambda rows, columns: torch.zeros(columns, rows), "the shape is (3, 2), it should be (2, 3)"),
    ("empty_table", lambda rows, columns: None, "Is there a `return`"),
    ("as_ids", lambda numbers: torch.tensor(numbers).float(), "the dtype is torch.float32, it should be torch.int64"),
    ("as_ids", lambda numbers: numbers, "it returned a list; a tensor is wanted"),
    ("last_column", lambda table: table[-1], "the shape is (3,), it should be (2,)"),
    ("last_column", lambda table: table[:, -1:], "the shape is (2, 1), it should be (2,)"),
    ("rows_of", lambda table, ids: table[:, ids], "the shape is (2, 2, 2), it should be (2, 2, 3)"),
    ("add_to_rows", lambda table, vector: table + vector[:, None], "raised RuntimeError"),
    ("scale_rows", lambda table, factors: table * factors, "raised RuntimeError"),
    ("scale_rows", lambda table, factors: table + factors[:, None], "it returned [[11.0"),
    ("project", lambda x, matrix: matrix @ x, "raised RuntimeError"),
    ("slope", lambda x: x, "it returned [1.0, -2.0, 3.0], it should be [2.0, -4.0, 6.0]"),
    ("slope", lambda x: x.grad, "it returned None"),
]


@pytest.mark.parametrize(("name", "answer", "sentence"), WRONG)
def test_a_wrong_answer_gets_one_sentence(name: str, answer: Callable[..., Any], sentence: str) -> None:
    answer.__name__ = name
    message = str(said_of(answer))
    assert message.startswith("✘") and sentence in message and "\n" not in message


def cells_of(answers: dict[str, str]) -> nbformat.NotebookNode:
    notebook = start_here()
    for cell in notebook.cells:
        for name, line in answers.items():
            if cell.source.startswith(f"def {name}("):
                cell.source = cell.source.replace("raise NotImplementedError()", line)
    return notebook


def said_in(notebook: nbformat.NotebookNode, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(folder))
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    return "".join(str(output.get("data", {}).get("text/plain", "")) for output in outputs)


def test_it_runs_with_right_answers_and_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said_in(cells_of(RIGHT), tmp_path, monkeypatch).count("✔") >= len(TRIES) == len(RIGHT) == 8
    assert said_in(start_here(), tmp_path, monkeypatch).count("is not written yet") == 8


def test_it_is_built_and_opened_and_no_lesson() -> None:
    path = NOTEBOOKS / NAME / f"{NAME}.ipynb"
    assert path.read_bytes() == as_bytes(start_here())
    assert [lesson.number for lesson in LESSONS] == [f"{number:02}" for number in range(1, len(LESSONS) + 1)]
    assert "nbgrader" not in path.read_text(encoding="utf-8")
    first = (NOTEBOOKS / "01_onehot_vs_lookup" / "01_onehot_vs_lookup.ipynb").read_text(encoding="utf-8")
    assert "notebook 00, *Start here*, is a warm-up" in first
    assert f"notebooks/{NAME}/{NAME}.ipynb" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_takes_about_half_an_hour() -> None:
    assert 28 <= minutes() <= 33
