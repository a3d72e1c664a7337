"""Two ways to run the cells, the same scores; and kernels of the zygote for anybody's tools."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from typer.testing import CliRunner

from embedding_course.exercises import exercises_of
from grader.classroom.records import load_topic
from grader.cli import app
from grader.course_source.catalogue import mistakes_of, reference_source
from grader.engine.fork_server import Learners
from grader.engine.jupyter_kernels.provisioner import ZygoteKernelManager
from grader.engine.jupyter_kernels.runners import ZygoteKernels
from grader.engine.time_budget import TimeLimits
from grader.marking.run import RUNNERS
from grader.paths import ROOT
from tests.redteam.honest import solution, warns_and_prints
from tests.support.classes import TOPIC, blank, hand_in, perfect

EXERCISES = [exercise for exercise in exercises_of(TOPIC) if exercise.core]
SEED = 11
SPY = "try:\n    seen = bool(open('/etc/passwd').read())\nexcept OSError:\n    seen = False\nseen"


def _with(source: str, index: int = -1) -> nbformat.NotebookNode:
    notebook = perfect()
    notebook.cells[solution(notebook, EXERCISES[index].grade_id)].source = source
    return notebook


@pytest.fixture(scope="module")
def submissions() -> dict[str, nbformat.NotebookNode]:
    name = EXERCISES[-1].name
    chatty = perfect()
    warns_and_prints(chatty)
    return {
        "untouched": blank(),
        "chatty": chatty,
        "mistaken": _with(mistakes_of(EXERCISES[0])[0].source, 0),
        "exits": _with("import os\nos._exit(1)"),
        "exits when called": _with(f"import os\n\ndef {name}(*args, **options):\n    os._exit(1)"),
        "loops when called": _with(f"def {name}(*args, **options):\n    while True:\n        pass"),
    }


def marks(home: Path, runner: str) -> dict[str, list[tuple[str, str, float]]]:
    """Grade as an instructor does; each student's results."""
    words = ["grade", TOPIC[:2], "--class", str(home), "--runner", runner, "--seed", str(SEED), "--force"]
    outcome = CliRunner().invoke(app, words)
    assert outcome.exit_code == 0, outcome.output
    grade_records = list(load_topic(home, TOPIC))
    assert {record.runner for record in grade_records} == {runner}
    return {
        record.student: [(result.exercise, result.status, result.score) for result in record.results]
        for record in grade_records
    }


@pytest.mark.xdist_group("runners")
@pytest.mark.slow
def test_all_runners_give_the_same_scores(tmp_path: Path, submissions: dict[str, nbformat.NotebookNode]) -> None:
    for student, notebook in submissions.items():
        hand_in(tmp_path, student, notebook)
    marks_by_runner = {runner: marks(tmp_path, runner) for runner in RUNNERS}
    assert marks_by_runner["engine"].keys() == submissions.keys()
    assert {status for student in marks_by_runner["engine"].values() for _, status, _ in student} >= {
        "passed",
        "crashed",
        "timed out",
    }
    assert marks_by_runner["kernel"] == marks_by_runner["engine"]


@pytest.fixture(scope="module")
def forks() -> Iterator[Learners]:
    """A zygote whose forks are kernels."""
    with Learners(kernels=True, trusted=True, topics=(), time_limits=TimeLimits(cpu=5.0, clock=20.0)) as learners:
        yield learners


@pytest.mark.xdist_group("runners")
def test_any_nbclient_tool_can_have_kernels_of_the_zygote(forks: Learners) -> None:
    cells = ["import torch, os\nx = torch.arange(3.0)", "x.sum().item()", SPY, "print('heard')"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    done = NotebookClient(notebook, km=ZygoteKernelManager(forks=forks)).execute()
    if forks.level != "none":
        assert done.cells[2].outputs[0].data["text/plain"] == "False"
    assert done.cells[1].outputs[0].data["text/plain"] == "3.0"
    assert done.cells[3].outputs[0].text == "heard\n"


@pytest.mark.xdist_group("runners")
def test_a_kernel_that_was_asked_runs_further_cells(forks: Learners) -> None:
    """A check cell stands between cells: after its question the kernel serves the wire, and takes cells from there."""
    exercise = EXERCISES[0]
    learner = ZygoteKernels(forks).start()
    assert learner.run("import torch", reference_source(exercise)) is None
    asked = learner.public(exercise)
    assert asked is not None and asked.passed
    assert learner.run("y = 1") is None
    assert learner.run("y / 0") == "ZeroDivisionError"
    learner.end()


@pytest.mark.slow
@pytest.mark.xdist_group("runners")
def test_nbconvert_has_sealed_kernels_by_the_documented_command(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^    jupyter (nbconvert .*\\\n.*)$", page, re.MULTILINE)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SPY)]), tmp_path / "any.ipynb")
    words = command.replace("\\\n", "").split()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "jupyter", *words], cwd=tmp_path, env=environment, check=True, capture_output=True)
    done = nbformat.read(tmp_path / "any.nbconvert.ipynb", as_version=4)
    assert done.cells[0].outputs[0].data["text/plain"] == "False"


@pytest.mark.xdist_group("runners")
def test_the_provisioner_is_registered() -> None:
    from jupyter_client.provisioning import KernelProvisionerFactory

    factory = KernelProvisionerFactory.instance()
    assert "embedding-course" in factory.get_provisioner_entries()
