"""Attacks by the file itself: what a notebook claims, what it is, and what lies beside it."""

import copy
import os

import nbformat
from nbformat.notebooknode import NotebookNode

from .attack import Scene, answer, as_bytes, attack, check_cell
from .targets import answering


def _forged(count: int = 1) -> list[NotebookNode]:
    return [nbformat.v4.new_output("execute_result", {"text/plain": "4"}, execution_count=1)] * count


@attack("forged outputs", "the check cells come with full points in their outputs")
def _(notebook: NotebookNode, scene: Scene) -> None:
    check_cell(notebook, scene).outputs = _forged()


@attack("no tests", "the check cell deleted")
def _(notebook: NotebookNode, scene: Scene) -> None:
    notebook.cells.remove(check_cell(notebook, scene))


@attack("skipped tests", "check cells tagged so that they are not run")
def _(notebook: NotebookNode, scene: Scene) -> None:
    cell = check_cell(notebook, scene)
    cell.metadata["tags"] = ["skip-execution"]
    cell.outputs = _forged()


@attack("edited tests", "the check cell says what it costs")
def _(notebook: NotebookNode, scene: Scene) -> None:
    check_cell(notebook, scene).source = "4"


@attack("tests as text", "the check cell turned into markdown")
def _(notebook: NotebookNode, scene: Scene) -> None:
    cell = check_cell(notebook, scene)
    cell.cell_type = "markdown"
    cell.pop("outputs", None)
    cell.pop("execution_count", None)


@attack("more points", "the check cell's points and checksum changed")
def _(notebook: NotebookNode, scene: Scene) -> None:
    check_cell(notebook, scene).metadata["nbgrader"].update(points=1000, checksum="0" * 32)


@attack("relabelled", "the answer labelled as a graded test, the test as an answer")
def _(notebook: NotebookNode, scene: Scene) -> None:
    answer_cell, test_cell = answer(notebook, scene), check_cell(notebook, scene)
    answer_cell.metadata["nbgrader"], test_cell.metadata["nbgrader"] = (
        test_cell.metadata["nbgrader"],
        answer_cell.metadata["nbgrader"],
    )
    test_cell.source = "4"


@attack("own given cell", "a cell that claims to be the course's own, and patches the checks")
def _(notebook: NotebookNode, scene: Scene) -> None:
    cell = nbformat.v4.new_code_cell(
        "import embedding_course\nembedding_course.check = lambda *a, **o: 4\ncheck = embedding_course.check"
    )
    cell.metadata["embedding_course"] = {"given": True, "helpers": True}
    notebook.cells.insert(0, cell)


@attack("helper with an effect", "a helper cell whose default argument writes to the class")
def _(notebook: NotebookNode, scene: Scene) -> None:
    target = str(scene.home / "reached")
    notebook.cells.insert(0, nbformat.v4.new_code_cell(f"def helper(x, file=open({target!r}, 'w')):\n    return x"))
    answer(notebook, scene).source = answering(scene.exercise, "return helper(args[0])")


@attack("duplicated answer", "the same label twice, once wrong and once empty")
def _(notebook: NotebookNode, scene: Scene) -> None:
    index = notebook.cells.index(answer(notebook, scene))
    notebook.cells.insert(index, copy.deepcopy(notebook.cells[index]))


@attack("duplicated tests", "each check cell twice, which ends stock autograde for all")
def _(notebook: NotebookNode, scene: Scene) -> None:
    index = notebook.cells.index(check_cell(notebook, scene))
    notebook.cells.insert(index, copy.deepcopy(notebook.cells[index]))


@attack("hostile ids", "cell ids and grade ids that are paths and HTML")
def _(notebook: NotebookNode, scene: Scene) -> None:
    for cell in notebook.cells:
        cell["id"] = "../../<script>"
    notebook.cells.append(nbformat.v4.new_code_cell("1", metadata={"nbgrader": {"grade_id": "../../../etc", "grade": True}}))


@attack("odd metadata", "metadata that is a list, a number, a nest")
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    text = as_bytes(notebook).decode("utf-8")
    return text.replace('"metadata": {', '"metadata": {"nbgrader": [1, {"grade_id": {}}], "tags": 3, ', 3).encode("utf-8")


@attack("script in the notebook", "script tags in text, attachments and outputs")
def _(notebook: NotebookNode, scene: Scene) -> None:
    notebook.cells.insert(
        0, nbformat.v4.new_markdown_cell("<script>document.title='reached'</script><img src=x onerror=alert(1)>")
    )
    cell = answer(notebook, scene)
    cell.outputs = [
        nbformat.v4.new_output("display_data", {"text/html": "<script>1</script>", "application/javascript": "1"}),
        nbformat.v4.new_output("stream", text="\x1b[2J<script>1</script>"),
    ]


@attack("large outputs", "forty megabytes of output in the file")
def _(notebook: NotebookNode, scene: Scene) -> None:
    answer(notebook, scene).outputs = [nbformat.v4.new_output("stream", text="x" * 40_000_000)]


@attack("empty file", "no byte at all")
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    return b""


@attack("half a file", "a notebook cut off in the middle")
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    whole = as_bytes(notebook)
    return whole[: len(whole) // 2]


@attack("deep JSON", "brackets without end")
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    return b'{"cells": ' + b"[" * 10**6


@attack("deep expression", "an answer with a hundred thousand brackets")
def _(notebook: NotebookNode, scene: Scene) -> None:
    answer(notebook, scene).source = answering(scene.exercise, f"return {'(' * 10**5}{')' * 10**5}")


@attack("huge file", "three hundred megabytes, nearly all holes")
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    with scene.path.open("wb") as file:
        file.truncate(300 * 2**20)
    return scene.path.read_bytes()[:0] or b"\0KEEP"


@attack("link to the victim", "the notebook is a symbolic link to the victim's")
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    scene.path.symlink_to(scene.home / "submitted" / scene.victim / scene.topic / f"{scene.topic}.ipynb")
    return b"\0KEEP"


@attack("link to a device", "the notebook is /dev/zero", spares_stock=False)
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    scene.path.symlink_to("/dev/zero")
    return b"\0KEEP"


@attack("a pipe", "the notebook is a named pipe that nobody writes to", spares_stock=False)
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    os.mkfifo(scene.path)
    return b"\0KEEP"


@attack("a folder", "the notebook is a folder")
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    scene.path.mkdir()
    return b"\0KEEP"


@attack("modules beside it", "sklearn.py, torch.py and ipykernel_launcher.py in the folder")
def _(notebook: NotebookNode, scene: Scene) -> None:
    for name in ("sklearn", "torch", "ipykernel_launcher", "embedding_course", "sitecustomize"):
        (scene.path.parent / f"{name}.py").write_text(
            f"open({str(scene.home / 'reached')!r}, 'w').write('module')", encoding="utf-8"
        )


@attack("forged timestamp", "a time stamp from the last century, and one that is no time")
def _(notebook: NotebookNode, scene: Scene) -> None:
    (scene.path.parent / "timestamp.txt").write_text("1970-01-01 00:00:00 UTC\n=1+1\x1b[2J", encoding="utf-8")


@attack("an archive", "a zip file under a notebook's name")
def _(notebook: NotebookNode, scene: Scene) -> bytes:
    return b"PK\x03\x04" + bytes(1000)


@attack("another language", "a kernel and language that do not exist")
def _(notebook: NotebookNode, scene: Scene) -> None:
    notebook.metadata["kernelspec"] = {"name": "../../evil", "display_name": "<b>", "language": "bash"}
