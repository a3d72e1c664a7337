"""Run a notebook in a fresh process: ``python -m embedding_course.learner.doctor.fresh``.

The order comes as JSON on standard input; events are written as lines of JSON, one for each step, so that the last line
tells where a process ended. There is no sandbox: it is the learner's own code on the learner's own machine.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import msgspec

from ...checking.dropped_output import Silence
from ...checking.intake.progress_bars import offer_progress_bars
from ...checking.intake.quiet_shell import make_shell, raised
from ...checking.intake.steps import rest_to_run
from ...checking.submission_limits import CLOCK_SECONDS, CPU_SECONDS
from ...exercises import find_exercise
from ..check import public_result


class Order(msgspec.Struct):
    """List what to run and check, in order.

    Each item of `sources` is a cell, or a check if `exercises` names one at its index. The checks in `finally_` are repeated
    after the last step.
    """

    sources: list[str]
    exercises: list[str]
    finally_: list[str] = []


class Event(msgspec.Struct, omit_defaults=True):
    """Report what happened at one step.

    `kind` is "begin", "cell", "check" or "late"; `index` counts the steps and then the repeated checks.
    """

    kind: str
    index: int
    error: str = ""
    seconds: float = 0.0
    memory: int = 0
    line: int = 0
    missing: bool = False
    result: dict[str, Any] | None = None


def peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if the system does not report it."""
    try:  # On Linux `resource` may report the peak of the parent process.
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


class _Steps:
    """Report each step before and after it, and end the process when a step exceeds the grader's time limit."""

    def __init__(self, out: TextIO) -> None:
        self.out, self.lock = out, threading.Lock()
        self.began: tuple[float, float, int] | None = None
        threading.Thread(target=self._watch, daemon=True).start()

    def tell(self, event: Event) -> None:
        with self.lock:
            self.out.write(msgspec.json.encode(event).decode("utf-8") + "\n")
            self.out.flush()

    @contextmanager
    def step(self, kind: str, index: int) -> Iterator[Event]:
        self.tell(Event("begin", index, error=kind))
        event = Event(kind, index)
        cpu = time.process_time()
        self.began = (cpu, time.monotonic(), index)
        try:
            yield event
        finally:
            self.began = None
        event.seconds, event.memory = time.process_time() - cpu, peak_memory()
        self.tell(event)

    def _watch(self) -> None:
        while True:
            time.sleep(0.1)
            began = self.began
            if began is None:
                continue
            if time.process_time() - began[0] > CPU_SECONDS or time.monotonic() - began[1] > CLOCK_SECONDS:
                self.tell(Event("late", began[2]))
                os._exit(0)


def _run(shell: Any, steps: _Steps, order: Order, index: int) -> bool:
    """Run one cell. Return True if it failed because a name is not defined yet, so that a later cell may help.

    After an exception the statements below it run one by one, as in grading.
    """
    source = order.sources[index]
    with steps.step("cell", index) as event:
        error = raised(shell.run_cell(source, store_history=False, silent=True))
        if error is not None:
            name, message, event.line = error
            event.error = f"{name}: {message}"
            for text, undecorated in rest_to_run(source, event.line):
                if raised(shell.run_cell(text, store_history=False, silent=True)) and undecorated:
                    shell.run_cell(undecorated, store_history=False, silent=True)
    return error is not None and error[0] == "NameError"


def _check(shell: Any, steps: _Steps, name: str, index: int) -> bool:
    """Make one public check. Return True if it passed."""
    exercise = find_exercise(name)
    candidate = shell.user_ns.get(exercise.name)
    with steps.step("check", index) as event:
        if callable(candidate):
            result = public_result(exercise, candidate)
            event.result = msgspec.to_builtins(result)
            return result.passed
        event.missing = True
    return False


def main() -> None:
    """Run the order that is read from standard input."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)  # Output of cells is dropped, also if it bypasses sys.stdout.
    os.dup2(null, 2)
    sys.stdout = sys.stderr = Silence()
    shell = make_shell()
    offer_progress_bars()
    steps = _Steps(out)
    steps.tell(Event("begin", -1, memory=peak_memory()))
    unnamed = []
    for index, exercise in enumerate(order.exercises):
        if exercise:
            _check(shell, steps, exercise, index)
        elif _run(shell, steps, order, index):
            unnamed.append(index)
    while unnamed:
        again = [index for index in unnamed if _run(shell, steps, order, index)]
        unnamed = again if len(again) < len(unnamed) else []
    for index, name in enumerate(order.finally_, len(order.sources)):
        _check(shell, steps, name, index)
    out.flush()
    os._exit(0)  # Threads and child processes of a cell must not keep this process alive.


if __name__ == "__main__":
    main()
