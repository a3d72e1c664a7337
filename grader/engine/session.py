"""One submission's processes: each end costs the question at hand, and a new fork goes on with the rest."""

from __future__ import annotations

from collections.abc import Sequence

from embedding_course.result import Status

from ..submission.rebuild import Runnable
from .learner import Crashed, Learner, TimedOut
from .learners import Starter

__all__ = ["OutOfTime", "Session"]


class OutOfTime(Exception):
    """The submission used up the processor time that it has as a whole."""


class Session:
    """A learner's process that is started anew after each end, without the cell that ended it.

    `lost` says of which exercises the cell itself ended the process, and how; `raised` what cells said that raised, by
    their source. `cpu` seconds are what all processes of
    the submission may use together.
    """

    def __init__(self, learners: Starter, cells: Sequence[Runnable], cpu: float = 120.0) -> None:
        self._learners, self._cells, self._cpu = learners, list(cells), cpu
        self._learner: Learner | None = None
        self.lost: dict[str, Status] = {}
        self.raised: dict[str, str] = {}
        self.spent = 0.0
        self.memory = 0

    def open(self) -> Learner:
        """The process with all cells run in it. OutOfTime when there is no time left for another one."""
        while self._learner is None:
            if self.spent > self._cpu:
                raise OutOfTime
            self._learner = self._start()
        return self._learner

    def _start(self) -> Learner | None:
        """Run the cells one by one; cells that met a name not yet defined get a second chance after all the others.
        None when a cell ended the process: it is left out from then on."""
        learner = self._learners.start()
        order = list(range(len(self._cells)))
        for place, index in enumerate(order):
            try:
                error = learner.run(self._cells[index].source)
            except (Crashed, TimedOut):
                self._account(learner)
                cell = self._cells.pop(index)
                if cell.answers:
                    self.lost[cell.answers] = learner.why()
                return None
            self.raised[self._cells[index].source] = learner.said or error or ""
            if error == "NameError" and place < len(self._cells):
                order.append(index)
        return learner

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
