"""The state of a process, as the system reports it."""

import os
from pathlib import Path


def _fields(pid: int) -> list[str]:
    """Return the fields of its line in /proc from the state on; none where the system has no such thing."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def cpu_seconds(pid: int) -> float:
    """Return seconds of processor time that the process has used; 0 where the system does not tell."""
    try:
        user, system = _fields(pid)[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except ValueError:
        return 0.0


def is_over(pid: int) -> bool:
    """Return True if a process has ended, also if its parent has not waited for it yet."""
    fields = _fields(pid)
    if fields:
        return fields[0] in "ZX"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False
