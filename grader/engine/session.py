"""One submission's processes: each end costs the question at hand, and a new fork goes on with the rest."""

from __future__ import annotations

from collections.abc import Sequence

from embedding_course.checking.intake.statements import left_after
from embedding_course.checking.intake.steps import Step
from embedding_course.checking.result import Status

from .fork_server import Starter
from .learner import Crashed, Learner
from .patience import Allowance, OutOfTime, TimedOut

__all__ = ["Session"]

#: How often cells that met a name not yet defined are run again.
_ROUNDS = 5


class Session:
    """A learner's process that is started anew after each end, without what ended it. Its cells are single statements mostly.

    `lost` says in the cells of which exercises something ended the process, and how; `raised` what was raised, and where, by
    what raised it. All processes of the submission share one allowance of time.
    """

    def __init__(self, learners: Starter, cells: Sequence[Step]) -> None:
        self._learners, self._cells = learners, list(cells)
        self._allowance = Allowance(learners.patience)
        self._learner: Learner | None = None
        self._ended: set[tuple[str, ...]] = set()
        self.lost: dict[str, Status] = {}
        self.raised: dict[Step, str] = {}
        self.spent = 0.0
        self.memory = 0

    def open(self) -> Learner:
        """The process with all cells run in it. OutOfTime when there is no time left for that."""
        while self._learner is None:
            self._allowance.look()
            self._learner = self._start()
        return self._learner

    def _start(self) -> Learner | None:
        """Run the cells one by one; those that met a name not yet defined are run again after all the others, as long as that
        helps. None when one ended the process: it is left out from then on."""
        learner = self._learners.start(allowance=self._allowance)
        left = list(range(len(self._cells)))
        for _ in range(_ROUNDS):
            again = []
            for index in left:
                try:
                    error = self._run(learner, self._cells[index])
                except OutOfTime:
                    self._account(learner)
                    raise
                except (Crashed, TimedOut):
                    self._account(learner)
                    self._leave_out(index, learner.why())
                    return None
                if error == "NameError":
                    again.append(index)
            if len(again) == len(left):
                break
            left = again
        return learner

    def _run(self, learner: Learner, cell: Step) -> str | None:
        """Run one cell; the name of what it raised. A definition whose decorator fails is taken without it."""
        self.raised.pop(cell, None)
        error = learner.run(cell.source)
        if error is not None:
            where = f" (line {cell.line + learner.line - 1})" if learner.line else ""
            self.raised[cell] = learner.said + where
            if cell.undecorated:
                learner.run(cell.undecorated)
        return error

    def _leave_out(self, index: int, status: Status) -> None:
        for name in self._cells[index].answers:
            self.lost.setdefault(name, status)
        self._cells = left_after(self._cells, index, self._ended)

    def close(self) -> None:
        """End the process; the next `open` starts another."""
        if self._learner is not None:
            self._account(self._learner)
        self._learner = None

    def _account(self, learner: Learner) -> None:
        ended = learner.end()
        self.spent += ended.cpu
        self.memory = max(self.memory, ended.memory)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
