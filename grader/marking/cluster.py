"""Marking on other machines: the workers of a dask cluster, each with a warm zygote of its own.

A task carries the submitted file, so nothing but the course has to be installed there, and it may run twice without harm:
only this process writes. A worker that dies is replaced by another, as dask does it.
"""

import atexit
import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from embedding_course.subject.course import VARIABLE, course

from ..classroom.grade_record import GradeRecord
from ..engine.fork_server import Learners
from ..errors import PhraseError
from ..submission.read import Unreadable
from .check_version import check_version
from .run import Run
from .submission_task import Graded, Task, content_of, given_up, mark_submission, unreadable
from .workers import Marker

#: Tasks on their way at a time for each worker: enough that none waits, few enough that memory stays flat.
_AHEAD = 4
#: How often a task that raised is sent again.
_RETRIES = 3


class NoCluster(PhraseError, RuntimeError):
    """No cluster that could mark answers at the address."""


class Cluster(Marker):
    """Sends submissions to the dask cluster at `run.scheduler`, for example ``tcp://127.0.0.1:8786``."""

    def __init__(self, run: Run, topics: Sequence[str]) -> None:
        self.run, self.topics = run, topics

    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        """Send the tasks to the workers of the cluster; yield each submission as it is done."""
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
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise NoCluster(
                f"no dask scheduler answers at {self.run.scheduler} ({reason}); start one with `dask scheduler`, or leave "
                "--scheduler out to grade on this machine"
            ) from None

    def _prepare(self, client: Any) -> None:
        """Let every worker warm its zygote.

        Raises
        ------
        NoCluster
            If there is no worker, or one cannot mark or has another version of the checks.
        """
        ours = {topic: check_version(topic) for topic in self.topics}
        replies = client.run(_ready, self.run, tuple(self.topics), course().subject.course_id)
        if not replies:
            raise NoCluster(f"the cluster at {self.run.scheduler} has no workers; start some with `dask worker`")
        for worker, theirs in replies.items():
            if isinstance(theirs, str):
                raise NoCluster(f"the worker {worker} cannot mark: {theirs}")
            if theirs != ours:
                raise NoCluster(f"the worker {worker} has another version of the checks; install the same course everywhere")

    def _marked(self, client: Any, tasks: Sequence[Task]) -> Iterator[Graded]:
        """Mark the tasks and yield each.

        A task that kills a worker also stops other tasks on that worker. Tasks whose workers died too often are therefore
        marked again, one at a time.
        """
        suspects: list[Task] = []
        most = _AHEAD * max(1, sum(client.nthreads().values()))
        with contextlib.closing(client):
            for task, graded in self._sent(client, tasks, most):
                if graded is None:
                    suspects.append(task)
                else:
                    yield graded
            for task, graded in self._sent(client, suspects, 1):
                yield graded or given_up(task, "the workers of the cluster died of it, and again when it was marked alone")

    def _sent(self, client: Any, tasks: Sequence[Task], most: int) -> Iterator[tuple[Task, Graded | None]]:
        """Yield each task with its result, or with None if its workers died; at most `most` tasks are sent at a time."""
        from distributed import as_completed

        left = deque(tasks)
        sent: dict[Any, Task] = {}
        waiting = as_completed(loop=client.loop)
        while left or sent:
            if left and len(sent) < most:
                task = left.popleft()
                try:
                    body = content_of(task.submission)
                except Unreadable as error:
                    yield task, Graded(task.submission, unreadable(task, str(error)))
                    continue
                future = client.submit(_mark, self.run, task, body, pure=False, retries=_RETRIES)
                sent[future] = task
                waiting.add(future)
            else:
                future = next(waiting)
                task = sent.pop(future)
                yield task, self._received(future, task)

    def _received(self, future: Any, task: Task) -> Graded | None:
        from distributed import KilledWorker

        try:
            record, notebook = future.result()
        except KilledWorker:
            return None
        except Exception as error:  # the worker's, of any kind
            return given_up(task, f"{type(error).__name__} on a worker of the cluster")
        if record.check != check_version(task.submission.topic):
            return given_up(task, "a worker of the cluster has another version of the checks")
        return Graded(task.submission, record, notebook)


# On the worker, which is dask's process: nothing can be handed from one task to the next but what is remembered here.


@cache
def _learners(run: Run) -> Learners:
    """Return one warm zygote for all runs with the same sandbox settings; it ends with the worker."""
    learners = Learners(
        strongest=run.strongest, trusted=run.trusted, limits=run.limits, time_limits=run.time_limits, python=run.python
    )
    atexit.register(learners.close)
    return learners


def _ready(run: Run, topics: tuple[str, ...], asked_for: str) -> dict[str, str] | str:
    """Warm up the zygote of this worker and return the versions of its checks, or a sentence that says why it cannot mark.

    The environment in which a worker was started decides which course it serves.
    """
    if course().subject.course_id != asked_for:
        start = f"{VARIABLE}=FOLDER dask worker …, with that course's folder there"
        return f"it serves the course “{course().subject.title}”; start it with the variable of the course asked for: {start}"
    try:
        _learners(_settings(run))
        return {topic: check_version(topic) for topic in topics}
    except Exception as error:  # reported by the process that asked for grading
        return f"{type(error).__name__}: {error}"


def _settings(run: Run) -> Run:
    """Return the run without what does not affect the sandbox, so that runs with the same sandbox share a zygote."""
    return replace(run, seed=None, force=False, student=None, exercise=None, workers=None, scheduler="")


def _mark(run: Run, task: Task, body: bytes) -> tuple[GradeRecord, bytes]:
    """Mark a submitted file that was read elsewhere."""
    graded = mark_submission(_learners(_settings(run)), task, body)
    return graded.record, graded.notebook
