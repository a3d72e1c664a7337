"""Run a notebook by itself: in a kernel of an environment that has the base package only, cut off from the network."""

import asyncio
import copy
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from grader.paths import NOTEBOOKS
from tests.support.base_only import BaseOnly, without_network

CUT_OFF = without_network()
SETUP, HINT, FIGURE, PROGRESS = "setup", "alone-hint", "alone-figure", "alone-progress"
#: Drawn as every figure of the lessons is.
DRAW = """
from embedding_course.plot import style
figure, axes = style.new_figure()
axes.plot([1, 3, 2])
axes.set_title("词向量?")
style.finish(figure, "A line that rises and falls.")
"""


def install(where: BaseOnly, wheel: Path) -> None:
    """Install a wheel there, as a learner would."""
    command = [str(where.python), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(command, check=True, cwd=wheel.parent, env=where.environment(wheel.parent), stdin=subprocess.DEVNULL)


def execute(notebook: NotebookNode, where: BaseOnly, folder: Path, *, allow_errors: bool = False) -> NotebookNode:
    """Run a notebook's cells in a kernel of that environment. An exception in a cell fails the test."""
    with tempfile.TemporaryDirectory(prefix="alone-") as scratch_folder:  # sockets as files want a short path
        spec = Path(scratch_folder, "kernels", "alone")
        spec.mkdir(parents=True)
        argv = [*(CUT_OFF or ()), str(where.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "alone", "language": "python"}), "utf-8")
        specs = KernelSpecManager(kernel_dirs=[str(spec.parent)])
        manager = AsyncKernelManager(kernel_name="alone", transport="ipc", kernel_spec_manager=specs)
        manager.connection_file = str(Path(scratch_folder, "kernel.json"))
        resources = {"metadata": {"path": str(folder)}}
        client = NotebookClient(notebook, km=manager, timeout=300, allow_errors=allow_errors, resources=resources)
        try:
            return client.execute(env=where.environment(folder))
        finally:  # a client ends only the kernels of managers that it made itself
            asyncio.run(manager.shutdown_kernel(now=True))


def released(topic: str, folder: Path) -> NotebookNode:
    """The committed notebook, the only file in an empty folder."""
    folder.mkdir()
    shutil.copy(NOTEBOOKS / topic / f"{topic}.ipynb", folder)
    return nbformat.read(folder / f"{topic}.ipynb", as_version=4)


def with_hint_and_progress(topic: str, notebook: NotebookNode) -> NotebookNode:
    """The notebook, and what a learner types into cells of their own at its end."""
    first = exercises_of(topic)[0]
    more = {HINT: f"from embedding_course import hint, progress\nhint({first.id!r})", FIGURE: DRAW, PROGRESS: "progress()"}
    notebook = copy.deepcopy(notebook)
    for key, text in more.items():
        notebook.cells.append(nbformat.v4.new_code_cell(text, id=key))
    return notebook


def beginning(notebook: NotebookNode) -> NotebookNode:
    """Setup, imports, and on to the first check."""
    notebook = copy.deepcopy(notebook)
    first = next(index for index, cell in enumerate(notebook.cells) if cell.id.endswith("-check"))
    notebook.cells = notebook.cells[: first + 1]
    return notebook


def shown(notebook: NotebookNode, key: str) -> str:
    """The text that a cell shows, every form of it."""
    (cell,) = [cell for cell in notebook.cells if cell.id == key]
    return "\n".join(str(output.get("text", "")) + str(dict(output.get("data", {}))) for output in cell.outputs)


def pictures(notebook: NotebookNode) -> int:
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return sum("image/png" in output.get("data", {}) for output in outputs)


def checks(notebook: NotebookNode) -> dict[str, float]:
    """Points by exercise, as the check cells show them."""
    points = {}
    for cell in notebook.cells:
        if cell.id.endswith("-check") and cell.cell_type == "code":
            (value,) = [output.data["text/plain"] for output in cell.outputs if output.output_type == "execute_result"]
            points[cell.id] = float(value)
    return points
