"""Start a zygote: a process with everything imported, from which sandboxed learners' processes are forked."""

from __future__ import annotations

import importlib.util
import os
import select
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from embedding_course.messages import VARIABLE
from embedding_course.subject.course import course, course_named

from ..errors import PhraseError
from ..paths import ENGINE, ROOT
from .forks import Forks
from .interpreter import WrongPython, python_path, version_of_python
from .sandbox import Level, Limits
from .sandbox.file_view import HOME
from .time_budget import TimeLimits
from .zygote import Ready, Settings

# Jupyter's sockets, threads and loops of events.
_FILES_OF_A_KERNEL = 256

# Nothing else of the instructor's environment reaches a learner: a password to a database may be in it.
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT", VARIABLE)
# Passive, since a learner may ask torch for more threads: on a busy machine threads that spin take three times as long.
_THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}


class NoSandbox(PhraseError, RuntimeError):
    """No sandbox works on this machine."""


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
    skipped
        Modules that are not imported in advance, because no submission needs them.
    forked
        Whether the zygote is a fork of this process instead of a new one, and so shares what is imported here. This process
        has to have one thread, and must not have read an answer or a seed yet: a learner could find it in memory.
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
        skipped: Sequence[str] = (),
        forked: bool = False,
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
        settings = Settings(str(base), out_of_sight, strongest, limits, kernels, topics, skipped, few=forked)
        text = msgspec.json.encode(settings).decode()
        mine, theirs = socket.socketpair()
        if forked:
            self._process = _ForkedZygote(theirs, text, self._environment(), self._home.name)
        else:
            self._process = subprocess.Popen(
                [python or sys.executable, "-P", "-m", "grader.engine.zygote", str(theirs.fileno()), text],
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


class _ForkedZygote:
    """A zygote that is a fork of this process, with an environment, a folder and descriptors as a new process would have."""

    def __init__(self, control: socket.socket, settings: str, environment: dict[str, str], folder: str) -> None:
        self._pid = os.fork()
        if self._pid:
            return
        try:
            os.setsid()
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment)
            null = os.open(os.devnull, os.O_RDONLY)
            os.dup2(null, 0)
            os.closerange(3, control.fileno())
            os.closerange(control.fileno() + 1, 1024)
            from .zygote import main

            main(control.fileno(), settings)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)

    def wait(self) -> None:
        """Wait until the zygote has ended."""
        os.waitpid(self._pid, 0)
