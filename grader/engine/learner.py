"""The trusted side of the wire: ask a learner's process to run cells, and for what its answers do."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec
import torch

from embedding_course.codec import freeze, thaw_observation
from embedding_course.exercise import Case, Exercise
from embedding_course.limits import CLOCK_SECONDS, CPU_SECONDS
from embedding_course.observe import Observation
from embedding_course.result import Result, Status

from . import wire
from .process import cpu_seconds
from .worker import FLOODED
from .zygote import Ended

__all__ = ["Crashed", "Learner", "Patience", "TimedOut", "ask_for"]


@dataclass(frozen=True)
class Patience:
    """How long one cell or one call may take: seconds of processor time, so that a busy machine costs nobody a mark,
    and for one that sleeps, seconds by the clock."""

    cpu: float = CPU_SECONDS
    clock: float = CLOCK_SECONDS


class Crashed(Exception):
    """The learner's process is gone, or talks nonsense."""


class TimedOut(Exception):
    """The learner's code did not come back."""


class Lending(Protocol):
    """Who answers for a learner's earlier exercises; see `grader.lending`."""

    def is_module(self, name: str) -> bool: ...

    def answer(self, asked: dict[str, Any], found: Sequence[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]: ...


class Learner:
    """One learner's process, with their cells run in it.

    `errors` holds for each cell the name of its exception, or None; `said` is that exception in full.
    `end` ends the process and says how it went.
    """

    def __init__(self, sock: socket.socket, pid: int, end: Callable[[], Ended], patience: Patience) -> None:
        self._sock, self._pid, self._end, self._patience = sock, pid, end, patience
        self._sock.settimeout(wire.TICK)
        self._before: float | None = None
        self._ended: Ended | None = None
        self._late = False
        self._large = False
        self._lender: Lending | None = None
        self.errors: list[str | None] = []
        self.said = ""

    def run(self, *cells: str) -> str | None:
        """Run cells; the name of the last one's exception, or None."""
        said = self._ask("cells", list(cells))
        if not isinstance(said, list) or len(said) != len(cells):
            raise Crashed("what came back says nothing of each cell")
        self.errors += [None if one is None else str(one).partition(":")[0][:100] for one in said]
        self.said = "" if not said or said[-1] is None else str(said[-1])
        return self.errors[-1] if self.errors else None

    def observe(self, question: bytes, count: int) -> Iterator[Observation | None]:
        """What the learner's answer does in each of `count` cases, as `ask_for` packed them; None without such a name."""
        nonce = self._send("observe", msgspec.Raw(question), ())
        for _ in range(count):
            reply, found = self._receive(nonce)
            try:
                yield None if reply is None else thaw_observation(reply, found)
            except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
                raise Crashed("what came back is no observation") from error

    def public(self, exercise: Exercise) -> Result | None:
        """The public check in the learner's process: what they see, and nothing that counts. None without such a name."""
        try:
            return msgspec.convert(self._ask("public", {"exercise": exercise.id}), Result | None)
        except msgspec.ValidationError as error:
            raise Crashed("what came back is no verdict") from error

    def lend(self, names: Sequence[str], lender: Lending) -> None:
        """Answer the learner's calls to these names with `lender` until `restore`."""
        self._lender = lender
        self._ask("lend", {name: lender.is_module(name) for name in names})

    def restore(self) -> None:
        """Give the learner's own functions back."""
        self._ask("restore", None)
        self._lender = None

    def _ask(self, kind: str, tree: Any) -> Any:
        return self._receive(self._send(kind, tree, []))[0]

    def _send(self, kind: str, tree: Any, tensors: Sequence[torch.Tensor]) -> int:
        nonce = secrets.randbits(62)
        self._before = None
        try:
            wire.send(self._sock, nonce, kind, tree, tensors, self._watch)
        except wire.WireError as error:
            raise Crashed(str(error)) from error
        return nonce

    def _receive(self, nonce: int) -> tuple[Any, list[torch.Tensor]]:
        """The next answer to what was asked under this number; what the learner borrows meanwhile is lent."""
        self._before = None
        try:
            while True:
                echoed, answer, reply, found = wire.receive(self._sock, self._watch)
                if echoed != nonce:
                    raise Crashed("an answer to a question that was not asked")
                if answer != "borrow":
                    return reply, found
                self._answer(nonce, reply, found)
        except wire.TooLarge as error:
            self._large = True
            raise Crashed(str(error)) from error
        except wire.WireError as error:
            raise Crashed(str(error)) from error

    def _watch(self, waited: float) -> None:
        """Called now and then while waiting. What was used before the first call is too little to count."""
        used = cpu_seconds(self._pid)
        if self._before is None:
            self._before = used
        if waited > self._patience.clock or used - self._before > self._patience.cpu:
            self._late = True
            raise TimedOut

    def _answer(self, nonce: int, asked: Any, found: list[torch.Tensor]) -> None:
        try:
            if self._lender is None:
                raise ValueError("nothing is lent")
            reply, tensors = self._lender.answer(asked, found)
            wire.send(self._sock, nonce, "lent", reply, tensors, self._watch)
        except (wire.WireError, TimedOut):
            raise
        except Exception as error:  # whatever the reference says to such arguments is the borrower's business
            wire.send(self._sock, nonce, "refused", f"{type(error).__name__}", [], self._watch)

    def end(self) -> Ended:
        """End the process and everything it started; how it went."""
        if self._ended is None:
            self._sock.close()
            self._ended = self._end()
        return self._ended

    def why(self) -> Status:
        """After Crashed or TimedOut: the status that this gives the exercise."""
        ended = self.end()
        if self._late or ended.code == -24:  # SIGXCPU: the limit on the whole process
            return "timed out"
        if self._large or ended.code == FLOODED:
            return "flooded"
        if ended.code == -9 and not ended.killed:  # nobody else ends processes this way
            return "out of memory"
        return "crashed"

    def __enter__(self) -> Learner:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def ask_for(exercise: Exercise, cases: Sequence[Case]) -> bytes:
    """Pack the inputs of an exercise's cases, once for all who are asked."""
    tensors: list[torch.Tensor] = []
    tree = {
        "exercise": exercise.id,
        "cases": [{"args": freeze(dict(case.args), tensors), "options": freeze(dict(case.options), tensors)} for case in cases],
    }
    return wire.pack(tree, tensors)
