"""Ask the same five questions of the search engine as it stands at the end of each lesson, and show how the ranks change.

The documents are the 3,112 docstrings of the project `search_engine`, and the questions are five of its public queries. They
were chosen once. Three of them have a right answer whose name and first sentence share no word with the question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import msgspec
import torch

from ..checking.render import show_panel, show_text, table_panel
from ..data import api_search, project_search
from ..data.files import data_file
from ..learner.progress.record import EngineRow, load, update
from ..messages import Message, translatable, translate
from ..subject.errors import CourseError

__all__ = ["QUESTIONS", "RECORD", "Question", "documents", "five_questions"]

RECORD = "recorded/five_questions.json"
#: Reading the docstrings takes half a minute, once: the first lesson does it, and the others do not wait for it.
_READS_DOCUMENTS = ("00", "09", "11")


class Question(NamedTuple):
    """Hold a question, a short label for a column, and the names of the documents that answer it."""

    text: str
    label: str
    right: tuple[str, ...]


QUESTIONS = (
    Question("lookup table with a trainable vector for every word", translatable("lookup table"), ("torch.nn.Embedding",)),
    Question("create nested folders in one go, parents included", translatable("nested folders"), ("os.makedirs",)),
    Question(
        "add a border of zeros around an array",
        translatable("border of zeros"),
        ("numpy.pad", "torch.nn.ZeroPad1d", "torch.nn.ZeroPad2d", "torch.nn.ZeroPad3d"),
    ),
    Question(
        "every way to choose r things out of a collection, order does not matter",
        translatable("r things"),
        ("torch.combinations", "itertools.combinations"),
    ),
    Question(
        "which frequencies are in a signal",
        translatable("frequencies"),
        ("numpy.fft.fft", "numpy.fft.rfft", "scipy.signal.periodogram"),
    ),
)


def documents() -> list[str]:
    """Return the texts that are searched: name, first sentence and details of each, one below the other.

    The first call on a machine reads the docstrings of the installed libraries, which takes half a minute.
    """
    return project_search.collection().texts


def five_questions(lesson: str, engine: str, score: Callable[[str], torch.Tensor] | None) -> None:
    """Show the rank of the first right document for each question, lesson by lesson up to this one.

    Rows of earlier lessons are the learner's own where that lesson was run, and recorded ones otherwise.

    Parameters
    ----------
    lesson : str
        Number of the lesson, such as "04".
    engine : str
        What is searched with, in a few words.
    score : Callable or None
        Function from a question to one score for each document, of shape (N,); the largest comes first, and of equal scores
        the earlier document. None for a lesson that has no engine.

    Raises
    ------
    CourseError
        If the scores are not one finite number for each document.

    Examples
    --------
    >>> five_questions("04", "mean of skip-gram vectors", lambda question: vectors @ encode(question))  # doctest: +SKIP
    """
    row = None
    if score is not None and (lesson in _READS_DOCUMENTS or api_search.is_read()):
        row = _measure(engine, score)
        memory = load()
        memory.engines[lesson] = row
        update(memory)
    _show(lesson, engine, row)
    if score is not None and row is None:
        show_text(Message("For a row of your own, run `documents()`, which takes half a minute once, and this cell again."))


def _measure(engine: str, score: Callable[[str], torch.Tensor]) -> EngineRow:
    names = project_search.collection().names
    ranks, first = [], []
    for question in QUESTIONS:
        order = _order(score(question.text), len(names))
        ranked = [names[index] for index in order]
        present = set(question.right) & set(ranked)
        ranks.append(min((1 + ranked.index(name) for name in present), default=0))  # 0: this machine lacks the document
        first.append(ranked[0])
    return EngineRow(engine, ranks, first)


def _order(scores: torch.Tensor, count: int) -> list[int]:
    """Return the documents, best first."""
    scores = torch.as_tensor(scores).detach().float()
    if scores.shape != (count,):
        raise CourseError(
            Message("A search gives one score for each of the {count} documents, not {shape}.").fill(
                count=count, shape=tuple(scores.shape)
            )
        )
    if not scores.isfinite().all():
        raise CourseError(Message("A score is nan or infinite: a vector of zeros was probably divided by its norm."))
    return scores.argsort(descending=True, stable=True).tolist()


@cache
def _recorded() -> dict[str, EngineRow]:
    return msgspec.json.decode(data_file(RECORD).read_bytes(), type=dict[str, EngineRow])


def _show(lesson: str, engine: str, row: EngineRow | None) -> None:
    recorded, own = _recorded(), load().engines
    rows: list[Sequence[object]] = []
    for number in sorted({*recorded, *own, lesson}):
        if number > lesson:
            continue
        known = own.get(number) or recorded.get(number) or EngineRow(engine, [], [])
        whose = Message("yours") if number in own else Message("recorded") if known.ranks else ""
        rows.append([number, translate(known.engine), *_ranks(known), whose])
    head = [Message("lesson"), Message("engine"), *(translate(question.label) for question in QUESTIONS), ""]
    show_panel(table_panel(head, rows, Message("Rank of the first right document among {count} documents.", count="3,112")))
    now = row or recorded.get(lesson)
    if now is not None and now.ranks:
        came_first = [
            [question.text, rank, "✔" if rank == 1 else f"`{name}`"]
            for question, rank, name in zip(QUESTIONS, now.ranks, now.first, strict=True)
        ]
        show_panel(table_panel([Message("question"), Message("rank"), Message("came first instead")], came_first))


def _ranks(row: EngineRow) -> list[str]:
    return [f"{rank:,}" if rank else "–" for rank in row.ranks] or ["–"] * len(QUESTIONS)
