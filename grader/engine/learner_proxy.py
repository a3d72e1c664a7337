"""The trusted side of the wire: ask a learner's process to run cells, and for what its answers do."""

from __future__ import annotations

import contextlib
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from embedding_course.checking.codec import decode_observation, encode
from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.observation import Observation
from embedding_course.checking.result import Result, Status
from embedding_course.checking.submission_limits import LENT_ANSWERS_A_CASE
from embedding_course.subject.tensors import torch

from ..submission.plain_file import one_line
from . import wire
from .process import cpu_seconds
from .reference_process import Lending, LendingProcess, refusal
from .time_budget import OutOfTime, TimeBudget, TimedOut, TimeLimits
from .worker import FLOODED
from .zygote import Ended

__all__ = ["Crashed", "Learner", "OutOfTime", "TimeBudget", "TimeLimits", "TimedOut", "ask_for", "opened"]

#: Characters that are kept of what an exception of a cell says.
_MAX_MESSAGE_CHARACTERS = 200
#: As a learner's process tells it: the name of an exception, its message, the line.
_Raised = tuple[str, str, int]
#: The most that all answers to one exercise may weigh together, since they are judged together. The heaviest honest ones come
#: to a sixth of it, with the arguments that travel back (tests/grader/engine/test_answer_sizes.py).
_MAX_OBSERVED_BYTES = 32 * 2**20


class Crashed(Exception):
    """The learner's process is gone, or talks nonsense."""


class Learner:
    """One learner's process, with their cells run in it. `end` ends it and returns how it ended.

    Each question takes time from the submission's `budget`. It raises OutOfTime if that is used up, TimedOut if a single cell
    or call takes too long, and Crashed if `is_too_full` reports that the learner's files take more than they may.

    Attributes
    ----------
    cells
        The cells that were run.
    errors
        For each cell the name of its exception, or None.
    said
        The last exception with its message.
    line
        The line of the cell in which it was raised; 0 if that is not known.
    asked
        Whether the process has received inputs of cases. Its later messages may repeat them.
    """

    def __init__(
        self,
        sock: socket.socket,
        pid: int,
        end: Callable[[], Ended],
        time_limits: TimeLimits,
        budget: TimeBudget | None = None,
        is_too_full: Callable[[], bool] = lambda: False,
    ) -> None:
        self._sock, self._pid, self._end, self._time_limits = sock, pid, end, time_limits
        self._is_too_full = is_too_full
        self._sock.settimeout(wire.TICK)
        self._budget = budget or TimeBudget(time_limits)
        self._waiting = wire.Waiting(self._watch)
        self._before: float | None = None
        self._ended: Ended | None = None
        self._late = False
        self._large = False
        self._lender: LendingProcess | None = None
        self._lent = 0
        self.asked = False
        self.cells: list[str] = []
        self.errors: list[str | None] = []
        self.error_text = ""
        self.line = 0

    def run(self, *cells: str) -> str | None:
        """Run cells; return the name of the last one's exception, or None."""
        self.cells += cells
        try:
            cell_errors = msgspec.convert(self._ask("cells", list(cells)), list[_Raised | None])
        except msgspec.ValidationError as error:
            raise Crashed("what came back says nothing of each cell") from error
        if len(cell_errors) != len(cells):
            raise Crashed("what came back says nothing of each cell")
        for cell_error in cell_errors:
            self._note(*cell_error or (None, "", 0))
        return self.errors[-1] if self.errors else None

    def run_own(self, cell: str) -> str | None:
        """Run a cell of the learner's own on the time that own cells have left. Returns as `run` does.

        Raises
        ------
        TimedOut
            If the cell takes longer than one cell may, or than own cells have left.
        """
        time_limits, left = self._time_limits, self._budget
        self._time_limits = replace(
            time_limits, cpu=min(time_limits.cpu, left.own_cpu), clock=min(time_limits.clock, left.own_clock)
        )
        before, begun = cpu_seconds(self._pid), time.monotonic()
        try:
            return self.run(cell)
        finally:
            self._time_limits = time_limits
            left.own_cpu -= max(cpu_seconds(self._pid) - before, 0.0)
            left.own_clock -= time.monotonic() - begun

    def _note(self, name: str | None, message: str, line: int) -> None:
        """Keep what a cell raised. The words are the learner's: one line of bounded length, nothing that steers a terminal."""
        self.errors.append(None if name is None else one_line(name, 100))
        self.error_text = "" if name is None else one_line(f"{name}: {message}" if message else name, _MAX_MESSAGE_CHARACTERS)
        self.line = line

    def observe(self, question: bytes, count: int) -> Iterator[Observation | None]:
        """Return what the learner's answer does in each of `count` cases, as `ask_for` packed them.

        An observation is None if the name is not defined.
        """
        return map(opened, self.observe_packed(question, count))

    def observe_packed(self, question: bytes, count: int) -> Iterator[wire.Content]:
        """Yield the same as it comes over the wire; `opened` makes an observation of each."""
        self.asked = True
        nonce = self._send("observe", msgspec.Raw(question), ())
        left = _MAX_OBSERVED_BYTES
        for _ in range(count):
            packed = self._receive(nonce, left)
            left -= packed.weight
            yield packed

    def public(self, exercise: Exercise) -> Result | None:
        """Return the result of the public check in the learner's process; None if the name is not defined.

        Learners see this result, and it counts for nothing.
        """
        try:
            return msgspec.convert(self._ask("public", {"exercise": exercise.id}), Result | None)
        except msgspec.ValidationError as error:
            raise Crashed("what came back is no verdict") from error

    def lend(self, names: Sequence[str], lender: Lending) -> None:
        """Answer the learner's calls to these names with `lender`, in a process of its own, until `restore`."""
        self._lender = LendingProcess(lender)
        self._ask("lend", {name: lender.is_module(name) for name in names})

    def restore(self) -> None:
        """Give the learner's own functions back."""
        self._end_lender()
        self._ask("restore", None)

    def _end_lender(self) -> None:
        if self._lender is not None:
            self._budget.cpu -= self._lender.end()
        self._lender = None

    def _ask(self, kind: str, tree: Any) -> Any:
        return _unpacked(self._receive(self._send(kind, tree, [])))[0]

    def _send(self, kind: str, tree: Any, tensors: Sequence[torch.Tensor]) -> int:
        nonce = secrets.randbits(62)
        with self._patiently():
            wire.send(self._sock, nonce, kind, tree, tensors, self._waiting)
        return nonce

    def _receive(self, nonce: int, most: float = wire.ANSWER) -> wire.Content:
        """Return the packed answer to the question with this number.

        Meanwhile, answer the learner's questions to lent exercises. Raise Crashed if the answer takes more than `most` bytes.
        """
        self._lent = 0
        with self._patiently():
            while True:
                frame = wire.receive_frame(self._sock, self._waiting, wire.ANSWER)
                if frame.nonce != nonce:
                    raise Crashed("an answer to a question that was not asked")
                if frame.kind != "borrow":
                    return wire.read_content(frame.content, min(most, wire.ANSWER))
                wire.send(self._sock, nonce, *self._answer(frame.content), waiting=self._waiting)

    @contextlib.contextmanager
    def _patiently(self) -> Iterator[None]:
        """Hold one deadline for the whole block, however many frames go to and fro."""
        self._budget.look()
        self._before = None
        self._waiting.begin()
        try:
            yield
        except wire.WireError as error:
            self._large = isinstance(error, wire.TooLarge)
            raise Crashed(str(error)) from error
        finally:
            self._budget.clock -= self._waiting.waited()

    def _watch(self, waited: float) -> None:
        """Take the used processor time off the budget; called now and then while waiting."""
        used = cpu_seconds(self._pid) + (self._lender.cpu_seconds() if self._lender else 0.0)
        self._budget.look(waited, used)
        if self._before is None:
            self._before = used
        if waited > self._time_limits.clock or used - self._before > self._time_limits.cpu:
            self._late = True
            raise TimedOut
        self._look_at_files()

    def _look_at_files(self) -> None:
        if self._is_too_full():
            self._large = True
            raise Crashed("more was written to files than a submission may write")

    def _answer(self, question: msgspec.Raw) -> tuple[str, msgspec.Raw]:
        """Return kind and content of the reply to a learner who wants to borrow."""
        self._lent += 1
        self._budget.answers -= 1
        if self._lender is None:
            return refusal("nothing is lent")
        if self._lent > LENT_ANSWERS_A_CASE or self._budget.answers < 0:
            return refusal("no more is lent")
        return self._lender.answer(question, self._waiting)

    @property
    def ended(self) -> bool:
        """Return True if the process has ended."""
        return self._ended is not None

    def end(self) -> Ended:
        """End the process and everything it started; how it went."""
        if self._ended is None:
            self._end_lender()
            self._sock.close()
            self._ended = self._end()
            self._budget.cpu -= self._ended.cpu
        return self._ended

    def why(self) -> Status:
        """Return the status that Crashed or TimedOut gives the exercise."""
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


def opened(packed: wire.Content) -> Observation | None:
    """Return the observation in a packed reply; None if the name is not defined. Raise Crashed if it holds no observation."""
    reply, tensors = _unpacked(packed)
    try:
        if reply is None:
            return None
        seen = decode_observation(reply, tensors)
        return seen if seen.after is not None else replace(seen, after={})  # arguments not sent back may have changed
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise Crashed("what came back is no observation") from error


def _unpacked(packed: wire.Content) -> tuple[Any, list[torch.Tensor]]:
    try:
        return wire.unpack(packed)
    except wire.WireError as error:
        raise Crashed(str(error)) from error


def ask_for(exercise: Exercise, cases: Sequence[Case]) -> bytes:
    """Pack the inputs of an exercise's cases; the same bytes can be sent to every learner."""
    tensors: list[torch.Tensor] = []
    tree = {
        "exercise": exercise.id,
        "cases": [{"args": encode(dict(case.args), tensors), "options": encode(dict(case.options), tensors)} for case in cases],
    }
    return wire.pack(tree, tensors)
