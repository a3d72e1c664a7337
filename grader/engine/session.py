"""Run a submission step by step. A step that ends the process is reduced or left out, and a new process runs the rest."""

from __future__ import annotations

from collections.abc import Sequence

from embedding_course.checking.intake.statements import definitions_only, split
from embedding_course.checking.intake.steps import Step, rest_to_run
from embedding_course.checking.result import Status

from .forks import Starter
from .learner_proxy import Crashed, Learner
from .time_budget import OutOfTime, TimeBudget, TimedOut

#: How often, at the end, cells that met a name not yet defined are run again.
_ROUNDS = 5
#: Own cells that took less than this in an earlier process, in seconds of processor time, run again in each.
_QUICK = 0.2
#: After so many steps that ended a process, only the definitions of further own cells run: each end costs a new process.
_MAX_ENDS = 10


class Session:
    """One submission's processes, all on one budget of time.

    Attributes
    ----------
    steps : list of Step
        What is run and checked, in order.
    ended : dict of Step to Status
        Steps that ended a process, and how. Of such a step only the definitions, imports and constants run afterwards; where
        these end the process too, nothing of it.
    too_long : list of Step
        Own cells of which only the definitions ran, because own cells had used up their time or had ended many processes.
    raised : dict of Step to str
        What steps raised. The text is empty where a hidden input had been sent before: `words` has it.
    spent, memory : float, int
        Seconds of processor time of all ended processes, and the largest one's memory in bytes.
    """

    def __init__(self, learners: Starter, steps: Sequence[Step], budget: TimeBudget | None = None) -> None:
        self._learners, self.steps = learners, list(steps)
        self._budget = budget or TimeBudget(learners.time_limits)
        self._learner: Learner | None = None
        self._next = 0
        self._finished = False
        self._unnamed: dict[int, int] = {}  # step -> the line from which on it is run again
        self.ended: dict[Step, Status] = {}
        self._left_out: set[Step] = set()
        self._mended: dict[Step, list[str]] = {}
        self._quick: set[Step] = set()
        self.too_long: list[Step] = []
        self.raised: dict[Step, str] = {}
        self.spent = 0.0
        self.memory = 0

    def reach(self, position: int) -> Learner:
        """Return a process in which all steps before `position` have run, in order. Raise OutOfTime if no time is left."""
        while True:
            try:
                self._budget.look()
                if self._learner is None or self._learner.ended:
                    self._start()
                while self._next < position:
                    self._run_step(self._next)
                    self._next += 1
                assert self._learner is not None
                return self._learner
            except OutOfTime:
                self.close()
                raise
            except (Crashed, TimedOut):
                self._reduce(self.steps[self._next])

    def finish(self) -> Learner:
        """Return a process in the notebook's final state, in which all steps have run.

        Steps that failed because of a name which a later step defines are run again from there, as long as that helps.
        """
        while True:
            learner = self.reach(len(self.steps))
            if self._finished or not self._unnamed:
                return learner
            self._finished = True
            try:
                self._run_unnamed()
            except OutOfTime:
                self.close()
                raise
            except (Crashed, TimedOut):
                self._reduce(self.steps[self._next])

    def mend(self, step: Step, text: str, position: int) -> Learner:
        """Run a mended definition behind the step that it belongs to, in this process and in those that follow.

        Parameters
        ----------
        step : Step
            Step whose cell holds the definition.
        text : str
            Source of the mended definition.
        position : int
            Number of the session's first steps that must have run in the returned process.

        Returns
        -------
        Learner
            A process as `reach` returns it.
        """
        self.reach(position)
        self._mended.setdefault(step, []).append(text)
        try:
            self._run(step, text)
        except OutOfTime:
            self.close()
            raise
        except (Crashed, TimedOut):
            self._reduce(step)
        return self.reach(position)

    def may_change_after(self, position: int) -> bool:
        """Return True if the final state may differ from that at `position`: a cell of the learner's stands behind it."""
        return bool(self._unnamed) or any(step.kind not in ("check", "given") for step in self.steps[position:])

    def words(self) -> dict[Step, str]:
        """Return what each step raised, in words that hold no hidden input.

        Where a step raised something after a hidden input had been sent, the notebook is run once more without any check.
        """
        if all(self.raised.values()):
            return self.raised
        try:
            with Session(self._learners, self.steps, self._budget) as again:
                again.ended, again._left_out, again._mended = dict(self.ended), set(self._left_out), self._mended
                again.finish()
                return again.raised
        except OutOfTime:
            return {step: text for step, text in self.raised.items() if text}

    def _start(self) -> None:
        self.close()
        self._learner = self._learners.start(budget=self._budget)
        self._next, self._finished = 0, False
        self._unnamed.clear()

    def _run_step(self, index: int) -> None:
        step = self.steps[index]
        if step.kind == "check" or step in self._left_out:
            return
        self.raised.pop(step, None)
        if step in self.ended or not self._has_time_for(step):
            reduced = definitions_only(step.source)
            if reduced:
                self._note(step, self._run(step, reduced))
        else:
            self._run_whole(index)
        for text in filter(None, (step.naming, *self._mended.get(step, ()))):
            self._run(step, text)

    def _run_whole(self, index: int) -> None:
        step, before = self.steps[index], self._budget.own_cpu
        error = self._run(step, step.source)
        if error is not None:
            self._note(step, error)
            self._run_rest(index, error)
        if before - self._budget.own_cpu < _QUICK:
            self._quick.add(step)

    def _has_time_for(self, step: Step) -> bool:
        if step in self._quick:
            return True
        left = self._budget.own_cpu > 0 and self._budget.own_clock > 0 and len(self.ended) < _MAX_ENDS
        if left or step.kind not in ("own", "demonstration"):
            return True
        if step not in self.too_long:
            self.too_long.append(step)
        return False

    def _run(self, step: Step, source: str) -> str | None:
        assert self._learner is not None
        limited = step.kind in ("own", "demonstration") and step not in self._quick
        return self._learner.run_own(source) if limited else self._learner.run(source)

    def _note(self, step: Step, error: str | None, offset: int = 0) -> None:
        learner = self._learner
        assert learner is not None
        if error is None or step in self.raised:
            return
        where = f" (line {learner.line + offset})" if learner.line else ""
        self.raised[step] = "" if learner.asked else learner.error_text + where

    def _run_rest(self, index: int, error: str) -> None:
        """Run, after an exception, what of the cell can still run."""
        step = self.steps[index]
        assert self._learner is not None
        line = self._learner.line
        if error == "NameError":
            self._unnamed[index] = line
        for text, undecorated in rest_to_run(step.source, line):
            error_below = self._run(step, text)
            if error_below == "NameError":
                self._unnamed.setdefault(index, 0)
            if error_below is not None and undecorated:
                self._run(step, undecorated)

    def _run_unnamed(self) -> None:
        for _ in range(_ROUNDS):
            again, self._unnamed = self._unnamed, {}
            for index, line in again.items():
                self._next = index  # should it end the process, that step is to blame
                self._run_again(index, line)
            self._next = len(self.steps)
            if not self._unnamed or self._unnamed == again:
                return

    def _run_again(self, index: int, line: int) -> None:
        """Run a cell from the statement on that met a name which was not defined."""
        step = self.steps[index]
        left = [statement for statement in split(step.source) if statement.last_line >= line]
        if left:  # the line may be one of code that the cell ran by `exec`
            self.raised.pop(step, None)
        for statement in left:
            error = self._run(step, statement.text)
            if error is not None:
                self._note(step, error, statement.line - 1)
            if error == "NameError":
                self._unnamed.setdefault(index, statement.line)

    def _reduce(self, step: Step) -> None:
        """Note how a step ended its process.

        After the first time only its definitions are run, after the second time nothing of it.
        """
        assert self._learner is not None
        status = self._learner.why()
        if step in self.ended:
            self._left_out.add(step)
        self.ended.setdefault(step, status)
        self.close()

    def close(self) -> None:
        """End the process; the next `reach` starts another."""
        if self._learner is not None:
            ended = self._learner.end()
            self.spent += ended.cpu
            self.memory = max(self.memory, ended.memory)
        self._learner = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
