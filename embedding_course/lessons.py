"""The ten notebooks, in order: what each is called, how long it takes and what it builds on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["LESSONS", "Lesson", "lesson", "topics"]


@dataclass(frozen=True)
class Lesson:
    """One notebook of the course. `topic` is also its folder, its file and its assignment in nbgrader."""

    number: str
    slug: str
    title: str
    question: str
    minutes: int
    builds_on: tuple[str, ...] = ()

    @property
    def topic(self) -> str:
        return f"{self.number}_{self.slug}"

    @property
    def written(self) -> bool:
        return (Path(__file__).parent / "exercises" / self.topic / "__init__.py").exists()


LESSONS = (
    Lesson("01", "onehot_vs_lookup", "One-hot and lookup", "How does a word become numbers?", 90),
    Lesson("02", "gradients", "Gradients", "Which rows of the table learn, and which do not?", 75, ("01",)),
    Lesson("03", "max_norm", "max_norm", "What does clipping a row do to its gradient?", 80, ("02",)),
    Lesson("04", "nplm", "A neural language model", "Why is counting not enough?", 90, ("01", "02")),
    Lesson("05", "lstm_seq2seq", "LSTM translation", "How does one sentence become another?", 90, ("02", "04")),
    Lesson("06", "positional_encoding", "Position", "How does a model know what comes first?", 75, ("01",)),
    Lesson("07", "attention", "Attention", "How does a word look at the others?", 105, ("01", "05", "06")),
    Lesson("08", "pooling", "Pooling", "How do many vectors become one?", 80, ("07",)),
    Lesson("09", "contrastive_training", "Contrastive training", "How does a model learn what is alike?", 90,
           ("02", "05", "08")),
    Lesson("10", "tsne_visualisation", "t-SNE and table health", "When may one believe a map?", 90,
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
