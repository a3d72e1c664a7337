"""A lender in a child of ours. What it computes, and on what, is a learner's choice: so it may die of it, and we do not."""

import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from embedding_course.checking.submission_limits import LENT_MEMORY, SUBMISSION_SECONDS
from embedding_course.subject.tensors import torch

from . import wire
from .process import cpu_seconds
from .sandbox import linux_calls as kernel
from .sandbox.resource_limits import address_space, lower

_MAX_DESCRIPTORS = 2**16


class Lending(Protocol):
    """Who answers for a learner's earlier exercises; see `grader.marking.reference_answers`."""

    def is_module(self, name: str) -> bool:
        """Return True if the right answer to the earlier exercise of this name is a class."""
        ...

    def answer(self, asked: dict[str, Any], tensors: Sequence[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]:
        """Return the reply to one question, as a tree and its tensors; `tensors` are those of the question."""
        ...


class LendingProcess:
    """Answers with `lender`, in a child process that is forked when the first question comes.

    When the child has ended, for example at one of its limits, every further question is refused. `end` ends it.
    """

    def __init__(self, lender: Lending) -> None:
        self._lender = lender
        self._pid: int | None = None
        self._sock: socket.socket | None = None
        self._used = 0.0

    def answer(self, question: msgspec.Raw, waiting: wire.Waiting) -> tuple[str, msgspec.Raw]:
        """Return kind and content of the reply to a question, packed as they travel. What `waiting` raises comes out."""
        if self._pid is None:
            self._begin()
        if self._sock is None:
            return refusal("the lender has ended")
        try:
            wire.send(self._sock, 0, "asked", question, waiting=waiting)
            frame = wire.receive_frame(self._sock, waiting, wire.ANSWER)
        except wire.WireError as error:
            self.end()
            return refusal(str(error))
        return frame.kind, frame.content

    def cpu_seconds(self) -> float:
        """Return processor time that the child has used."""
        return cpu_seconds(self._pid or 0) if self._sock is not None else self._used

    def end(self) -> float:
        """End the child, whatever it is at; the processor time that it has used."""
        if self._sock is not None and self._pid is not None:
            self._sock.close()
            self._sock = None
            os.kill(self._pid, signal.SIGKILL)  # nobody waits for it but we, so the number is still its own
            usage = os.wait4(self._pid, 0)[2]
            self._used = usage.ru_utime + usage.ru_stime
        return self._used

    def _begin(self) -> None:
        mine, theirs = socket.socketpair()
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                _bound(theirs.fileno(), parent)
                _serve(self._lender, theirs)
            finally:
                os._exit(0)
        theirs.close()
        mine.settimeout(wire.TICK)
        self._sock = mine


def refusal(reason: str) -> tuple[str, msgspec.Raw]:
    """Return a reply that lends nothing."""
    return "refused", msgspec.Raw(wire.pack(reason))


def _bound(kept: int, parent: int) -> None:
    """Prepare the child: keep nothing open but this descriptor, end when the parent does, and take limits."""
    if sys.platform == "linux":
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # a collector would touch, and so copy, all that is shared
    torch.set_num_threads(1)  # the process that forked this one may have had more threads, which are not copied
    os.closerange(3, kept)
    os.closerange(kept + 1, _MAX_DESCRIPTORS)
    lower({resource.RLIMIT_AS: address_space() + LENT_MEMORY, resource.RLIMIT_CPU: SUBMISSION_SECONDS})


def _serve(lender: Lending, sock: socket.socket) -> None:
    """Answer requests until the other side closes the socket or sends something else than a frame."""
    while True:
        kind, content = _answered(lender, sock)
        try:
            wire.send(sock, 0, kind, content, cap=wire.ANSWER)
        except wire.TooLarge as error:
            wire.send(sock, 0, *refusal(str(error)))


def _answered(lender: Lending, sock: socket.socket) -> tuple[str, msgspec.Raw]:
    try:
        _, _, asked, tensors = wire.receive(sock)
        return "lent", msgspec.Raw(wire.pack(*lender.answer(asked, tensors)))
    except wire.TooLarge as error:
        return refusal(str(error))
    except wire.WireError:
        raise
    except Exception as error:  # whatever the reference says to such arguments is the borrower's business
        return refusal(type(error).__name__)
