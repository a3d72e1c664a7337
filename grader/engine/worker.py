"""The learner's side of the wire: run cells, then answer calls. No answer is ever in this process.

This module must not import the catalogues or anything that does: whatever is imported here is in reach of
student code.
"""

import itertools
import math
import operator
import os
import random
import socket
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np

from embedding_course.checking.carried import seed
from embedding_course.checking.codec import decode, encode_observation
from embedding_course.checking.dropped_output import Silence
from embedding_course.checking.exercise import Case
from embedding_course.checking.intake.progress_bars import offer_progress_bars
from embedding_course.checking.intake.quiet_shell import name_and_message, raised
from embedding_course.checking.observation import Observation
from embedding_course.checking.observe import observe, print_to
from embedding_course.checking.wire_data import OtherObject
from embedding_course.exercises import find_exercise, known
from embedding_course.learner.check import public_result
from embedding_course.subject.tensors import torch

from . import wire
from .reference_calls import lent_function, lent_module

#: Bytes of questions and answers that are kept. They count among what the learner's own code may take.
_MAX_KEPT_BYTES = 16 * 2**20


class AnswerCache:
    """Answers of the trusted side, packed, by the questions that they answer.

    Not kept are modules, of which each has parameters of its own, and answers of exercises that draw random numbers.
    """

    def __init__(self) -> None:
        self._kept: dict[bytes, bytes] = {}
        self._left = _MAX_KEPT_BYTES

    def answer(self, asked: dict[str, Any], tensors: Sequence[torch.Tensor], ask: Callable[[bytes], bytes]) -> bytes:
        """Return the packed answer to a question: the kept one, else the one that `ask` gives.

        Parameters
        ----------
        asked : dict of str to Any
            The question: which exercise is called or built, and with which arguments.
        tensors : sequence of torch.Tensor
            Tensors to which `asked` refers.
        ask : callable
            Called with the packed question if its answer is not kept; what it raises is passed on.
        """
        question = wire.pack(asked, tensors)
        answer = self._kept.get(question)
        if answer is None:
            answer = ask(question)
            weight = len(question) + len(answer)
            if "build" not in asked and not _draws(asked["name"]) and weight <= self._left:
                self._left -= weight
                self._kept[question] = answer
        return answer


@cache
def _draws(name: str) -> bool:
    return any(exercise.draws for exercise in known().values() if exercise.name == name)


#: The exit code of a process that printed, or wanted to send, more than it may.
FLOODED = 77


class _Output(Silence):
    def flooded(self) -> None:
        os._exit(FLOODED)


class Worker:
    """Serves one learner's code over `sock` until the other side hangs up."""

    def __init__(self, sock: socket.socket, shell: Any, output: int) -> None:
        self.sock, self.shell = sock, shell
        self.output = _Output(output)
        self.kept: dict[str, Any] = {}
        self.answers = AnswerCache()
        self.nonce = 0
        self.engine: Any = None

    def serve(self) -> None:
        """Answer frames until the connection closes."""
        sys.stdout = sys.stderr = self.output
        print_to(self.output)
        offer_progress_bars()
        sys.path.append("")  # as in a kernel: what one cell writes into a file another may import
        random.seed(0)
        np.random.seed(0)
        seed()
        while True:
            try:
                self.nonce, kind, tree, tensors = wire.receive(self.sock, most=math.inf)
                getattr(self, f"on_{kind}")(tree, tensors)
            except wire.TooLarge:
                os._exit(FLOODED)
            except wire.WireError:
                return

    def reply(self, tree: Any, tensors: Sequence[torch.Tensor] = ()) -> None:
        """Send the reply to the question that is being answered."""
        wire.send(self.sock, self.nonce, "reply", tree, tensors, cap=wire.ANSWER)

    def on_cells(self, cells: list[str], _: list[torch.Tensor]) -> None:
        """Run cells in order; the reply holds the exception, its text and its line for each cell, or None."""
        self.reply([raised(self.shell.run_cell(source, store_history=False, silent=True)) for source in cells])

    def on_observe(self, tree: dict[str, Any], tensors: list[torch.Tensor]) -> None:
        """Try the cases one by one; each reply is an observation, or None where the name is not defined."""
        exercise = find_exercise(tree["exercise"])
        candidate = self.shell.user_ns.get(exercise.name)
        for asked in tree["cases"]:
            reply_tensors: list[torch.Tensor] = []
            reply = None
            if candidate is not None:
                case = Case("", decode(asked["args"], tensors), "", decode(asked["options"], tensors))
                reply = _encoded(observe(exercise, candidate, case, own=True), reply_tensors)
            self.reply(reply, reply_tensors)

    def on_public(self, tree: dict[str, Any], _: list[torch.Tensor]) -> None:
        """Run the public check as the learner's own kernel does."""
        exercise = find_exercise(tree["exercise"])
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
        for name, value in self.kept.items():
            if value is None:
                self.shell.user_ns.pop(name, None)
            else:
                self.shell.user_ns[name] = value
        self.kept.clear()
        self.answers = AnswerCache()
        self.reply(None)

    def on_build(self, collections: list[list[str]], _: list[torch.Tensor]) -> None:
        """Make the learner's `Engine` of lists of texts; the reply is name and message of what it raised, or None."""

        def build() -> None:
            self.engine = self.shell.user_ns["Engine"](*collections)

        self.reply(_raised_by(build))

    def on_search(self, asked: dict[str, Any], _: list[torch.Tensor]) -> None:
        """Ask that engine; the reply is the name of what it raised, or None, and the whole numbers that it found."""
        document_numbers: list[int] = []

        def search() -> None:
            most = asked["k"] + 1  # one more shows that there are too many
            document_numbers.extend(map(operator.index, itertools.islice(self.engine.search(asked["query"], asked["k"]), most)))

        error = _raised_by(search)
        self.reply([error and error[0], document_numbers])

    def _borrow(self, asked: dict[str, Any], tensors: Sequence[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]:
        return wire.unpack(self.answers.answer(asked, tensors, self._lent), math.inf)

    def _lent(self, question: bytes) -> bytes:
        """Return the answer of the trusted side, packed as the question is. Raise ValueError if it refuses."""
        wire.send(self.sock, self.nonce, "borrow", msgspec.Raw(question), cap=wire.ANSWER)
        frame = wire.receive_frame(self.sock)
        if frame.kind == "refused":
            raise ValueError(str(wire.unpack(frame.content)[0]))
        return bytes(frame.content)


def _encoded(seen: Observation, tensors: list[torch.Tensor]) -> dict[str, Any]:
    """Return an observation in the form in which it is sent.

    A result that cannot be sent, such as an object that pretends to be a tensor, is replaced by the name of its type.
    """
    try:
        return encode_observation(seen, tensors)
    except Exception:
        tensors.clear()
        return encode_observation(Observation(OtherObject(type(seen.value).__name__)), tensors)


def _raised_by(call: Callable[[], None]) -> tuple[str, str] | None:
    try:
        call()
    except BaseException as error:  # a learner's code may raise anything
        return name_and_message(error)
    return None
