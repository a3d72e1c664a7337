"""A PostgreSQL server of one's own on loopback, for as long as something is measured or tested."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from grader.classroom.gradebook.dump import program

__all__ = ["NoPostgres", "own_postgres"]

#: Root's servers run as this user: PostgreSQL refuses to run as root.
_NOBODY = 65534


class NoPostgres(RuntimeError):
    """No server can be started here, and what is missing."""


@contextlib.contextmanager
def own_postgres() -> Iterator[str]:
    """The address of an empty database, as `--db` takes it. NoPostgres where the server or its driver is not installed."""
    initdb, postgres = program("initdb"), program("postgres")
    if initdb is None or postgres is None:
        raise NoPostgres("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    who = _NOBODY if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    if who is not None:
        os.chown(folder, _NOBODY, _NOBODY)
    data, port = folder / "data", _free_port()
    words = [initdb, "-D", data, "-U", "teacher", "-A", "trust", "-E", "UTF8"]
    subprocess.run(words, check=True, capture_output=True, user=who, group=who)
    words = [postgres, "-D", data, "-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=who, group=who)
    try:
        yield _when_up(port)
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _when_up(port: int) -> str:
    try:
        import psycopg
    except ImportError:
        raise NoPostgres("psycopg is not installed: pip install 'embedding-course[scale]'") from None

    for _ in range(100):
        try:
            with psycopg.connect(host="127.0.0.1", port=port, user="teacher", dbname="postgres", autocommit=True) as connection:
                connection.execute("create database grades")
                return f"postgresql://teacher@127.0.0.1:{port}/grades"
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise RuntimeError("PostgreSQL did not start")
