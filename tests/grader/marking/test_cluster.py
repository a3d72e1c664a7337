"""Marking on a dask cluster: the same scores, also when a worker dies; and what is said when there is none."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.subject.course import VARIABLE
from embedding_course.subject.titles import TITLE
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.cli import app
from grader.marking.cluster import NoCluster, _mark
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.marking.submission_task import Task
from grader.paths import ROOT
from tests.support.faults import QUICK, TOPIC, class_of, rows
from tests.support.other_course import graded, solved

dask = pytest.importorskip("dask", reason="dask is not installed")
distributed = pytest.importorskip("distributed", reason="dask is not installed")


@pytest.fixture
def cluster() -> Iterator:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, memory_limit=0
    ) as local_cluster:
        yield local_cluster


def _with_scheduler(address: str):
    from dataclasses import replace

    return replace(QUICK, scheduler=address)


@pytest.mark.slow
def test_a_worker_dies_and_the_gradebook_is_the_same(tmp_path: Path, cluster) -> None:
    local_class, cluster_class = Classroom(tmp_path / "here"), Classroom(tmp_path / "there")
    class_of(local_class.home, honest=16, hostile=2)
    shutil.copytree(local_class.home, cluster_class.home, symlinks=True)
    list(grade_class(local_class, [TOPIC], QUICK))
    done = 0
    for _ in grade_class(cluster_class, [TOPIC], _with_scheduler(cluster.scheduler_address)):
        done += 1
        if done == 3:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)
    assert done == len(list(local_class.submissions([TOPIC])))
    assert rows(cluster_class) == rows(local_class)


def _mark_or_die(run: Run, task: Task, body: bytes) -> tuple[GradeRecord, bytes]:
    if task.submission.student in ("student-0001", "student-0002"):
        os.kill(os.getpid(), signal.SIGKILL)
    return _mark(run, task, body)


@pytest.mark.long
def test_submissions_that_kill_workers_take_no_others_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two workers and no time limit all submissions on a worker that dies are lost at first."""
    monkeypatch.setattr("grader.marking.cluster._mark", _mark_or_die)
    classroom = Classroom(tmp_path)
    class_of(classroom.home, honest=4, hostile=0)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as local_cluster,
    ):
        done = {
            graded_submission.record.student: graded_submission.record
            for graded_submission in grade_class(classroom, [TOPIC], _with_scheduler(local_cluster.scheduler_address))
        }
    assert len(done) == len(list(classroom.submissions([TOPIC])))
    failed = {name for name, record in done.items() if record.status == "failed"}
    assert failed == {"student-0001", "student-0002"}
    assert "alone" in done["student-0001"].reason


@pytest.mark.slow
def test_a_beginning_of_files_that_cannot_be_read_is_not_the_end(tmp_path: Path, cluster) -> None:
    classroom = Classroom(tmp_path)
    class_of(classroom.home, honest=1, hostile=0)
    for number in range(12):
        (classroom.submitted / f"nobody-{number:02d}" / TOPIC).mkdir(parents=True)
    done = list(grade_class(classroom, [TOPIC], _with_scheduler(cluster.scheduler_address)))
    assert len(done) == len(list(classroom.submissions([TOPIC]))) > 12


EXAMPLE = ROOT / "examples" / "numpy_basics"


def _graded_elsewhere(home: Path, workers: str | None, monkeypatch: pytest.MonkeyPatch) -> subprocess.CompletedProcess[str]:
    """A class of the example course, graded on workers that were started with this folder of a course."""
    files = {"ada": solved(EXAMPLE, "01_arrays"), "bo": (EXAMPLE / "notebooks/01_arrays/01_arrays.ipynb").read_bytes()}
    for student, body in files.items():
        path = home / "submitted" / student / "01_arrays" / "01_arrays.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(body)
    if workers:
        monkeypatch.setenv(VARIABLE, workers)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, memory_limit=0
    ) as local_cluster:
        words = ["grade", "01", "--class", str(home), "--seed", "1", "--scheduler", local_cluster.scheduler_address]
        return subprocess.run(
            [sys.executable, "-m", "grader", "--course", str(EXAMPLE), *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
            check=False,
        )


@pytest.mark.slow
def test_workers_serve_the_course_that_they_were_started_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = _graded_elsewhere(tmp_path, str(EXAMPLE), monkeypatch)
    assert done.returncode == 0, done.stderr
    assert "2 graded, 0 unreadable" in done.stdout
    assert graded(tmp_path) == {"ada": (6.0, 6.0), "bo": (0.0, 6.0)}


@pytest.mark.slow
def test_workers_of_another_course_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = _graded_elsewhere(tmp_path, None, monkeypatch)
    assert done.returncode == 2 and not list((tmp_path / "autograded").rglob("*.ipynb"))
    assert f"it serves the course “{TITLE}”" in done.stdout + done.stderr
    assert "COURSE_IN_USE=FOLDER dask worker" in done.stdout + done.stderr


@pytest.mark.slow
def test_no_scheduler_there(tmp_path: Path) -> None:
    class_of(tmp_path, honest=1, hostile=0)
    with pytest.raises(NoCluster, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(grade_class(Classroom(tmp_path), [TOPIC], _with_scheduler("tcp://127.0.0.1:9")))
    outcome = CliRunner().invoke(app, ["grade", "--class", str(tmp_path), "--scheduler", "nonsense://"])
    assert outcome.exit_code == 2 and "No dask scheduler answers" in outcome.output


def test_a_cluster_without_workers(tmp_path: Path) -> None:
    class_of(tmp_path, honest=1, hostile=0)
    with (
        distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as empty,
        pytest.raises(NoCluster, match="has no workers"),
    ):
        list(grade_class(Classroom(tmp_path), [TOPIC], _with_scheduler(empty.scheduler_address)))
