"""Map the documents of the search together with the public questions, and load the record of this map.

t-SNE has no function for a new point, so the questions are mapped together with the documents.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, NamedTuple

import torch

from ...data.files import data_file
from ...data.published import recorded_minilm
from ...learner.own_tables import Table, read_table
from ...messages import say
from ..five_questions import QUESTIONS, Question, documents
from .map_making import scikit_map

PERPLEXITY = 30.0


class Found(NamedTuple):
    """Hold the rank of the first right document for one question: by the vectors, and on the map; 0 if it is missing."""

    question: Question
    by_vectors: int
    on_map: int
    first_on_map: str


def make() -> Table:
    """Return the position (3132, 2) of each document and each question on one map, and their names."""
    recorded = recorded_minilm()
    vectors = torch.cat([recorded.documents, recorded.queries])
    return Table(scikit_map(vectors, PERPLEXITY), (*recorded.names, *recorded.questions))


def whole(rerun: Callable[[], Table] | Literal[False] = False) -> Table:
    """Return the recorded map, or that of a new run, and print which."""
    if rerun:
        say(
            "Run here and now: {points:,} points, perplexity {perplexity:g}",
            points=len(_recorded().words),
            perplexity=PERPLEXITY,
        )
        return rerun()
    say("Recorded: {points:,} points, perplexity {perplexity:g}", points=len(_recorded().words), perplexity=PERPLEXITY)
    return _recorded()


@cache
def _recorded() -> Table:
    return read_table(data_file("tables/10_documents_map.safetensors"), own=False)


def closeness(laid: Table, question: str, names: Sequence[str] | None = None) -> torch.Tensor:
    """Return how close documents are to a question on the map: minus the distance, (N,).

    Parameters
    ----------
    laid : Table
        The map of documents and questions.
    question : str
        One of the public questions.
    names : sequence of str, optional
        Names of the documents; those that are searched by default. One that is not on the map is farther than all others.
    """
    names = [text.partition("\n")[0] for text in documents()] if names is None else names
    row = {name: index for index, name in enumerate(laid.words)}
    distances = (laid.vectors - laid.vectors[row[question]]).norm(dim=1)
    missing = float(distances.max()) + 1
    return torch.tensor([-distances[row[name]].item() if name in row else -missing for name in names])


def ranks(laid: Table) -> list[Found]:
    """Return for each of the five questions where its first right document stands, by the vectors and on the map."""
    recorded = recorded_minilm()
    results = []
    for question in QUESTIONS:
        cosines = recorded.documents @ recorded.queries[recorded.questions.index(question.text)]
        close = closeness(laid, question.text, recorded.names)
        right = [recorded.names.index(name) for name in question.right if name in recorded.names]
        by_vectors, on_map = (int((scores > scores[right].max()).sum()) + 1 if right else 0 for scores in (cosines, close))
        results.append(Found(question, by_vectors, on_map, recorded.names[int(close.argmax())]))
    return results
