"""Try an enclosure in a process of its own: what it promises must really be refused in there."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

__all__ = ["broken_promises", "holds"]


class Enclosed(Protocol):
    """What is asked of an enclosure here."""

    def prepare(self) -> None: ...
    def fork(self) -> int: ...
    def enter(self, number: int) -> None: ...


def holds(enclosure: Enclosed, hidden: Sequence[Path]) -> bool:
    """Does everything that this enclosure promises hold on this machine?"""
    outside = os.getpid()
    keeper = os.fork()
    if keeper == 0:
        code = 1
        try:
            enclosure.prepare()
            inside = enclosure.fork()
            if inside == 0:
                code = 3
                enclosure.enter(0)
                code = 4 if broken_promises(hidden, outside) else 0
            else:
                code = os.waitstatus_to_exitcode(os.waitpid(inside, 0)[1])
        except BaseException:  # whatever it is, this level does not work here
            code = code or 2
        finally:
            os._exit(abs(code))
    return os.waitstatus_to_exitcode(os.waitpid(keeper, 0)[1]) == 0


def broken_promises(hidden: Sequence[Path], outside: int) -> list[str]:
    """What can be done here and should not. `outside` is the pid of a process that must be out of reach."""
    attempts: dict[str, Callable[[], object]] = {
        "a network socket": lambda: socket.socket(socket.AF_INET).close(),
        "a new process": _fork,
        "a program": lambda: os.execv("/bin/true", ["true"]),
        "a signal to another process": lambda: os.kill(outside, signal.SIGCONT),
        "memory outside the limits": lambda: os.close(os.memfd_create("grader-trial")),
        "a file in /usr": lambda: Path("/usr/grader-trial").touch(),
        "other people's files": lambda: Path("/etc/shadow").read_bytes(),
        **{f"the folder {path}": lambda path=path: _own_files(path) for path in hidden},
    }
    broken = []
    for what, attempt in attempts.items():
        try:
            attempt()
        except OSError:
            continue
        broken.append(what)
    try:
        Path("trial.txt").write_text("a folder of one's own", encoding="utf-8")
    except OSError:
        broken.append("no folder to write to")
    return broken


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)


def _own_files(folder: Path) -> None:
    """Read something of the instructor's; OSError when nothing can be read. That a name exists is no secret."""
    for name in ("solutions", "submitted", "results"):
        with contextlib.suppress(OSError):
            list((folder / name).iterdir())
            return
    for name in ("gradebook.db", "pyproject.toml"):
        with contextlib.suppress(OSError):
            (folder / name).read_bytes()
            return
    raise PermissionError(folder)
