"""Marking on this machine: by processes, each with a zygote of its own, or one after another."""

import abc
import contextlib
import gc
from collections.abc import Callable, Iterator, Sequence

from embedding_course.subject.tensors import torch

from ..engine.fork_server import Learners
from ..engine.forks import Starter
from .crew import Crew
from .submission_task import Graded, Task, given_up, guarded


class Marker(abc.ABC):
    """Marks submissions, in any order."""

    @abc.abstractmethod
    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        """Start marking at once; yield each submission as it is done."""

    def close(self) -> None:  # noqa: B027 - optional: only some workers hold resources
        """Release what `mark` started, however it ended."""


#: Seconds that a worker may work on one submission. What the submission itself may take is bounded far below
#: (`TimeLimits`); this is for faults of ours.
_MAX_SECONDS_PER_SUBMISSION = 900.0


class Processes(Marker):
    """Worker processes forked from this one: they share the references, and what was computed with them."""

    def __init__(self, learners: Learners, workers: int) -> None:
        self.learners, self.workers = learners, workers
        self._crew: Crew[Graded] | None = None

    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        """Start the worker processes; yield each submission as it is done."""
        gc.collect()
        gc.freeze()  # what is here now is shared with the workers; a collector that touched it would copy it
        self._crew = Crew(self.workers, lambda: self._recruit(tasks), _MAX_SECONDS_PER_SUBMISSION)
        return self._marked(self._crew, tasks)

    def close(self) -> None:
        """End the workers; their zygotes end with them."""
        if self._crew is not None:
            self._crew.close()
        self._crew = None

    @contextlib.contextmanager
    def _recruit(self, tasks: Sequence[Task]) -> Iterator[Callable[[int], Graded]]:
        """Open a zygote for one worker, and close this process's connection to it once the worker has it."""
        with contextlib.closing(self.learners.second_zygote()) as worker_learners:

            def work(task_number: int) -> Graded:
                torch.set_num_threads(1)  # the process that forked this one may have had more threads, which are not copied
                return guarded(worker_learners, tasks[task_number])

            yield work

    def _marked(self, crew: Crew[Graded], tasks: Sequence[Task]) -> Iterator[Graded]:
        try:
            for task_number, graded in crew.through(len(tasks)):
                yield graded or given_up(tasks[task_number], "its process died, and died again when it was marked alone")
        finally:
            self.close()


class Serial(Marker):
    """Marks one submission after another in this process."""

    def __init__(self, learners: Starter) -> None:
        self.learners = learners

    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        """Yield each submission as it is done, in the order of the tasks."""
        return (guarded(self.learners, task) for task in tasks)
