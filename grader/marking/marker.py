"""Whoever marks: processes on this machine, or the workers of a cluster."""

import abc
from collections.abc import Iterator, Sequence

from .submission_task import Graded, Task


class Marker(abc.ABC):
    """Marks submissions, in any order."""

    @abc.abstractmethod
    def mark(self, tasks: Sequence[Task]) -> Iterator[Graded]:
        """Begin at once; yield each submission as it is done."""

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Let go of what `mark` began, however it ended."""
