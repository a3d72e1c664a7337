"""The steps of the Dockerfile, the devcontainer, Binder and the workflow, run in a clean environment: no container is built."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from embedding_course.subject.lessons import topics
from grader.classroom.release import release
from grader.paths import ROOT
from tests.support.clean_machine import CleanMachine, build_backend
from tests.support.dockerfile import Image, stages

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the images are Linux's"),
    pytest.mark.xdist_group("containers"),  # what its fixture fetches is fetched once
]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
IGNORE = (ROOT / ".dockerignore").read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
#: A line of an answer that is nowhere else.
CANARY = "an answer that nobody may see"


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_backend(tmp_path_factory.mktemp("backend"))


@pytest.fixture
def machine(backend: Path, tmp_path: Path) -> Iterator[CleanMachine]:
    """With 17 MB of a checkout and as much again for what is copied of it: removed at once."""
    yield CleanMachine.make(tmp_path / "machine", backend)
    shutil.rmtree(tmp_path / "machine")


def built(machine: CleanMachine, target: str, context: Path) -> Image:
    image = Image(machine.home / "root", context, machine.commands, machine.settings)
    image.build(DOCKERFILE, IGNORE, target)
    return image


@pytest.mark.slow
def test_the_learner_s_image(machine: CleanMachine) -> None:
    """Built where answers lie beside the release, as in every checkout: none of them is in it, and it serves the lessons."""
    context = machine.home / "checkout"
    release(context / "build" / "release", wheel=False)
    for name in ("solutions", "grader"):
        (context / name).mkdir()
        (context / name / "answer.py").write_text(CANARY, encoding="utf-8")
    image = built(machine, "learner", context)
    files = [path for path in image.root.rglob("*") if path.is_file()]
    assert len(files) > 500 and not [
        path for path in files if {"solutions", "grader"} & set(path.relative_to(image.root).parts)
    ]
    assert not [path for path in files if CANARY.encode() in path.read_bytes()]
    assert image.user == "course" and "chown course:course work" in machine.recorded
    assert image.command == ["python", "-m", "embedding_course.lab"] and not image.entry
    assert (image.here / "work" / topics()[0] / f"{topics()[0]}.ipynb").is_file()
    code = "import embedding_course, importlib.util; print(embedding_course.__file__, importlib.util.find_spec('grader'))"
    assert image.run(["python", "-c", code]).stdout == f"{image.here}/embedding_course/__init__.py None\n"
    image.folder = "/"
    assert image.run(["python", "-c", code]).stdout.startswith(str(image.root)), "installed, and not only found in the folder"
    shown = image.run(["python", "-m", "jupyter_server", "--show-config-json"])
    assert json.loads(shown.stdout)["ServerApp"] == {"ip": "0.0.0.0", "open_browser": False}, shown.stderr


@pytest.mark.slow
def test_the_instructor_s_image(machine: CleanMachine) -> None:
    context = machine.checkout()
    (context / "submitted" / "ada").mkdir(parents=True)
    (context / "submitted" / "ada" / "work.ipynb").write_text(CANARY, encoding="utf-8")
    image = built(machine, "instructor", context)
    assert (image.root / "opt/embedding-course/solutions/03_max_norm/reference/renorm_rows.py").is_file()
    assert not list(image.root.rglob("ada")) and image.user == "course" and image.folder == "/class"
    assert [line.split()[0] for line in machine.recorded] == ["useradd", "apt-get", "apt-get", "chown"]
    assert {"git", "make", "postgresql-client"} <= set(machine.recorded[2].split())
    assert image.entry == ["grader"] and "collect" in image.run(["python", "-m", "grader", *image.command]).stdout
    grader = machine.home / "image" / "bin" / "grader"
    done = image.run([str(grader), "class", "new", "."])
    assert done.returncode == 0 and (image.here / "course.toml").is_file(), done.stderr


@pytest.mark.parametrize(
    ("index", "wanted"), [("", "torch"), ("https://example.org/cpu", "--index-url https://example.org/cpu torch")]
)
def test_where_torch_comes_from(index: str, wanted: str, tmp_path: Path) -> None:
    step = next(rest for word, rest in stages(DOCKERFILE)["base"].steps if word == "RUN" and "TORCH_INDEX" in rest)
    (tmp_path / "python").write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    (tmp_path / "python").chmod(0o755)
    image = Image(tmp_path, tmp_path, tmp_path, environment={"TORCH_INDEX": index})
    assert image.run(["/bin/sh", "-c", step]).stdout == f"-m pip install --quiet {wanted}\n"


@pytest.mark.slow
def test_the_devcontainer_sets_the_checkout_up(machine: CleanMachine) -> None:
    checkout = machine.checkout()
    command = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))["postCreateCommand"]
    output = machine.run(command, checkout)
    assert "installing the course" in output and "installing torch" not in output, "the image's torch stays"
    assert (checkout / ".venv" / ".ready").exists() and "collect" in machine.run(".venv/bin/grader --help", checkout)


@pytest.mark.slow
def test_binder_s_script(machine: CleanMachine) -> None:
    """In the tree that learners get, on the path as `-e .` of environment.yml puts it there."""
    tree, _ = release(machine.home / "release", wheel=False)
    output = machine.run("./postBuild", tree, {"PYTHONPATH": str(tree)})
    assert (tree / "work" / topics()[-1] / f"{topics()[-1]}.ipynb").is_file() and "Error" not in output


def shell_steps(job: str) -> dict[str, dict]:
    return {step["name"]: step for step in WORKFLOW["jobs"][job]["steps"] if "run" in step}


@pytest.mark.slow
def test_the_workflow_s_job_for_the_course(machine: CleanMachine) -> None:
    """All of its steps, with one file for all tests, and without pyright, which looks at everything for a minute."""
    checkout, steps = machine.checkout(), shell_steps("course")
    assert list(steps) == ["Install", "Published models", "Tests", "Style and types"]
    machine.run(steps["Install"]["run"], checkout, {"TORCH": "torch"})
    one_file = {"PYTEST_ADDOPTS": "-o testpaths=tests/repo/test_environment.py", "WORKERS": "1"}
    assert re.search(r"\d+ passed", machine.run(steps["Tests"]["run"], checkout, one_file))
    binaries = checkout / ".venv" / "bin"
    for tool in ("ruff", "codespell"):
        (binaries / tool).symlink_to(Path(sys.executable).parent / tool)
    machine.record("pyright")
    (binaries / "pyright").symlink_to(machine.commands / "pyright")
    machine.run(steps["Style and types"]["run"], checkout)
    assert machine.recorded == ["pyright "]


@pytest.fixture(scope="module")
def artifact(backend: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the job for the wheel keeps, on its way to the machines of the next job."""
    machine = CleanMachine.make(tmp_path_factory.mktemp("wheel") / "machine", backend)
    checkout, steps = machine.checkout(), shell_steps("wheel")
    assert list(steps) == ["Install", "Build"]
    for step in steps.values():
        machine.run(step["run"], checkout)
    (kept,) = [step["with"] for step in WORKFLOW["jobs"]["wheel"]["steps"] if "upload-artifact" in step.get("uses", "")]
    target = machine.home.parent / kept["name"]
    shutil.move(checkout / kept["path"], target)
    shutil.rmtree(machine.home)
    return target


@pytest.mark.slow
def test_the_workflow_s_job_for_the_wheel(artifact: Path) -> None:
    assert {path.name.split("-")[0] for path in artifact.iterdir()} == {"embedding", "embedding_course"}
    assert len(list(artifact.glob("*.whl"))) == 1 and not list(artifact.rglob("solutions"))


@pytest.mark.slow
def test_the_workflow_s_job_for_learners(artifact: Path, machine: CleanMachine) -> None:
    """On a machine without the checkout."""
    (taken,) = [step["with"] for step in WORKFLOW["jobs"]["learner"]["steps"] if "download-artifact" in step.get("uses", "")]
    assert taken["name"] == artifact.name
    shutil.copytree(artifact, machine.home / "desk" / taken["path"])
    steps = shell_steps("learner")
    assert list(steps) == ["Install", "Use"]
    outputs = [machine.run(step["run"], machine.home / "desk") for step in steps.values()]
    assert "01.one_hot" in outputs[-1]
