"""The ten notebooks, in order: what each is called, how long it takes and what it builds on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["LESSONS", "SITTINGS", "Lesson", "forget_minutes", "lesson", "topics"]

#: The minutes of each notebook's sittings, counted and written by `grader build`.
SITTINGS = Path(__file__).with_name("sittings.json")


@cache
def _sittings() -> dict[str, list[int]]:
    return json.loads(SITTINGS.read_text(encoding="utf-8")) if SITTINGS.exists() else {}


def forget_minutes() -> None:
    """Read the minutes again when they are next asked for: `grader build` has written them."""
    _sittings.cache_clear()


@dataclass(frozen=True)
class Lesson:
    """One notebook of the course. `topic` is also its folder, its file and its assignment in nbgrader."""

    number: str
    slug: str
    title: str
    question: str
    builds_on: tuple[str, ...] = ()

    @property
    def topic(self) -> str:
        return f"{self.number}_{self.slug}"

    @property
    def sittings(self) -> tuple[int, ...]:
        """The minutes of each sitting's core: what a learner needs who leaves out all that is further."""
        return tuple(_sittings().get(self.number, ()))

    @property
    def minutes(self) -> int:
        return sum(self.sittings)

    @property
    def written(self) -> bool:
        return (Path(__file__).parent / "exercises" / self.topic / "__init__.py").exists()


LESSONS = (
    Lesson("01", "onehot_vs_lookup", "One-hot and lookup", "How does a word become numbers?"),
    Lesson("02", "gradients", "Gradients", "Which rows of the table learn, and which do not?", ("01",)),
    Lesson("03", "max_norm", "max_norm", "What does clipping a row do to its gradient?", ("02",)),
    Lesson("04", "nplm", "A neural language model", "Why is counting not enough?", ("01", "02")),
    Lesson("05", "lstm_seq2seq", "LSTM translation", "How does one sentence become another?", ("02", "04")),
    Lesson("06", "positional_encoding", "Position", "How does a model know what comes first?", ("01",)),
    Lesson("07", "attention", "Attention", "How does a word look at the others?", ("01", "05", "06")),
    Lesson("08", "pooling", "Pooling", "How do many vectors become one?", ("07",)),
    Lesson("09", "contrastive_training", "Contrastive training", "How does a model learn what is alike?",
           ("02", "05", "08")),
    Lesson("10", "tsne_visualisation", "t-SNE and table health", "When may one believe a map?",
           ("02", "04", "05", "09")),
)  # fmt: skip


def lesson(number: str) -> Lesson:
    """The lesson with this two-digit number or topic; KeyError when there is none.

    >>> lesson("03").topic
    '03_max_norm'
    """
    for entry in LESSONS:
        if number in (entry.number, entry.topic):
            return entry
    raise KeyError(number)


def topics() -> list[str]:
    """The notebooks that are written."""
    return [entry.topic for entry in LESSONS if entry.written]
