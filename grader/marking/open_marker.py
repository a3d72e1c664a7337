"""Choose who marks for a run."""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from embedding_course.exercises import exercises_of

from ..course_source.notebook import released
from ..course_source.prepared import prepared
from ..engine.fork_server import Learners
from .run import Run
from .workers import Marker, Processes, Serial


@contextlib.contextmanager
def open_marker(
    run: Run, topics: Sequence[str], seed: int, count: int, hidden: Sequence[Path], shared: Learners | None = None
) -> Iterator[Marker]:
    """Open the marker for this run.

    Parameters
    ----------
    run : Run
    topics : sequence of str
        Names of the notebooks to grade.
    seed : int
        Seed of the hidden cases.
    count : int
        Number of submissions to grade; no more workers than that are started.
    hidden : sequence of Path
        Folders that learners' code must not see.
    shared : Learners, optional
        Learner processes that already run or start in a sandbox, to be reused.
    """
    if run.scheduler:
        from .cluster import Cluster

        yield Cluster(run, topics)
        return
    if shared and shared.python != run.python:
        shared = None
    with contextlib.nullcontext(shared) if shared else Learners(
        strongest=run.strongest, trusted=run.trusted, limits=run.limits, time_limits=run.time_limits, hidden=hidden,
        kernels=run.runner == "kernel", topics=topics, python=run.python, wait=False,
    ) as learners:  # fmt: skip
        workers = min(run.workers or len(os.sched_getaffinity(0)), count)
        if count > workers:  # computed here, the answers to the hidden cases are shared by all workers
            _compute_ahead(topics, seed, learners.is_ready)
        learners.await_ready()
        if run.runner == "kernel":
            from ..engine.jupyter_kernels.runners import ZygoteKernels

            yield Serial(ZygoteKernels(learners))
            return
        with contextlib.closing(Processes(learners, workers)) as marker:
            yield marker


def _compute_ahead(topics: Sequence[str], seed: int, learners_are_ready: Callable[[], bool]) -> None:
    """Compute right answers while the learners' zygote starts. Those that are left are computed by the workers."""
    for topic in topics:
        released(topic)
        for exercise in exercises_of(topic):
            if learners_are_ready():
                return
            with contextlib.suppress(Exception):  # a failing reference is reported when its exercise is marked
                prepared(exercise.id, seed).expected  # noqa: B018 - computed and remembered
