"""A cell that stops with an error leaves an older function in the kernel: the check says so, and judges nothing."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

RIGHT = "def one_hot(ids, num_classes):\n    return torch.nn.functional.one_hot(ids.long(), num_classes).float()"
CLASS = "class {}:\n    limit = 3\n    def forward(self, x):\n        return x{}"


def run(folder: Path, *cells: str) -> list[str]:
    """What each of these cells shows in a kernel that has the course; errors do not stop it."""
    notebook = nbformat.v4.new_notebook()
    setup = (
        f"import os\nos.environ['EMBEDDING_COURSE_STATE'] = {str(folder)!r}\nimport torch\nfrom embedding_course import check\n"
    )
    setup += "from embedding_course.learner.failed_cells import is_older_than_its_cell as older"
    notebook.cells = [nbformat.v4.new_code_cell(text) for text in (setup, *cells)]
    NotebookClient(notebook, allow_errors=True, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return ["\n".join(str(output) for output in cell.outputs) for cell in notebook.cells[1:]]


@pytest.mark.parametrize("broken", [RIGHT.replace("return", "retrun"), RIGHT.replace("float()", "double()") + "\n1 / 0 +"])
def test_a_broken_cell_is_told_instead_of_a_verdict_on_the_older_answer(broken: str, tmp_path: Path) -> None:
    _, right, _, older, _, again = run(
        tmp_path, RIGHT, "check('01.one_hot')", broken, "check('01.one_hot')", RIGHT, "check('01.one_hot')"
    )
    assert "right ·" in right and "stopped with an error when it ran last" not in right
    assert "stopped with an error when it ran last" in older and "right ·" not in older.replace("not right", "")
    assert "right ·" in again and "stopped with an error" not in again


def test_what_ran_through_is_never_called_older(tmp_path: Path) -> None:
    ask = "print([older(globals()[name], name) for name in ('f', 'g', 'h', 'k', 'Table')])"
    cells = (
        "def f(x):\n    here = !echo 1\n    return here",  # IPython rewrites this line
        "import functools\n@functools.cache\ndef g():\n    return 1\n",
        "h = lambda: 1",
        "def h_other():\n    return 0\nh = h_other",
        CLASS.format("Table", ""),
        "def later():\n    return f(1), Table()",
        "class Other:\n    def f(self):\n        return 3",
        "def k():\n    return 1",
        "if True:\n    def k():\n        return 2",
        ask,
    )
    assert "[False, False, False, False, False]" in run(tmp_path, *cells)[-1]


def test_a_class_is_looked_at_as_well(tmp_path: Path) -> None:
    output = run(tmp_path, CLASS.format("Table", ""), CLASS.format("Table", " +"), "print(older(Table, 'Table'))")[-1]
    assert "True" in output
