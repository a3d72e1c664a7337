"""Marking on other machines: the workers of a dask cluster, each with a warm zygote of its own.

A task carries the submitted file, so nothing but the course has to be installed there, and it may run twice without harm:
only this process writes. A worker that dies is replaced by another, as dask does it.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .build.notebook import release, source
from .classroom import Submission
from .engine.learners import Learners
from .markers import Marker, Task, given_up, mark_submission, unreadable
from .records import Record
from .store import Graded
from .submission.read import Unreadable, read_bytes
from .version import check_version

if TYPE_CHECKING:
    from .grade import Run

__all__ = ["Cluster", "NoCluster"]

#: Tasks on their way at a time for each worker: enough that none waits, few enough that memory stays flat.
_AHEAD = 4
#: How many deaths of workers a task may see before it is given up.
_RETRIES = 3


class NoCluster(RuntimeError):
    """No cluster that could mark answers at the address."""


class Cluster(Marker):
    """Sends submissions to the dask cluster at `run.scheduler`, for example ``tcp://127.0.0.1:8786``."""

    def __init__(self, run: Run, topics: Sequence[str]) -> None:
        self.run, self.topics = run, topics

    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        client = self._connect()
        try:
            self._prepare(client)
        except BaseException:
            client.close()
            raise
        return self._marked(client, tasks)

    def _connect(self) -> Any:
        try:
            from distributed import Client
        except ImportError:
            raise NoCluster("dask is not installed: pip install 'embedding-course[scale]'") from None
        try:
            return Client(self.run.scheduler, timeout="10s", set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise NoCluster(
                f"no dask scheduler answers at {self.run.scheduler} ({said}); start one with `dask scheduler`, or leave "
                "--scheduler out to grade on this machine"
            ) from None

    def _prepare(self, client: Any) -> None:
        """Every worker warms its zygote. NoCluster where one cannot, or would mark by other checks than ours."""
        ours = {topic: check_version(topic) for topic in self.topics}
        said = client.run(_ready, self.run, tuple(self.topics))
        if not said:
            raise NoCluster(f"the cluster at {self.run.scheduler} has no workers; start some with `dask worker`")
        for worker, theirs in said.items():
            if isinstance(theirs, str):
                raise NoCluster(f"the worker {worker} cannot mark: {theirs}")
            if theirs != ours:
                raise NoCluster(f"the worker {worker} has another version of the checks; install the same course everywhere")

    def _marked(self, client: Any, tasks: Sequence[Task]) -> Iterator[Graded]:
        from distributed import as_completed

        left = iter(tasks)
        most = _AHEAD * max(1, sum(client.nthreads().values()))
        sent: dict[Any, Task] = {}
        waiting = as_completed(loop=client.loop)
        with contextlib.closing(client):
            while True:
                for task in itertools.islice(left, most - len(sent)):
                    try:
                        body = _content(task.submission)
                    except Unreadable as error:
                        yield Graded(task.submission, unreadable(task, str(error)))
                        continue
                    future = client.submit(_mark, self.run, task, body, pure=False, retries=_RETRIES)
                    sent[future] = task
                    waiting.add(future)
                if not sent:
                    return
                future = next(waiting)
                yield self._received(future, sent.pop(future))

    def _received(self, future: Any, task: Task) -> Graded:
        try:
            record, notebook = future.result()
        except Exception as error:  # the worker's, of any kind
            return given_up(task, f"{type(error).__name__} on a worker of the cluster")
        if record.check != check_version(task.submission.topic):
            return given_up(task, "a worker of the cluster has another version of the checks")
        return Graded(task.submission, record, notebook)


def _content(submission: Submission) -> bytes:
    """The submitted file. Unreadable where there is none that could be sent."""
    reason = submission.missing()
    if reason:
        raise Unreadable(reason)
    return read_bytes(submission.path)


# On the worker.


@cache
def _learners(run: Run) -> Learners:
    found = Learners(strongest=run.strongest, trusted=run.trusted, limits=run.limits, patience=run.patience)
    atexit.register(found.close)
    return found


@cache
def _release(topic: str) -> Any:
    return release(source(topic))


def _ready(run: Run, topics: tuple[str, ...]) -> dict[str, str] | str:
    """The versions of this worker's checks, with its zygote warm; or why it cannot mark."""
    try:
        _learners(_settings(run))
        return {topic: check_version(topic) for topic in topics}
    except Exception as error:  # whatever is missing here is told where grading was asked for
        return f"{type(error).__name__}: {error}"


def _settings(run: Run) -> Run:
    """What decides how a learner is shut in, so that two runs alike share a zygote."""
    return replace(run, seed=None, force=False, student=None, exercise=None, workers=None, scheduler="")


def _mark(run: Run, task: Task, body: bytes) -> tuple[Record, bytes]:
    """Mark a submitted file in a folder of this worker's."""
    asked = task.submission
    with tempfile.TemporaryDirectory(prefix="submission-") as folder:
        here = Submission(asked.student, asked.topic, Path(folder))
        here.path.write_bytes(body)
        task = replace(task, submission=here)
        graded = mark_submission(_learners(_settings(run)), task, _release(asked.topic))
    return graded.record, graded.notebook
