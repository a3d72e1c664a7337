"""The learner's side of the wire: run cells, then answer calls. No answer is ever in this process.

This module must not import the catalogues or anything that does: whatever is imported here is in reach of
student code.
"""

from __future__ import annotations

import os
import random
import socket
import sys
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import torch

from embedding_course.check import public_result
from embedding_course.codec import freeze_observation, thaw
from embedding_course.exercise import Case
from embedding_course.exercises import exercise as find
from embedding_course.observe import observe, print_to
from embedding_course.silence import Silence

from . import wire
from .lent import lent_function, lent_module

__all__ = ["FLOODED", "Worker", "make_shell"]

#: The exit code of a process that printed, or wanted to send, more than it may.
FLOODED = 77
#: Characters of an exception's message that are passed on, to be shown to whoever wrote the cell.
_MOST_SAID = 300


class _Output(Silence):
    def flooded(self) -> None:
        os._exit(FLOODED)


def make_shell() -> Any:
    """An IPython shell without kernel, history or start-up files, so that magics in cells work."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.cache_size = 0
    shell = InteractiveShell.instance(config=config)
    shell.showtraceback = shell.showsyntaxerror = _no_traceback  # nobody reads it, and to lay one out takes long
    return shell


def _no_traceback(*args: Any, **options: Any) -> None:
    return None


class Worker:
    """Serves one learner's code over `sock` until the other side hangs up."""

    def __init__(self, sock: socket.socket, shell: Any, output: int) -> None:
        self.sock, self.shell = sock, shell
        self.output = _Output(output)
        self.kept: dict[str, Any] = {}
        self.nonce = 0

    def serve(self) -> None:
        """Answer frames until the connection closes."""
        sys.stdout = sys.stderr = self.output
        print_to(self.output)
        random.seed(0)
        np.random.seed(0)
        torch.default_generator.manual_seed(0)  # torch.manual_seed would write down the stack for every kind of device
        while True:
            try:
                self.nonce, kind, tree, tensors = wire.receive(self.sock)
                getattr(self, f"on_{kind}")(tree, tensors)
            except wire.TooLarge:
                os._exit(FLOODED)
            except wire.WireError:
                return

    def reply(self, tree: Any, tensors: Sequence[torch.Tensor] = ()) -> None:
        wire.send(self.sock, self.nonce, "reply", tree, tensors)

    def on_cells(self, cells: list[str], _: list[torch.Tensor]) -> None:
        """Run cells in order; the reply names the exception of each and what it said, or None."""
        self.reply([self._run(source) for source in cells])

    def _run(self, source: str) -> str | None:
        outcome = self.shell.run_cell(source, store_history=False, silent=True)
        error = outcome.error_before_exec or outcome.error_in_exec
        return None if error is None else f"{type(error).__name__}: {error}"[:_MOST_SAID]

    def on_observe(self, tree: dict[str, Any], tensors: list[torch.Tensor]) -> None:
        """Try the cases one by one; each reply is an observation, or None where the name is not defined."""
        exercise = find(tree["exercise"])
        candidate = self.shell.user_ns.get(exercise.name)
        for asked in tree["cases"]:
            found: list[torch.Tensor] = []
            reply = None
            if candidate is not None:
                case = Case("", thaw(asked["args"], tensors), "", thaw(asked["options"], tensors))
                reply = freeze_observation(observe(exercise, candidate, case, own=True), found)
            self.reply(reply, found)

    def on_public(self, tree: dict[str, Any], _: list[torch.Tensor]) -> None:
        """The public check, as the learner's own kernel runs it."""
        exercise = find(tree["exercise"])
        candidate = self.shell.user_ns.get(exercise.name)
        self.reply(msgspec.to_builtins(public_result(exercise, candidate)) if callable(candidate) else None)

    def on_lend(self, names: dict[str, bool], _: list[torch.Tensor]) -> None:
        """Put stand-ins in place of these functions and, where the name's value is true, modules."""
        for name, is_module in names.items():
            self.kept[name] = self.shell.user_ns.get(name)
            self.shell.user_ns[name] = (lent_module if is_module else lent_function)(self._borrow, name)
        self.reply(None)

    def on_restore(self, _: Any, __: list[torch.Tensor]) -> None:
        """Undo `on_lend`."""
        self.shell.user_ns.update(self.kept)
        self.kept.clear()
        self.reply(None)

    def _borrow(self, asked: dict[str, Any], tensors: Sequence[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]:
        wire.send(self.sock, self.nonce, "borrow", asked, tensors)
        _, kind, tree, found = wire.receive(self.sock)
        if kind == "refused":
            raise ValueError(str(tree))
        return tree, found
