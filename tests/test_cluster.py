"""Marking on a dask cluster: the same scores, also when a worker dies; and what is said when there is none."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults import QUICK, TOPIC, class_of, rows
from typer.testing import CliRunner

from grader.classroom import Classroom
from grader.cli import app
from grader.cluster import NoCluster
from grader.grade import grade_class

distributed = pytest.importorskip("distributed", reason="dask is not installed")


@pytest.fixture
def cluster() -> Iterator:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, memory_limit=0
    ) as found:
        yield found


def _with_scheduler(address: str):
    from dataclasses import replace

    return replace(QUICK, scheduler=address)


@pytest.mark.slow
def test_a_worker_dies_and_the_gradebook_is_the_same(tmp_path: Path, cluster) -> None:
    one, other = Classroom(tmp_path / "here"), Classroom(tmp_path / "there")
    class_of(one.home, honest=16, hostile=2)
    shutil.copytree(one.home, other.home, symlinks=True)
    list(grade_class(one, [TOPIC], QUICK))
    done = 0
    for _ in grade_class(other, [TOPIC], _with_scheduler(cluster.scheduler_address)):
        done += 1
        if done == 3:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)
    assert done == len(list(one.submissions([TOPIC])))
    assert rows(other) == rows(one)


@pytest.mark.slow
def test_no_scheduler_there(tmp_path: Path) -> None:
    class_of(tmp_path, honest=1, hostile=0)
    with pytest.raises(NoCluster, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(grade_class(Classroom(tmp_path), [TOPIC], _with_scheduler("tcp://127.0.0.1:9")))
    said = CliRunner().invoke(app, ["grade", "--class", str(tmp_path), "--scheduler", "nonsense://"])
    assert said.exit_code == 2 and "No dask scheduler answers" in said.output


def test_a_cluster_without_workers(tmp_path: Path) -> None:
    class_of(tmp_path, honest=1, hostile=0)
    with (
        distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as empty,
        pytest.raises(NoCluster, match="has no workers"),
    ):
        list(grade_class(Classroom(tmp_path), [TOPIC], _with_scheduler(empty.scheduler_address)))
