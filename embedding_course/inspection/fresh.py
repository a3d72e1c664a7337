"""A fresh process that runs a notebook's answers: ``python -m embedding_course.inspection.fresh``.

What to run comes as JSON on standard input; what happened goes out as lines of JSON, one for each step, so that the
last one tells where a process came to its end. The learner's own code on the learner's own machine: there is nothing to
shut in here, only something to find out.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import msgspec

from ..check import public_result
from ..exercises import exercise as find
from ..limits import CLOCK_SECONDS, CPU_SECONDS
from ..silence import Silence

__all__ = ["Event", "Order", "peak_memory"]


class Order(msgspec.Struct):
    """What to run: sources in order, then the public checks of these exercises."""

    sources: list[str]
    exercises: list[str]


class Event(msgspec.Struct, omit_defaults=True):
    """What happened at one step. `kind` is "begin", "cell", "check" or "late"; `index` counts the sources or exercises."""

    kind: str
    index: int
    error: str = ""
    seconds: float = 0.0
    memory: int = 0
    missing: bool = False
    result: dict[str, Any] | None = None


def peak_memory() -> int:
    """The most memory that this process has held, in bytes; 0 where the system does not tell."""
    try:  # what `resource` tells on Linux may be the peak of the process that started this one
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
    """Tells of each step before and after it, and ends the process when one takes longer than the grader would wait."""

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


def _shell() -> Any:
    """An IPython shell without history or start-up files, so that magics in cells work."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    quiet: Callable[..., None] = lambda *args, **options: None  # noqa: E731 - told as an event instead
    shell.showtraceback = shell.showsyntaxerror = quiet
    return shell


def _run(shell: Any, source: str) -> str:
    outcome = shell.run_cell(source, store_history=False, silent=True)
    error = outcome.error_before_exec or outcome.error_in_exec
    if error is None:
        return ""
    line = _line(error)
    return f"{type(error).__name__}: {error}"[:300] + (f" (line {line})" if line else "")


def _line(error: BaseException) -> int:
    """The line of the cell at which it went wrong."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    trace, found = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(("<ipython-input", "<string>")) or "ipykernel" in str(
            trace.tb_frame.f_code.co_filename
        ):
            found = found or trace.tb_lineno
        trace = trace.tb_next
    return found


def main() -> None:
    """Run the order on standard input."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)  # what cells print, through whatever door, is not ours to show
    os.dup2(null, 2)
    sys.stdout = sys.stderr = Silence()
    shell = _shell()
    steps = _Steps(out)
    steps.tell(Event("begin", -1, memory=peak_memory()))
    again: list[int] = []
    for index, source in enumerate(order.sources):
        with steps.step("cell", index) as event:
            event.error = _run(shell, source)
        if event.error.startswith("NameError"):
            again.append(index)
    for index in again:
        with steps.step("cell", index) as event:
            event.error = _run(shell, order.sources[index])
    for index, name in enumerate(order.exercises):
        exercise = find(name)
        candidate = shell.user_ns.get(exercise.name)
        with steps.step("check", index) as event:
            if callable(candidate):
                event.result = msgspec.to_builtins(public_result(exercise, candidate))
            else:
                event.missing = True
    out.flush()
    os._exit(0)  # threads and children of a cell must not keep this alive


if __name__ == "__main__":
    main()
