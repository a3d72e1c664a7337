"""The trusted side of a learner's search engine: have it built, and ask it one query at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from .fork_server import Forks
from .learner import Allowance, Crashed, Learner
from .process import cpu_seconds


class Searcher(Learner):
    """A learner's process that holds an `Engine`. TimedOut and Crashed are raised as by any Learner."""

    @classmethod
    def begin(cls, learners: Forks) -> Searcher:
        """A fresh process, on the time that `learners` gives."""
        fork = learners.fork()
        return cls(fork.wire, fork.pid, fork.end, learners.patience, Allowance(learners.patience), fork.is_too_full)

    @property
    def seconds(self) -> float:
        """Processor time that the process has used so far."""
        return cpu_seconds(self._pid)

    def build(self, *collections: Sequence[str]) -> str | None:
        """Make an `Engine` of these lists of texts; the name of what that raised, or None."""
        return _checked(self._ask("build", [list(texts) for texts in collections]), str | None)

    def search(self, query: str, k: int) -> tuple[str | None, list[int]]:
        """The name of what the search raised, or None, and whole numbers, which nobody has looked at yet."""
        return _checked(self._ask("search", {"query": query, "k": k}), tuple[str | None, list[int]])


def _checked(reply: object, kind: Any) -> Any:
    try:
        return msgspec.convert(reply, kind)
    except msgspec.ValidationError as error:
        raise Crashed("what came back is no answer to a query") from error
