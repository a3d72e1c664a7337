"""Measure what one submission costs on Gradescope: ``python -m benchmarks.gradescope 03``.

The package is written and unpacked as Gradescope does it, on this machine's Python. Each submission is graded in two ways by
turns: by `run_autograder`, and as `grader grade` starts, with a second process that imports everything again. ``--against
FOLDER`` adds the package that another checkout writes. The ratios do not depend on how fast the machine is.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from embedding_course.subject.lessons import lesson
from grader.cli.platform_needed import needs_linux
from grader.paths import ROOT

_APART = (
    "import sys; from pathlib import Path; from grader.package.gradescope.one_submission import main; main(Path(sys.argv[1]))"
)
# Run in a process of its own, since the checkout may be another one.
_PACKAGE = """
import sys
from pathlib import Path
from grader.course_source.notebook import source
from grader.course_source.stored import as_bytes
from grader.package.gradescope.zip_file import autograder_zip
from grader.package.settings import Settings
out, notebook, topic = sys.argv[1:]
autograder_zip(Path(out), Settings(topic=topic, seed=7))
Path(notebook).write_bytes(as_bytes(source(topic)))
"""


@dataclass
class Cost:
    """Seconds of processor time, seconds by the clock, and the most memory that all processes held together, in MB."""

    cpu: float
    clock: float
    memory: float


def measure(command: list[str], root: Path, environment: dict[str, str]) -> Cost:
    """Run a command to its end and return its cost. RuntimeError with its last words if it fails."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    most, ended = [0.0], threading.Event()

    def watch() -> None:
        while not ended.wait(0.05):
            most[0] = max(most[0], sum(map(_share, _with_children(process.pid))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    output, _ = process.communicate()
    ended.set()
    watcher.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise RuntimeError(output[-2000:])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, time.monotonic() - begin, most[0])


def _with_children(pid: int) -> list[int]:
    """Return a process and all that it started."""
    found = [pid]
    for number in found:
        try:
            for path in Path(f"/proc/{number}/task").glob("*/children"):
                found += map(int, path.read_text(encoding="ascii").split())
        except OSError:
            continue
    return found


def _share(pid: int) -> float:
    """Return the megabytes of a process, of what it shares with others its share."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith("Pss:")), 0.0)


def unpacked(root: Path, topic: str, checkout: Path = ROOT) -> Path:
    """Write the package of a notebook, unpack it into `root` and run its setup.sh on this Python; return `root`."""
    for name in ("source", "results", "submission"):
        (root / name).mkdir(parents=True)
    out, notebook = root / "autograder.zip", root / "submission" / f"{topic}.ipynb"
    command = [sys.executable, "-c", _PACKAGE, str(out), str(notebook), topic]
    subprocess.run(command, cwd=checkout, env={**_plain(), "PYTHONPATH": str(checkout)}, check=True, capture_output=True)
    with zipfile.ZipFile(out) as archive:
        for member in archive.infolist():
            Path(archive.extract(member, root / "source")).chmod(member.external_attr >> 16)
    shutil.copy(root / "source" / "run_autograder", root)
    settings = {**_plain(), "EMBEDDING_COURSE_ROOT": str(root), "EMBEDDING_COURSE_PYTHON": sys.executable, "PIP_NO_INDEX": "1"}
    subprocess.run(["bash", "source/setup.sh"], cwd=root, env=settings, check=True, capture_output=True)
    return root


def _plain() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "EMBEDDING", "COURSE"))}


def gradescope(
    notebook: Annotated[str, typer.Argument(help="By number.")] = "03",
    times: Annotated[int, typer.Option(min=1, help="How often each way is measured.")] = 3,
    against: Annotated[Path | None, typer.Option(help="Another checkout, whose package is measured by turns.")] = None,
) -> None:
    """Print the cost of one right submission on Gradescope, and its ratio to other ways."""
    needs_linux()
    topic = lesson(notebook.zfill(2)).topic
    with tempfile.TemporaryDirectory(prefix="gradescope-bench-") as folder:
        root = unpacked(Path(folder, "autograder"), topic)
        ways = {"run_autograder": partial(_run, root), "two processes": partial(_in_two_processes, root)}
        if against:
            ways["older package"] = partial(_run, unpacked(Path(folder, "older"), topic, against.resolve()))
        costs = _measured(ways, times)
    typer.echo(f"{topic}, median of {times}\n")
    ours = costs["run_autograder"]
    for name, values in costs.items():
        cpu, clock, memory = (median(getattr(cost, part) for cost in values) for part in ("cpu", "clock", "memory"))
        ratio = median(own.cpu / other.cpu for own, other in zip(ours, values, strict=True))
        line = f"{name:15} {cpu:5.1f} s of processor time, {clock:5.1f} s by the clock, {memory:4.0f} MB"
        typer.echo(line if values is ours else f"{line}; ratio {ratio:.2f}")


def _measured(ways: dict[str, Callable[[], Cost]], times: int) -> dict[str, list[Cost]]:
    """Return the costs of each way, measured by turns, so that what else the machine does falls on all."""
    costs: dict[str, list[Cost]] = {name: [] for name in ways}
    for _ in range(times):
        for name, way in ways.items():
            costs[name].append(way())
    return costs


def _run(root: Path) -> Cost:
    return measure(["./run_autograder"], root, {**_plain(), "EMBEDDING_COURSE_ROOT": str(root)})


def _in_two_processes(root: Path) -> Cost:
    course = root / "source" / "course"
    (subject,) = course.glob("*/subject.toml")
    settings = {"PYTHONPATH": str(course), "COURSE_IN_USE": str(subject.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", "-c", _APART, str(root)]
    return measure(command, root, {**_plain(), **settings, "OMP_NUM_THREADS": "1"})


if __name__ == "__main__":
    typer.run(gradescope)
