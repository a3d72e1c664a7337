"""Run one engine in a learner's process and ask it all queries; what came back, and what it cost."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ...engine.forks import Forks
from ...engine.learner_proxy import Crashed, Learner, TimeBudget, TimedOut
from ...engine.process import cpu_seconds
from ...engine.sandbox import Limits
from ...engine.time_budget import TimeLimits
from ...submission.plain_file import one_line
from .task import Query, Task

#: Characters that are kept of what an engine raises while it is built: the line that gets a missing model is among them.
_MAX_MESSAGE_CHARACTERS = 400


class Searcher(Learner):
    """A learner's process that holds an `Engine`. TimedOut and Crashed are raised as by any Learner."""

    @classmethod
    def begin(cls, learners: Forks) -> Searcher:
        """Return a fresh process, on the time that `learners` gives."""
        fork = learners.fork()
        return cls(fork.wire, fork.pid, fork.end, learners.time_limits, TimeBudget(learners.time_limits), fork.is_too_full)

    @property
    def seconds(self) -> float:
        """Return processor time that the process has used so far."""
        return cpu_seconds(self._pid)

    def build(self, *collections: Sequence[str]) -> str | None:
        """Make an `Engine` from these lists of texts, and return what it raised with its message, or None."""
        raised = _checked(self._ask("build", [list(texts) for texts in collections]), tuple[str, str] | None)
        return None if raised is None else one_line(": ".join(filter(None, raised)), _MAX_MESSAGE_CHARACTERS).rstrip(".")

    def search(self, query: str, k: int) -> tuple[str | None, list[int]]:
        """Return the name of the exception that the search raised, or None, and the unchecked numbers that it returned."""
        return _checked(self._ask("search", {"query": query, "k": k}), tuple[str | None, list[int]])


def _checked(reply: object, kind: Any) -> Any:
    try:
        return msgspec.convert(reply, kind)
    except msgspec.ValidationError as error:
        raise Crashed("what came back is no answer to a query") from error


#: Seconds of processor time for building and all queries together, and documents that are asked for.
BUDGET, PLACES = 240, 10
#: The clock only stops an engine that sleeps: it leaves a busy machine four times the budget.
TIME_LIMITS = TimeLimits(cpu=BUDGET, clock=4 * BUDGET, whole_cpu=BUDGET, whole_clock=4 * BUDGET)
LIMITS = Limits(cpu_seconds=BUDGET + 5)
_ENDS = {
    "timed out": f"it used up its {BUDGET} seconds of processor time",
    "out of memory": f"it wanted more than its {LIMITS.memory // 2**20} MiB of memory",
    "flooded": "it printed, answered, or wrote to files more than it may",
    "crashed": "its process ended",
}


@dataclass
class Answers:
    """What an engine answered: the rank of the first right document for each query, 0 if it found none.

    `firsts` are the documents that came first for public queries, None if there was none. Of hidden queries only ranks are
    kept. `fault` is a sentence that says what went wrong, or empty.
    """

    public: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    firsts: list[int | None] = field(default_factory=list)
    answered: int = 0
    fault: str = ""
    built: float = 0.0
    seconds: float = 0.0
    memory: int = 0

    def ranks(self, task: Task) -> tuple[list[int], list[int]]:
        """Return the ranks for all public and all hidden queries; what was not answered counts as not found."""
        missing = len(task.public) - len(self.public), len(task.hidden) - len(self.hidden)
        return self.public + [0] * missing[0], self.hidden + [0] * missing[1]


def ask(learners: Forks, source: str, task: Task) -> Answers:
    """Ask an engine the public queries, then the hidden ones.

    What is reported on public queries therefore cannot depend on a hidden query.

    Parameters
    ----------
    learners : Forks
        Starts the process of the engine.
    source : str
        Source code of the engine.
    task : Task
        Documents and queries.
    """
    answers = Answers()
    searcher = Searcher.begin(learners)
    try:
        answers.fault = _build(searcher, source, task)
        answers.built = searcher.seconds
        if not answers.fault:
            for query in task.public:
                _ask_query(searcher, query, task, answers, answers.public)
            for query in task.hidden:
                _ask_query(searcher, query, task, answers, answers.hidden)
    except (Crashed, TimedOut):
        answers.fault = f"The engine stopped: {_ENDS[searcher.why()]}."  # pyright: ignore[reportArgumentType]
    finally:
        ended = searcher.end()
    answers.seconds, answers.memory = ended.cpu, ended.memory
    if answers.fault:
        answers.fault += f" {answers.answered} of {len(task.public) + len(task.hidden)} queries were answered."
    return answers


def _build(searcher: Searcher, source: str, task: Task) -> str:
    """Return a sentence that says why no engine could be built, or an empty string.

    The message may be shown because the process has not seen a hidden query yet.
    """
    if searcher.run(source):
        where = f" in line {searcher.line}" if searcher.line else ""
        return f"engine.py stops{where}: {searcher.error_text}."
    if searcher.run("assert isinstance(Engine, type) and callable(Engine.search)"):
        return "engine.py defines no class Engine with a method search."
    raised = searcher.build(task.texts, task.further)
    return f"Engine(documents, further) raises {raised}." if raised else ""


def _ask_query(searcher: Searcher, query: Query, task: Task, answers: Answers, ranks: list[int]) -> None:
    """Ask one query; if it fails, it counts as not found."""
    raised, documents = searcher.search(query.text, PLACES)
    fault = f"search raises {_known(raised)}." if raised else _wrong(documents, len(task.texts))
    if fault:
        answers.fault = answers.fault or fault[0].upper() + fault[1:]
        documents = []
    else:
        answers.answered += 1
    if ranks is answers.public:
        answers.firsts.append(documents[0] if documents else None)
    ranks.append(next((rank for rank, document in enumerate(documents, 1) if document in query.right), 0))


def _wrong(documents: Sequence[int], count: int) -> str:
    if len(documents) > PLACES:
        return f"search returns more than the {PLACES} documents that were asked for."
    if any(not 0 <= document < count for document in documents):
        return f"search returns a number that is no document; they are 0 to {count - 1}."
    return "search returns a document twice." if len(set(documents)) < len(documents) else ""


def _known(name: str) -> str:
    """Return the name of an exception of Python's own, or a phrase for any other.

    A learner could name an exception after a hidden query.
    """
    known = getattr(builtins, name, None)
    return name if isinstance(known, type) and issubclass(known, BaseException) else "an exception of its own"
