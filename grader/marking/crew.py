"""Worker processes that work through a list: when one dies, only the task that it was working on is suspected."""

import itertools
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from ..engine.sandbox import linux_calls as kernel

Done = TypeVar("Done")
Work = Callable[[int], Done]

#: Prefetch depth: one task running, one queued.
_AHEAD = 2
#: Seconds between two looks at how long each worker has been at its task.
_TICK = 5.0
#: How many workers may end one after another before they have begun a task.
_MAX_FAILED_STARTS = 5


@dataclass
class _Worker:
    """A worker process.

    `given` are its tasks, the first of which it has been working on since the time `since`. `latest` is the task that it was
    given last.
    """

    process: BaseProcess
    pipe: Connection
    given: deque[int] = field(default_factory=deque)
    since: float = 0.0
    latest: int | None = None


class Crew(Generic[Done]):
    """`count` processes, forked from this one, that do pieces of work by number. Use `close` at the end.

    Each process works on neighbouring numbers as long as there are some: what it prepared for one piece of work often serves
    the next.

    Around each fork `recruit` is entered; what it gives is called in the child with one number after another. A process
    that holds a piece of work for more than `timeout` seconds is ended.
    """

    def __init__(self, count: int, recruit: Callable[[], AbstractContextManager[Work[Done]]], timeout: float) -> None:
        self._recruit, self._timeout = recruit, timeout
        self._workers: list[_Worker] = []
        self._failed_starts = 0
        for _ in range(count):
            self._hire()

    def through(self, count: int) -> Iterator[tuple[int, Done | None]]:
        """Do the pieces 0 to `count` - 1, in any order, and yield each with its result.

        A piece over which a process died is tried once more, when all others are done and nothing else is at work. It comes
        with None when that process dies too.
        """
        suspects = yield from self._all(list(range(count)), len(self._workers))
        for suspect in suspects:
            for task_number in (yield from self._all([suspect], 1)):
                yield task_number, None

    def close(self) -> None:
        """End all workers; kill those that are working on a task."""
        for worker in self._workers:
            self._dismiss(worker)
        self._workers = []

    def _all(self, left: list[int], most: int) -> Generator[tuple[int, Done], None, list[int]]:
        """Work on the tasks in `left` with `most` processes, yield the results, and return the tasks during which one died."""
        suspects: list[int] = []
        self._hand_out(left, most)
        while any(worker.given for worker in self._workers):
            for worker in self._ready():
                try:
                    task_number, done = worker.pipe.recv()
                except (EOFError, OSError):
                    suspects += self._end_worker(worker, left)
                    self._hand_out(left, most)
                    continue
                worker.given.popleft()
                worker.since = time.monotonic()
                self._hand_out(left, most)
                yield task_number, done
        return suspects

    def _ready(self) -> list[_Worker]:
        """Return the workers that have sent something or have died, and kill those that exceeded the time for a task."""
        by_pipe = {worker.pipe: worker for worker in self._workers}
        ready = [by_pipe[pipe] for pipe in wait(list(by_pipe), _TICK) if isinstance(pipe, Connection)]
        for worker in self._workers:
            if worker not in ready and worker.given and time.monotonic() - worker.since > self._timeout:
                worker.process.kill()
        return ready

    def _end_worker(self, worker: _Worker, left: list[int]) -> list[int]:
        """Return the piece that a dead worker was working on, if any; put back what it had not begun yet."""
        self._dismiss(worker)
        self._workers.remove(worker)
        in_hands = [worker.given.popleft()] if worker.given else []
        left[:] = sorted([*left, *worker.given])
        self._failed_starts = 0 if in_hands else self._failed_starts + 1
        if self._failed_starts > _MAX_FAILED_STARTS:
            raise RuntimeError("the processes that mark end before they begin")
        return in_hands

    def _hand_out(self, left: list[int], most: int) -> None:
        """Start missing workers, and give each worker tasks in turn."""
        while len(self._workers) < most and left:
            self._hire()
        for _ in range(_AHEAD):
            for worker in self._workers[:most]:
                if left and len(worker.given) < _AHEAD:
                    self._give(worker, _take(left, worker.latest))

    def _give(self, worker: _Worker, task_number: int) -> None:
        if not worker.given:
            worker.since = time.monotonic()
        worker.given.append(task_number)
        worker.latest = task_number
        try:
            worker.pipe.send(task_number)
        except OSError:  # it has died, as its pipe will tell
            return

    def _hire(self) -> None:
        context = multiprocessing.get_context("fork")
        mine, theirs = context.Pipe()
        ours = [mine, *(worker.pipe for worker in self._workers)]
        with self._recruit() as work:
            process = context.Process(target=_serve, args=(work, theirs, ours, os.getpid()), daemon=True)
            process.start()
        theirs.close()
        self._workers.append(_Worker(process, mine))

    def _dismiss(self, worker: _Worker) -> None:
        """End a worker: closing the pipe ends an idle worker, and a busy one is killed."""
        worker.pipe.close()
        if worker.given:
            worker.process.kill()
        worker.process.join()


def _take(left: list[int], latest: int | None) -> int:
    """Remove from `left`, which is sorted, the number after `latest` and return it.

    Where it is gone, it is the number in the middle of the longest run, or 0 at the very beginning.

    >>> left = [0, 1, 2, 3, 4, 5]
    >>> [_take(left, latest) for latest in (None, None, 0, 3)], left
    ([0, 3, 1, 4], [2, 5])
    """
    if latest is not None and latest + 1 in left:
        left.remove(latest + 1)
        return latest + 1
    runs = [[number for _, number in run] for _, run in itertools.groupby(enumerate(left), lambda pair: pair[1] - pair[0])]
    longest = max(runs, key=len)
    chosen = longest[0] if longest[0] == 0 else longest[len(longest) // 2]
    left.remove(chosen)
    return chosen


def _serve(work: Work[Done], pipe: Connection, others: list[Connection], parent: int) -> None:
    """Work on tasks in the child process until the pipe is closed."""
    if sys.platform == "linux":
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C and ends its workers
    if os.getppid() != parent:
        return
    for other in others:  # while we held it too, nobody could hang up on another
        other.close()
    while True:
        try:
            task_number = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send((task_number, work(task_number)))
