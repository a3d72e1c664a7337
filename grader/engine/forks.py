"""Fork learners' processes from a running zygote, over its control socket."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from .sandbox import Level, Limits
from .sandbox.private_folder import folder_of, is_too_full
from .time_budget import TimeBudget, TimeLimits
from .zygote import Ended

if TYPE_CHECKING:
    from .learner_proxy import Learner


class Starter(Protocol):
    """An object that starts learners' processes.

    `level` and `how` describe their sandbox, and `runner` what runs their cells.
    """

    level: Level
    how: str
    runner: str
    time_limits: TimeLimits

    def start(self, *, budget: TimeBudget | None = None) -> Learner:
        """Return a fresh process with no cell run in it, on the time that its submission has left."""
        ...


@dataclass(frozen=True)
class Fork:
    """A process forked from a zygote.

    It holds the trusted end of its wire, its process number as seen from here, a function that ends it, and one that tells
    whether its private folder holds more than it may.
    """

    wire: socket.socket
    pid: int
    end: Callable[[], Ended]
    is_too_full: Callable[[], bool]


class Forks:
    """A zygote's control socket: start learners, end them. Safe to share between threads."""

    runner = "engine"

    def __init__(
        self, control: socket.socket, level: Level, how: str, time_limits: TimeLimits, base: Path, limits: Limits
    ) -> None:
        self._control, self._lock = control, threading.Lock()
        self.level: Level = level
        self.how, self.time_limits = how, time_limits
        self._base, self.limits = base, limits

    def fork(self, listening: Sequence[int] = (), key: bytes = b"") -> Fork:
        """Fork a process that serves a wire; with sockets that listen, a Jupyter kernel that signs with `key`."""
        mine, theirs = socket.socketpair()
        with self._lock:
            asked = b"kernel" + key if listening else b"fork"
            socket.send_fds(self._control, [asked], [theirs.fileno(), *listening])
            number, descriptors, _, _ = socket.recv_fds(self._control, 4, 1)
        theirs.close()
        pid = int.from_bytes(number, "big")
        return Fork(mine, _number_from_here(pid, descriptors), lambda: self._end(pid), lambda: self._is_too_full(pid))

    def _is_too_full(self, pid: int) -> bool:
        """Return True if the private folder of a process holds more than it may.

        Always False at level full: that level limits the folder by itself, and the folder is in memory that we cannot see.
        """
        return self.level != "full" and is_too_full(folder_of(self._base, pid), self.limits)

    def start(
        self, cells: Sequence[str] = (), time_limits: TimeLimits | None = None, *, budget: TimeBudget | None = None
    ) -> Learner:
        """Fork a learner's process and run `cells` in it.

        Parameters
        ----------
        cells : sequence of str, optional
            Source of the cells to run, in order.
        time_limits : TimeLimits, optional
            Limits of each request; by default those of the zygote.
        budget : TimeBudget, optional
            What is left to the submission, over all its processes; by default as much as `time_limits` allow.
        """
        from .learner_proxy import Learner  # it imports torch, which need not be there when the zygote is started

        fork = self.fork()
        learner = Learner(fork.wire, fork.pid, fork.end, time_limits or self.time_limits, budget, fork.is_too_full)
        try:
            learner.run(*cells)
        except BaseException:
            learner.end()
            raise
        return learner

    def _end(self, pid: int) -> Ended:
        with self._lock:
            self._control.sendall(str(pid).encode())
            return msgspec.msgpack.decode(self._control.recv(1024), type=Ended)

    def second_zygote(self) -> Forks:
        """Return a second zygote that shares the first one's memory, for another process of ours to use."""
        mine, theirs = socket.socketpair()
        with self._lock:
            socket.send_fds(self._control, [b"zygote"], [theirs.fileno()])
            self._control.recv(1)
        theirs.close()
        return Forks(mine, self.level, self.how, self.time_limits, self._base, self.limits)

    def close(self) -> None:
        """Close the control socket, whereupon the zygote ends its forks and itself."""
        self._control.close()


def _number_from_here(pid: int, descriptors: Sequence[int]) -> int:
    """Return the process number, as we see it, of the process behind one of these descriptors; `pid` if it cannot be read.

    A zygote in a namespace of its own numbers its processes differently.
    """
    for descriptor in descriptors:
        try:
            text = Path(f"/proc/self/fdinfo/{descriptor}").read_text(encoding="ascii")
            return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pid:"))
        except (OSError, StopIteration, ValueError):
            return pid
        finally:
            os.close(descriptor)
    return pid
