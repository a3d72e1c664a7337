"""The gradebook in a real PostgreSQL, started for the test on loopback."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults import QUICK, TOPIC, class_of, gone, kill_and_go_on, rows

from grader.classroom import Classroom
from grader.grade import Run, grade_class, waiting


def _program(name: str) -> str | None:
    """A program of the server; Debian keeps them out of the way."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of one's own."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    initdb, postgres = _program("initdb"), _program("postgres")
    if initdb is None or postgres is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    folder = Path(tmp_path_factory.mktemp("postgres"))
    who: dict[str, int] = {}
    if os.geteuid() == 0:  # the server refuses to run as root
        who = {"user": 65534, "group": 65534}
        os.chown(folder, 65534, 65534)
        for parent in folder.parents:
            if parent != Path("/tmp") and parent.is_relative_to("/tmp"):
                parent.chmod(parent.stat().st_mode | 0o011)
    data = folder / "data"
    subprocess.run([initdb, "-D", data, "-U", "teacher", "-A", "trust", "-E", "UTF8"], check=True, capture_output=True, **who)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [postgres, "-D", data, "-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **who)
    try:
        yield _when_up(port)
    finally:
        process.terminate()
        process.wait(30)


def _when_up(port: int) -> str:
    import psycopg

    for _ in range(100):
        try:
            with psycopg.connect(host="127.0.0.1", port=port, user="teacher", dbname="postgres", autocommit=True) as connection:
                connection.execute("create database grades")
                return f"postgresql://teacher@127.0.0.1:{port}/grades"
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise RuntimeError("PostgreSQL did not start")


@pytest.mark.slow
def test_killed_runs_end_with_the_same_gradebook(tmp_path: Path, server: str) -> None:
    one, other = Classroom(tmp_path / "undisturbed"), Classroom(tmp_path / "killed", server)
    class_of(one.home, honest=12, hostile=2)
    shutil.copytree(one.home, other.home, symlinks=True)
    list(grade_class(one, [TOPIC], QUICK))
    kill_and_go_on(other, kills=2, dice=random.Random(3), most=10.0)
    assert not (other.home / "gradebook.db").exists()
    assert rows(other) == rows(one)
    assert not waiting(other, [TOPIC], Run())
    gone(other.home)
