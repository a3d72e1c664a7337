"""The zygote: one single-threaded process with everything imported, forked once for each learner.

Run as ``python -m grader.engine.zygote FD SETTINGS``. Requests to fork and to end processes come over the socket FD. The
zygote imports no answers, so no fork can hold one, and its environment was cleared of everything that is not needed.
"""

import array
import contextlib
import ctypes
import gc
import itertools
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from .sandbox import Enclosure, Level, Limits, open_enclosure
from .sandbox import linux_calls as kernel

_LARGE = 2 * 2**20
_COLLAPSE = 25  # MADV_COLLAPSE, Linux 6.1


def enlarge() -> None:
    """Ask the kernel to put this process's own memory on large pages. Where it knows no such thing, nothing changes."""
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
        madvise = ctypes.CDLL(None, use_errno=True).madvise
    except (OSError, AttributeError):
        return
    for line in lines:
        address_range, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights == "rw-p" and inode == "0" and name in ([], ["[heap]"]):
            begin, end = (int(number, 16) for number in address_range.split("-"))
            if end - begin >= _LARGE:
                with contextlib.suppress(ctypes.ArgumentError):
                    madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _COLLAPSE)


_MAX_DESCRIPTORS = 8

# Forks are numbered apart, so that no two have a folder or a user in common.
_MAX_ZYGOTES = 64


class Settings(msgspec.Struct):
    """What the trusted process asks of its zygote."""

    base: str
    hidden: list[str]
    strongest: Level
    limits: Limits
    kernels: bool = False
    topics: Sequence[str] | None = None
    skipped: Sequence[str] = ()
    few: bool = False


class Ready(msgspec.Struct):
    """What the zygote says when it is warm."""

    level: Level
    how: str


class Ended(msgspec.Struct):
    """How a learner's process ended: exit code (negative: a signal), CPU seconds, largest resident size in bytes.

    `killed` is true when it was still running and had to be ended.
    """

    code: int
    killed: bool
    cpu: float
    memory: int


class Zygote:
    """Serves the control socket until the other side hangs up; then ends every fork."""

    def __init__(self, control: socket.socket, enclosure: Enclosure, shell: object) -> None:
        self.control, self.enclosure, self.shell = control, enclosure, shell
        self.forks: set[int] = set()
        self.zygotes: dict[int, int] = {}
        enclosure.count = itertools.count(0, _MAX_ZYGOTES)

    def serve(self) -> None:
        """Answer requests to fork a process or to end one, until the other side closes the socket; then end all forks."""
        try:
            while True:
                body, ancillary, _, _ = self.control.recvmsg(256, socket.CMSG_SPACE(_MAX_DESCRIPTORS * 4))
                if not body:
                    return
                if body == b"fork" or body.startswith(b"kernel"):
                    self.fork(_descriptors(ancillary), body.removeprefix(b"kernel"))
                elif body == b"zygote":
                    self.fork_zygote(_descriptors(ancillary)[0])
                else:
                    self.control.sendall(msgspec.msgpack.encode(self.end(int(body))))
        except OSError:
            return
        finally:
            for pid in list(self.forks):
                self.end(pid)
            for pid in self.zygotes.values():
                _await_end(pid)

    def fork(self, handed: list[int], key: bytes) -> None:
        """Fork a learner that serves the first descriptor handed over; with more of them, a kernel that listens there."""
        number = next(self.enclosure.count)
        child = self.enclosure.fork()
        if child:
            for descriptor in handed:
                os.close(descriptor)
            self.forks.add(child)
            self._tell(child)
            return
        try:
            _shut_in(handed, number, self.enclosure)
            if len(handed) == 1:
                from .worker import Worker

                Worker(socket.socket(fileno=handed[0]), self.shell, self.enclosure.bounds.output).serve()
            else:
                from .jupyter_kernels import app

                app.serve(handed[0], handed[1:], key)
            os._exit(0)
        finally:
            os._exit(1)

    def fork_zygote(self, control: int) -> None:
        """Fork a second zygote that serves the new control socket with the same memory."""
        number = self._free_number()
        child = os.fork()
        if child:
            self.zygotes[number] = child
            os.close(control)
            self.control.sendall(b"t")
            return
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        self.control.close()
        self.control, self.forks = socket.socket(fileno=control), set()
        self.enclosure.count = itertools.count(number, _MAX_ZYGOTES)
        self.zygotes = {}

    def _free_number(self) -> int:
        """Return the number of a second zygote that has ended, or else the next one: no two may number their forks alike."""
        for number, pid in self.zygotes.items():
            if os.waitpid(pid, os.WNOHANG)[0]:
                return number
        return len(self.zygotes) + 1

    def _tell(self, child: int) -> None:
        """Send the child's number, and where the system has such a thing, a descriptor by which it is known outside."""
        number = child.to_bytes(4, "big")
        if not hasattr(os, "pidfd_open"):
            self.control.sendall(number)
            return
        descriptor = os.pidfd_open(child)
        socket.send_fds(self.control, [number], [descriptor])
        os.close(descriptor)

    def end(self, pid: int) -> Ended:
        """End a fork, and with it whatever it started."""
        if pid not in self.forks:
            return Ended(0, False, 0.0, 0)
        done, status, usage = os.wait4(pid, os.WNOHANG)
        killed = not done
        if killed:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
        self.forks.remove(pid)
        self.enclosure.clean(pid)
        code = os.waitstatus_to_exitcode(status)
        return Ended(code, killed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def _await_end(pid: int, timeout: float = 2.0) -> None:
    """Wait for the forked process to exit, then kill it."""
    until = time.monotonic() + timeout
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _descriptors(ancillary: list[tuple[int, int, bytes]]) -> list[int]:
    descriptors = array.array("i")
    descriptors.frombytes(ancillary[0][2])
    return list(descriptors)


def _shut_in(handed: list[int], number: int, enclosure: Enclosure) -> None:
    """Close all descriptors in the fork but those that were handed over, and enter the sandbox."""
    os.setsid()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    kept = [2, *sorted(handed), 1024]
    for low, high in itertools.pairwise(kept):
        os.closerange(low + 1, high)
    enclosure.enter(number)


def main(descriptor: int, settings_text: str) -> None:
    """Import what learners need, open the sandbox, report that all is ready, and serve requests until the socket closes."""
    gc.disable()  # what is imported here stays
    control = socket.socket(fileno=descriptor)
    settings = msgspec.json.decode(settings_text, type=Settings)
    hidden = [Path(path) for path in settings.hidden]
    enclosure = open_enclosure(Path(settings.base), hidden, settings.strongest, settings.limits)
    from embedding_course.checking.intake.quiet_shell import make_shell

    from . import worker  # noqa: F401 - a fork cannot see its file
    from .warm import warm

    shell = make_shell()
    warm(shell, settings.topics, settings.skipped)
    if settings.kernels:
        import ipykernel.kernelapp  # noqa: F401 - no context and no loop of events: those may not be there before a fork

        from .jupyter_kernels import app  # noqa: F401 - a fork cannot see its file
    gc.freeze()
    gc.enable()
    if not settings.few:  # it pays from some ten forks on
        enlarge()
    control.sendall(msgspec.msgpack.encode(Ready(enclosure.level, enclosure.how)))
    Zygote(control, enclosure, shell).serve()
    os._exit(0)  # to take everything down in order would touch, and so copy, all that is shared


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
