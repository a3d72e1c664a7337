"""Grade the same attacks with plain nbgrader, each in a course of its own, for comparison."""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from grader.classroom.gradebook.ask import find_alembic
from grader.paths import SOURCE

from .attack import Attack
from .stage import VICTIM, Attempt, Outcome, Stage, attempts

_SECONDS = 120


def grade_with_stock(folder: Path, attacks: list[Attack], tell: Callable[[str], None] = lambda _: None) -> dict[str, str]:
    """Return by name what stock `nbgrader autograde` makes of each attack that does not endanger the machine.

    Each is tried on the first of its exercises. `tell` is called with a line whenever one is done.
    """
    find_alembic()
    course = folder / "stock"
    first = {attempt.attack.name: attempt for attempt in reversed(attempts(attacks)) if attempt.attack.spares_stock}
    topics = sorted({attempt.exercise.lesson.topic for attempt in first.values()})
    for topic in topics:
        shutil.copytree(SOURCE / topic, course / "source" / topic)
    (course / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'stock'\n"
        "c.ClearSolutions.code_stub = {'python': '# YOUR CODE HERE\\nraise NotImplementedError()'}\n",
        encoding="utf-8",
    )
    for topic in topics:
        _nbgrader(course, "generate_assignment", topic, "--force")
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        jobs = {
            name: pool.submit(_one, course, folder / f"stock-{number:02d}", attempt)
            for number, (name, attempt) in enumerate(first.items())
        }
        done = {}
        for name, job in jobs.items():
            done[name] = job.result()
            tell(f"plain nbgrader {len(done)} of {len(jobs)}: {name}: {done[name]}")
    return {attack.name: done.get(attack.name, "not tried: it could harm this machine") for attack in attacks}


def _one(course: Path, home: Path, attempt: Attempt) -> str:
    shutil.copytree(course, home)
    topic = attempt.exercise.lesson.topic
    stage = Stage(home, [attempt.attack], [attempt.exercise])
    stage.write()
    code = _nbgrader(home, "autograde", topic)
    student = next(iter(stage.names))
    finding = Outcome(attempt, status="no points")
    if code is None:
        return "did not come to an end"
    scores = {name: _score(home, topic, name) for name in (student, VICTIM)}
    finding.score = scores[student] or 0.0
    finding.leaked = stage.leaks(_told(home, topic, student), attempt.exercise)
    finding.harmed = stage.harm()
    if scores[VICTIM] is None:
        finding.harmed.append("the class: the victim was not graded")
    elif scores[student] is None:
        finding.status = "not graded"
    return finding.said()


def _score(home: Path, topic: str, student: str) -> float | None:
    try:
        with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
            return float(book.find_submission(topic, student).score or 0.0)
    except MissingEntry:
        return None


def _told(home: Path, topic: str, student: str) -> str:
    path = home / "autograded" / student / topic / f"{topic}.ipynb"
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _nbgrader(home: Path, *words: str) -> int | None:
    """Run a command in a group of its own and end the whole group; None when it did not come to an end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=home,
        start_new_session=True,
        preexec_fn=_bounded,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        return process.wait(_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (512 * 2**20, 512 * 2**20))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
