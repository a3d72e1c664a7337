"""Who marks: processes on this machine, each with a zygote of its own, or the workers of a cluster."""

from __future__ import annotations

import abc
import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from embedding_course.judge import stopped

from . import records
from .build.notebook import release, source
from .classroom import Submission, now
from .engine.learners import Forks, Learners, Starter
from .engine.sandbox import kernel
from .hidden import prepared
from .marking import mark, write_verdicts
from .records import Record
from .store import Graded
from .submission.nodes import as_json
from .submission.read import Unreadable, read_notebook
from .submission.rebuild import notes_of, rebuild, written
from .terms.points import Terms
from .version import check_version

if TYPE_CHECKING:
    from .grade import Run

__all__ = ["Marker", "Task", "mark_submission", "open_marker", "unreadable"]

#: Submissions on their way at a time for each worker.
_AHEAD = 4
#: How often workers that died are replaced before what they were at is given up.
_PATIENCE = 3


@dataclass(frozen=True)
class Task:
    """One submission to mark, by the class's `terms`. With `only`, the other results are taken over from the record
    `earlier`, if that was marked by the same terms."""

    submission: Submission
    seed: int
    only: str | None = None
    earlier: Record | None = None
    terms: Terms = field(default_factory=Terms)


def _facts(task: Task) -> dict[str, Any]:
    submission = task.submission
    return {
        "student": submission.student, "topic": submission.topic, "seed": task.seed, "graded_at": now(),
        "submission": records.digest(submission.path), "check": check_version(submission.topic),
        "terms": task.terms.stamp,
    }  # fmt: skip


def unreadable(task: Task, reason: str) -> Record:
    """The record of a submission that cannot be read."""
    return Record(status="unreadable", reason=reason, **_facts(task))


def mark_submission(learners: Starter, task: Task, ours: NotebookNode) -> Graded:
    """Mark one submission. A file that cannot be read becomes a record that says why."""
    submission = task.submission
    try:
        reason = submission.missing()
        if reason:
            raise Unreadable(reason)
        rebuilt = rebuild(ours, read_notebook(submission.path), submission.topic)
    except Unreadable as error:
        return Graded(submission, unreadable(task, str(error)))
    facts = {**_facts(task), "sandbox": f"{learners.level}: {learners.how}", "runner": learners.runner}
    results = task.terms.apply(mark(learners, rebuilt, submission.topic, task.seed))
    if task.only and task.earlier and task.earlier.results and task.earlier.terms == task.terms.stamp:
        fresh = {result.exercise: result for result in results}
        kept = {old.exercise: old for old in task.earlier.results}
        results = list((kept | {name: one for name, one in fresh.items() if name == task.only}).values())
    record = Record(status="graded", notes=notes_of(rebuilt), results=results, written=written(rebuilt), **facts)
    write_verdicts(rebuilt, results, task.terms.dropped)
    return Graded(submission, record, as_json(rebuilt))


def given_up(task: Task, reason: str) -> Graded:
    """The record of a submission over which the grader itself failed. It earns nothing by that, else a way to make the
    grader fail would be a way to full marks; a person has to look."""
    submission = task.submission
    said = f"The grader itself failed on this submission ({reason}). A person has to grade it; please tell the authors."
    results = task.terms.apply([
        stopped(exercise, "our fault", "our fault", said, hidden=True, seed=task.seed)
        for exercise in exercises_of(submission.topic)
    ])  # fmt: skip
    record = Record(
        student=submission.student, topic=submission.topic, status="failed", reason=said, seed=task.seed, graded_at=now(),
        submission=records.digest(submission.path), results=results, terms=task.terms.stamp,
    )  # fmt: skip
    return Graded(submission, record)


class Marker(abc.ABC):
    """Marks submissions, in any order."""

    @abc.abstractmethod
    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        """Begin at once; yield each submission as it is done."""

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Let go of what `mark` began, however it ended."""


# What the worker processes inherit: one zygote each, and the notebooks.
_twins: list[Forks] = []
_ours: dict[str, NotebookNode] = {}
_mine: list[Forks] = []


def _begin_worker(counter: Any) -> None:
    """In a worker process: end when the writer does, however that ends, and take a zygote of one's own."""
    if sys.platform == "linux":
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    torch.set_num_threads(1)  # whoever forked us may have run with several: those threads are not here
    with counter.get_lock():
        _mine[:] = [_twins[counter.value % len(_twins)]]
        counter.value += 1


def _mark(task: Task) -> Graded:
    return _guarded(_mine[0], task)


def _guarded(learners: Starter, task: Task) -> Graded:
    try:
        return mark_submission(learners, task, _ours[task.submission.topic])
    except Exception as error:  # no submission may end the grading of a class
        traceback.print_exc()
        return given_up(task, type(error).__name__)


class Processes(Marker):
    """Worker processes forked from this one: they share the references, and what was computed with them."""

    def __init__(self, learners: Learners, workers: int) -> None:
        self.learners, self.workers = learners, workers
        self._pool: ProcessPoolExecutor | None = None

    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        left = deque(tasks)
        return self._marked(left, *self._begin(left))

    def close(self) -> None:
        """End the workers, and hang up on their zygotes."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            for twin in _twins:
                twin.close()
        self._pool = None

    def _begin(self, left: deque[Task]) -> tuple[ProcessPoolExecutor, dict[Future[Graded], Task]]:
        """Start the workers, each with a zygote of its own, and give them something to do."""
        _twins[:] = [self.learners.twin() for _ in range(self.workers)]
        gc.collect()
        gc.freeze()  # what is here now is shared with the workers; a collector that touched it would copy it
        context = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=_begin_worker, initargs=(context.Value("i", 0),)
        )
        self._pool = pool
        jobs: dict[Future[Graded], Task] = {}
        self._send(pool, jobs, left)
        return pool, jobs

    def _send(self, pool: ProcessPoolExecutor, jobs: dict[Future[Graded], Task], left: deque[Task]) -> None:
        """Only a few ahead, so that a large class does not wait in memory."""
        while left and len(jobs) < _AHEAD * self.workers:
            jobs[pool.submit(_mark, left[0])] = left[0]
            left.popleft()

    def _marked(self, left: deque[Task], pool: ProcessPoolExecutor, jobs: dict[Future[Graded], Task]) -> Iterator[Graded]:
        deaths = 0
        while jobs:
            lost: list[Task] = []
            try:
                while jobs and not lost:
                    for job in wait(jobs, return_when=FIRST_COMPLETED).done:
                        task = jobs.pop(job)
                        try:
                            graded = job.result()
                        except BrokenProcessPool:
                            lost.append(task)
                            continue
                        yield graded
                    with contextlib.suppress(BrokenProcessPool):
                        self._send(pool, jobs, left)
            finally:
                self.close()
            if lost:
                lost += jobs.values()
                deaths += 1
                if deaths > _PATIENCE:
                    yield from (given_up(task, "its process died again and again") for task in lost)
                    deaths = 0
                else:
                    left.extendleft(reversed(lost))
                pool, jobs = self._begin(left)


class Serial(Marker):
    """Marks one submission after another in this process."""

    def __init__(self, learners: Starter) -> None:
        self.learners = learners

    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        return (_guarded(self.learners, task) for task in tasks)


@contextlib.contextmanager
def open_marker(run: Run, topics: Sequence[str], seed: int, count: int, hidden: Sequence[Path]) -> Iterator[Marker]:
    """Whoever marks for this run."""
    if run.scheduler:
        from .cluster import Cluster

        yield Cluster(run, topics)
        return
    _ours.update({topic: release(source(topic)) for topic in topics})
    if run.runner == "stock":
        from .engine.kernels.runners import StockKernels

        yield Serial(StockKernels(trusted=run.trusted, limits=run.limits, patience=run.patience))
        return
    with Learners(
        strongest=run.strongest, trusted=run.trusted, limits=run.limits, patience=run.patience, hidden=hidden,
        kernels=run.runner == "kernel", topics=topics,
    ) as learners:  # fmt: skip
        if run.runner == "kernel":
            from .engine.kernels.runners import ZygoteKernels

            yield Serial(ZygoteKernels(learners))
            return
        workers = min(run.workers or len(os.sched_getaffinity(0)), count)
        if count > workers:  # computed here, the answers to the hidden cases are shared by all workers
            _compute_ahead(topics, seed)
        with contextlib.closing(Processes(learners, workers)) as marker:
            yield marker


def _compute_ahead(topics: Sequence[str], seed: int) -> None:
    for topic in topics:
        for exercise in exercises_of(topic):
            with contextlib.suppress(Exception):  # a reference that fails is told of where it is marked
                prepared(exercise.id, seed).fingerprints  # noqa: B018
