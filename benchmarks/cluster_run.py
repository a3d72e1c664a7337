"""Grade one class on a dask cluster of two workers, all of it children of this process, so that its cost can be measured.

Run as ``python -m benchmarks.cluster_run HOME NUMBER DATABASE``.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from typing import Any

__all__ = ["main"]


def main(home: str, number: str, database: str) -> None:
    """Grade the notebook of this number for the class in `home`, on a dask cluster of two workers on this machine."""
    distributed: Any = importlib.import_module("distributed")  # its types say that a cluster is a coroutine
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, memory_limit=0
    ) as cluster:
        words = ["grade", number, "--class", home, "--seed", "1", "--db", database]
        words += ["--scheduler", cluster.scheduler_address]
        subprocess.run([sys.executable, "-m", "grader", *words], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
