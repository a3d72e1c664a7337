"""Run a lesson once with the right answers, and keep what its cells showed."""

import os
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode

from ...course_source.notebook import source
from ...course_source.start_here import NAME, start_here

#: Cells about the file that is handed in: what they show is about the folder they ran in.
_ABOUT_FILES = ("doctor", "submit")
_LONGEST = 900
#: A kernel on loopback says each time that nobody encrypts what it says.
_QUIET = ["--log-level=ERROR"]


def outputs(topic: str) -> dict[str, list[NotebookNode]]:
    """What each cell of a lesson shows when all answers are right, by the cell's id. CellExecutionError when a cell fails."""
    notebook = run(start_here() if topic == NAME else source(topic))
    return {cell.id: [] if cell.id in _ABOUT_FILES else cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


def run(notebook: NotebookNode) -> NotebookNode:
    """The notebook after a run in a folder of its own, with a fresh record of progress."""
    with tempfile.TemporaryDirectory(prefix="grader-site-") as folder:
        Path(folder, "state").mkdir()
        before = os.environ.get("EMBEDDING_COURSE_STATE")
        os.environ["EMBEDDING_COURSE_STATE"] = str(Path(folder, "state"))
        try:
            where = {"metadata": {"path": folder}}
            return NotebookClient(
                notebook, timeout=_LONGEST, kernel_name="python3", resources=where, extra_arguments=_QUIET
            ).execute()
        finally:
            if before is None:
                del os.environ["EMBEDDING_COURSE_STATE"]
            else:
                os.environ["EMBEDDING_COURSE_STATE"] = before
