"""The trusted side of the wire: start learners' processes, have them run cells, and ask them for results."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import torch

from embedding_course.codec import freeze, thaw, thaw_observation
from embedding_course.exercise import Case, Exercise
from embedding_course.observe import Observation
from embedding_course.plain import plain
from embedding_course.result import Result

from . import wire

__all__ = ["Crashed", "Learner", "Learners", "TimedOut"]

#: Seconds after which a call or a cell counts as one that never ends: some hundred times what any should take.
PATIENCE = 30.0


class Crashed(Exception):
    """The learner's process is gone, or talks nonsense."""


class TimedOut(Exception):
    """The learner's code did not come back."""


class Learners:
    """A zygote, and the learners forked from it. Use as a context manager; safe to share between threads."""

    def __init__(self) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="grader-")
        mine, theirs = socket.socketpair()
        environment = {
            **os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
            "MPLBACKEND": "Agg", "IPYTHONDIR": self._home.name, "HOME": self._home.name, "PYTHONHASHSEED": "0",
        }  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-m", "grader.engine.zygote", str(theirs.fileno())],
            pass_fds=[theirs.fileno()], env=environment, cwd=self._home.name, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        theirs.close()
        self._control, self._lock = mine, threading.Lock()
        if self._control.recv(1) != b"r":
            raise RuntimeError("the grading process could not start; its last words stand above")

    def start(self, cells: Sequence[str] = (), patience: float = PATIENCE) -> Learner:
        """Fork a learner's process and run `cells` in it."""
        mine, theirs = socket.socketpair()
        with self._lock:
            socket.send_fds(self._control, [b"f"], [theirs.fileno()])
            pid = int.from_bytes(self._control.recv(4), "big")
        theirs.close()
        return Learner(mine, pid, cells, patience)

    def __enter__(self) -> Learners:
        return self

    def __exit__(self, *_: object) -> None:
        self._control.close()
        self._process.wait()
        self._home.cleanup()


class Learner:
    """One learner's process, with their cells run in it.

    `errors` holds for each cell the name of its exception, or None.
    """

    def __init__(self, sock: socket.socket, pid: int, cells: Sequence[str], patience: float = PATIENCE) -> None:
        self._sock, self._pid, self._patience = sock, pid, patience
        self.lender: Callable[[str, tuple, dict], Any] | None = None
        self.errors: list[str | None] = []
        try:
            self.errors = self._run(cells)
        except BaseException:
            self.close()
            raise

    def run(self, source: str) -> str | None:
        """Run one more cell; the name of its exception, or None."""
        self.errors += self._run([source])
        return self.errors[-1]

    def _run(self, cells: Sequence[str]) -> list[str | None]:
        said = self._ask("cells", list(cells), [])[0]
        if not isinstance(said, list) or len(said) != len(cells):
            raise Crashed("what came back says nothing of each cell")
        return [None if name is None else str(name) for name in said]

    def observe(self, exercise: Exercise, case: Case) -> Observation | None:
        """What the learner's answer does in one case; None when there is no such name."""
        tensors: list[torch.Tensor] = []
        tree = {
            "exercise": exercise.id,
            "args": freeze(dict(case.args), tensors),
            "options": freeze(dict(case.options), tensors),
        }
        reply, found = self._ask("observe", tree, tensors)
        try:
            return None if reply is None else thaw_observation(reply, found)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Crashed("what came back is no observation") from error

    def public(self, exercise: Exercise) -> Result:
        """The public check in the learner's process: what they see, and nothing that counts."""
        return msgspec.convert(self._ask("public", {"exercise": exercise.id}, [])[0], Result)

    def lend(self, names: Sequence[str], lender: Callable[[str, tuple, dict], Any]) -> None:
        """Answer the learner's calls to these names with `lender` until `restore`."""
        self.lender = lender
        self._ask("lend", list(names), [])

    def restore(self) -> None:
        """Give the learner's own functions back."""
        self._ask("restore", None, [])
        self.lender = None

    def _ask(self, kind: str, tree: Any, tensors: list[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]:
        nonce = secrets.randbits(62)
        self._sock.settimeout(self._patience)
        try:
            wire.send(self._sock, nonce, kind, tree, tensors)
            while True:
                echoed, answer, reply, found = wire.receive(self._sock)
                if echoed != nonce:
                    raise Crashed("an answer to a question that was not asked")
                if answer != "borrow":
                    return reply, found
                self._answer(nonce, reply, found)
        except TimeoutError as error:
            raise TimedOut from error
        except wire.WireError as error:
            raise Crashed(str(error)) from error

    def _answer(self, nonce: int, asked: Any, found: list[torch.Tensor]) -> None:
        tensors: list[torch.Tensor] = []
        try:
            if self.lender is None:
                raise ValueError("nothing is lent")
            args, options = thaw(asked["args"], found), thaw(asked["options"], found)
            value = self.lender(str(asked["name"]), args, options)
            reply = [plain(value), plain(args), plain(options)]  # arguments too: some functions write to theirs
            wire.send(self._sock, nonce, "lent", freeze(reply, tensors), tensors)
        except wire.WireError:
            raise
        except Exception as error:  # whatever the reference says to such arguments is the borrower's business
            wire.send(self._sock, nonce, "refused", f"{type(error).__name__}", [])

    def close(self) -> None:
        """End the process and everything it started in its session."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        self._sock.close()

    def __enter__(self) -> Learner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
