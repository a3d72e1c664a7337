"""What a command and all that it starts use: processor time, time by the clock, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.classroom.gradebook.ask import find_alembic
from grader.paths import ENGINE

__all__ = ["Used", "measure"]

_PAUSE = 0.4


@dataclass(frozen=True)
class Used:
    """What a command used: seconds, and samples of (progress, proportional set size of the whole family of processes)."""

    cpu: float
    wall: float
    samples: list[tuple[int, int]] = field(default_factory=list)

    @property
    def peak(self) -> int:
        """Return the largest proportional set size of the family of processes, in bytes; 0 without samples."""
        return max((size for _, size in self.samples), default=0)

    def around(self, progress: int, width: int) -> int:
        """Return the median size while the progress was within `width` of `progress`."""
        sizes = sorted(size for done, size in self.samples if abs(done - progress) <= width)
        return sizes[len(sizes) // 2] if sizes else 0


def measure(words: Sequence[str], cwd: Path, progress: Callable[[], int] | None = None) -> Used:
    """Run ``python -m words`` to its end, and return what it used.

    Raises
    ------
    RuntimeError
        If the command fails; the message holds the end of its output.
    """
    find_alembic()
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg", "PYTHONPATH": str(ENGINE)}
    log = cwd / "bench.log"
    begun = time.perf_counter()
    with log.open("wb") as log_file:
        process = subprocess.Popen(
            [sys.executable, "-m", *words], cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=log_file, stderr=log_file
        )
        samples: list[tuple[int, int]] = []
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            if progress is not None:
                samples.append((progress(), _family_size(process.pid)))
            time.sleep(_PAUSE)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} failed: {log.read_text(encoding='utf-8', errors='replace')[-1500:]}")
    return Used(usage.ru_utime + usage.ru_stime, time.perf_counter() - begun, samples)


def _family_size(pid: int) -> int:
    """Return the bytes of memory of a process and its descendants; memory that they share is counted once."""
    return sum(_size(process_id) for process_id in _family(pid))


def _family(pid: int) -> list[int]:
    process_ids, index = [pid], 0
    while index < len(process_ids):
        try:
            for task in Path(f"/proc/{process_ids[index]}/task").iterdir():
                process_ids += [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
        except OSError:
            pass
        index += 1
    return process_ids


def _size(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
