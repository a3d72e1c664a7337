"""Each notebook alone: in an empty folder, with the base package from its built wheel, and with the network cut off.

The kernel is an ordinary ipykernel of an environment that has no checkout, no nbgrader and no JupyterLab (`base_only.py`
tells how it is made). The tests talk to it through files, so that it needs no network, not even a local one.
"""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from base_only import BaseOnly, without_network
from classes import perfect
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from grader.build.course import topics
from grader.build.notebook import source
from grader.paths import NOTEBOOKS, ROOT
from grader.solutions_wheel import solutions_wheel

CUT_OFF = without_network()
SETUP, HINT, PROGRESS = "setup", "alone-hint", "alone-progress"

pytestmark = [
    pytest.mark.xdist_group("alone"),  # what its fixtures make is made once
    pytest.mark.skipif(CUT_OFF is None, reason="needs `unshare --net`, to be sure that the network is cut off"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    (found,) = folder.glob("embedding_course-*.whl")
    return found


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> BaseOnly:
    """Colab before the setup cell: all but the course."""
    return BaseOnly.make(tmp_path_factory.mktemp("bare") / "venv", wheel)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> BaseOnly:
    """The same, and the course installed from its wheel."""
    made = BaseOnly.make(tmp_path_factory.mktemp("installed") / "venv", wheel)
    install(made, wheel)
    return made


def install(where: BaseOnly, wheel: Path) -> None:
    command = [str(where.python), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(command, check=True, cwd=wheel.parent, env=where.environment(wheel.parent), stdin=subprocess.DEVNULL)


def execute(notebook: NotebookNode, where: BaseOnly, folder: Path, *, allow_errors: bool = False) -> NotebookNode:
    """Run a notebook's cells in a kernel of that environment. An exception in a cell fails the test."""
    spec = folder.parent / "kernels" / "alone"
    spec.mkdir(parents=True, exist_ok=True)
    argv = [*(CUT_OFF or ()), str(where.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "alone", "language": "python"}), "utf-8")
    manager = AsyncKernelManager(
        kernel_name="alone", transport="ipc", kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(spec.parent)])
    )
    manager.connection_file = str(folder.parent / "kernel.json")
    client = NotebookClient(
        notebook, km=manager, timeout=300, allow_errors=allow_errors, resources={"metadata": {"path": str(folder)}}
    )
    return client.execute(env=where.environment(folder))


def released(topic: str, folder: Path) -> NotebookNode:
    """The committed notebook, the only file in an empty folder."""
    folder.mkdir()
    shutil.copy(NOTEBOOKS / topic / f"{topic}.ipynb", folder)
    return nbformat.read(folder / f"{topic}.ipynb", as_version=4)


def with_hint_and_progress(topic: str, notebook: NotebookNode) -> NotebookNode:
    """The notebook, and what a learner types into cells of their own at its end."""
    first = exercises_of(topic)[0]
    more = {HINT: f"from embedding_course import hint, progress\nhint({first.id!r})", PROGRESS: "progress()"}
    notebook = copy.deepcopy(notebook)
    for key, text in more.items():
        notebook.cells.append(nbformat.v4.new_code_cell(text, id=key))
    return notebook


def shown(notebook: NotebookNode, key: str) -> str:
    """The text that a cell shows, every form of it."""
    (cell,) = [cell for cell in notebook.cells if cell.id == key]
    return "\n".join(str(output.get("text", "")) + str(dict(output.get("data", {}))) for output in cell.outputs)


def pictures(notebook: NotebookNode) -> int:
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return sum("image/png" in output.get("data", {}) or "<svg" in str(output.get("data", {})) for output in outputs)


def judge(topic: str, notebook: NotebookNode, folder: Path) -> None:
    """What holds of every run: quiet setup, no stderr, hint and progress shown and kept beside the notebook."""
    exercises = exercises_of(topic)
    assert shown(notebook, SETUP) == ""
    said = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output.text for output in said if output.output_type == "stream" and output.name == "stderr"]
    assert exercises[0].hints[0].split("`")[0][:30] in shown(notebook, HINT)
    assert all(entry.id in shown(notebook, PROGRESS) for entry in exercises)
    record = json.loads((folder / ".embedding_course" / "progress.json").read_text(encoding="utf-8"))
    assert record["hints"] == {exercises[0].id: 1}
    assert {path.name for path in folder.iterdir()} - {".ipython", ".cache", ".config"} == {
        f"{topic}.ipynb", ".embedding_course",
    }  # fmt: skip


def beginning(notebook: NotebookNode) -> NotebookNode:
    """Setup, imports, and on to the first check."""
    notebook = copy.deepcopy(notebook)
    first = next(index for index, cell in enumerate(notebook.cells) if cell.id.endswith("-check"))
    notebook.cells = notebook.cells[: first + 1]
    return notebook


@pytest.mark.parametrize("topic", topics())
def test_it_begins_alone(topic: str, installed: BaseOnly, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    notebook = with_hint_and_progress(topic, beginning(released(topic, folder)))
    notebook = execute(notebook, installed, folder)
    judge(topic, notebook, folder)
    check = next(cell.id for cell in notebook.cells if cell.id.endswith("-check"))
    assert "not attempted" in shown(notebook, check)
    assert pictures(notebook), "not a picture: progress alone shows the map"


@pytest.mark.long
@pytest.mark.parametrize("topic", topics())
def test_it_runs_to_its_end_alone(topic: str, installed: BaseOnly, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    notebook = execute(with_hint_and_progress(topic, released(topic, folder)), installed, folder)
    judge(topic, notebook, folder)
    for exercise in exercises_of(topic):
        assert "not attempted" in shown(notebook, f"{exercise.grade_id.replace('_', '-').lower()}-check")
    assert pictures(notebook) > 1
