"""Start learners' processes: a warm zygote, and forks of it behind the sandbox."""

from __future__ import annotations

import importlib.util
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from embedding_course.messages import VARIABLE
from embedding_course.subject.course import course, course_named

from ..errors import PhraseError
from ..paths import ENGINE, ROOT
from .interpreter import WrongPython, python_path, version_of_python
from .sandbox import Level, Limits
from .sandbox.file_view import HOME
from .sandbox.private_folder import folder_of, is_too_full
from .time_budget import TimeBudget, TimeLimits
from .zygote import Ended, Ready, Settings

if TYPE_CHECKING:
    from .learner_proxy import Learner

# Jupyter's sockets, threads and loops of events.
_FILES_OF_A_KERNEL = 256

# Nothing else of the instructor's environment reaches a learner: a password to a database may be in it.
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT", VARIABLE)
# Passive, since a learner may ask torch for more threads: on a busy machine threads that spin take three times as long.
_THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}


class NoSandbox(PhraseError, RuntimeError):
    """Nothing on this machine shuts a process in."""


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
        return Fork(mine, _seen_from_here(pid, descriptors), lambda: self._end(pid), lambda: self._is_too_full(pid))

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

    def twin(self) -> Forks:
        """Return a second zygote that shares the first one's memory, for another process of ours to use."""
        mine, theirs = socket.socketpair()
        with self._lock:
            socket.send_fds(self._control, [b"twin"], [theirs.fileno()])
            self._control.recv(1)
        theirs.close()
        return Forks(mine, self.level, self.how, self.time_limits, self._base, self.limits)

    def close(self) -> None:
        """Close the control socket, whereupon the zygote ends its forks and itself."""
        self._control.close()


class Learners(Forks):
    """A zygote of our own, and the learners forked from it. Use it as a context manager.

    `level` and `how` describe the sandbox.

    Parameters
    ----------
    strongest
        The strongest level to use, if it shall be weaker than the machine allows.
    trusted
        Run learners even without a sandbox, and where they could read the worked solutions.
    hidden
        Further folders that learners may not see.
    kernels
        Whether forks can be Jupyter kernels as well.
    topics
        The notebooks whose exercises are prepared in advance; None stands for all. Other exercises work too.
    python
        The path of another Python that runs the cells; empty for this one. `how` then names it.
    wait
        Whether to return only when the zygote is ready. If it is False, `await_ready` has to be called before the first fork.

    Raises
    ------
    NoSandbox
        If no sandbox works here, or if learners could read the worked solutions, unless `trusted`.
    WrongPython
        If the other Python cannot run the cells.
    """

    def __init__(
        self,
        *,
        strongest: Level = "full",
        trusted: bool = False,
        limits: Limits | None = None,
        time_limits: TimeLimits | None = None,
        hidden: Sequence[Path] = (),
        kernels: bool = False,
        topics: Sequence[str] | None = None,
        python: str = "",
        wait: bool = True,
    ) -> None:
        if not trusted and importlib.util.find_spec(course().solutions_package):
            raise NoSandbox(
                "the worked solutions are installed beside the grader, where every submission could read them; "
                f"run pip uninstall {course().solutions_package.replace('_', '-')}, then grade"
            )
        self.python = python
        self._which = f"; Python {version_of_python(python)}, {python}" if python else ""
        self._trusted = trusted
        self._home = tempfile.TemporaryDirectory(prefix="grader-")
        Path(self._home.name).chmod(0o755)
        base = Path(self._home.name, "base")
        for folder in (base, Path(self._home.name, "ipython"), Path(self._home.name, "matplotlib")):
            folder.mkdir()
        limits = limits or Limits()
        if kernels:
            limits = replace(limits, open_files=max(limits.open_files, _FILES_OF_A_KERNEL))
        out_of_sight = [str(path.resolve()) for path in dict.fromkeys((ENGINE, ROOT, *hidden))]
        settings = Settings(str(base), out_of_sight, strongest, limits, kernels, topics)
        words = [python or sys.executable, "-P", "-m", "grader.engine.zygote"]
        mine, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [*words, str(theirs.fileno()), msgspec.json.encode(settings).decode()],
            pass_fds=[theirs.fileno()],
            env=self._environment(),
            cwd=self._home.name,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us, who end it then
        )
        theirs.close()
        super().__init__(mine, "none", "", time_limits or TimeLimits(), base, limits)
        if wait:
            self.await_ready()

    def is_ready(self) -> bool:
        """Return True if `await_ready` would return, or raise, at once."""
        return bool(self.how) or bool(select.select([self._control], [], [], 0)[0])

    def await_ready(self) -> None:
        """Wait until processes can be forked. Raises what the class says."""
        if self.how:
            return
        try:
            ready = msgspec.msgpack.decode(self._control.recv(1024), type=Ready)
        except (msgspec.DecodeError, OSError):
            self.close()
            text = "the grading process could not start; its last words stand above"
            raise (WrongPython(f"{text}{self._which}") if self.python else RuntimeError(text)) from None
        self.how = ready.how + self._which
        self.level: Level = ready.level
        if self.level == "none" and not self._trusted:
            self.close()
            raise NoSandbox(
                "nothing on this machine shuts student code in (neither namespaces nor Landlock work here); "
                "grade on Linux, or say --trust-submissions if you trust every file"
            )

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        if self.python:
            kept["PYTHONPATH"] = python_path()
        return {
            **kept,
            **_THREADS,
            **course_named(),
            "MPLBACKEND": "Agg",
            "HOME": HOME,
            "TMPDIR": f"{HOME}/tmp",
            "PYTHONHASHSEED": "0",
            "IPYTHONDIR": str(Path(self._home.name, "ipython")),
            "MPLCONFIGDIR": str(Path(self._home.name, "matplotlib")),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def close(self) -> None:
        """End the zygote, and every learner with it."""
        self._control.close()
        self._process.wait()
        self._home.cleanup()

    def __enter__(self) -> Learners:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _seen_from_here(pid: int, descriptors: Sequence[int]) -> int:
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
