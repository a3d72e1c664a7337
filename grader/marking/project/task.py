"""What an engine is asked: the documents, twenty public queries, and the hidden ones, which no learner's process sees."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from embedding_course.data.project_search import collection

from ...errors import PhraseError
from ...paths import ROOT, SOLUTIONS

NAME = "search_engine"
PUBLIC = ROOT / "projects" / NAME / "queries.tsv"
REFERENCES = SOLUTIONS / "projects" / NAME
HIDDEN = REFERENCES / "hidden.tsv"


@dataclass(frozen=True)
class Query:
    """A question, and the places of the documents that answer it."""

    text: str
    right: frozenset[int]


@dataclass(frozen=True)
class Task:
    """The collection, and the queries that an engine is asked.

    `names` and `texts` are those of the documents, by position. `further` are texts of this machine that are no documents to
    be found.
    """

    names: list[str]
    texts: list[str]
    further: list[str]
    public: list[Query]
    hidden: list[Query]


def read_task() -> Task:
    """Return the task as it is with the libraries of this machine: a query to which none of them has an answer is left out."""
    names, texts, further = collection()
    positions = {name: position for position, name in enumerate(names)}
    return Task(names, texts, further, _queries(PUBLIC, positions), _queries(HIDDEN, positions))


def _queries(path: Path, positions: Mapping[str, int]) -> list[Query]:
    with path.open(encoding="utf-8", newline="") as file:
        queries = [
            Query(text, frozenset(positions[name] for name in right.split() if name in positions))
            for text, right in csv.reader(file, delimiter="\t")
        ]
    return [query for query in queries if query.right]


class NoAnchors(PhraseError, RuntimeError):
    """The course's own engines failed, or came out in the wrong order: no points can be given."""


class Measures(msgspec.Struct, frozen=True):
    """Of some queries: the share whose first document was right, and the mean of 1 / rank of the first right one."""

    recall: float
    mrr: float

    @property
    def quality(self) -> float:
        """Return the mean of both measures."""
        return (self.recall + self.mrr) / 2


def measures(ranks: Sequence[int]) -> Measures:
    """Return the measures of ranks from 1; 0 stands for no right document found.

    >>> measures([1, 2, 0, 1])
    Measures(recall=0.5, mrr=0.625)
    """
    if not ranks:
        return Measures(0.0, 0.0)
    return Measures(sum(rank == 1 for rank in ranks) / len(ranks), sum(1 / rank for rank in ranks if rank) / len(ranks))


def share(quality: float, bm25: float, course: float) -> float:
    """Return the share of the points, from 0 to 1.

    The share is linear in `quality` between (0, 0), (bm25, 1/2) and (course, 1).

    Parameters
    ----------
    quality : float
        Quality of the learner's engine.
    bm25 : float
        Quality of BM25, which earns half of the points.
    course : float
        Quality of the course's own engine, which earns all points.

    Raises
    ------
    NoAnchors
        Unless 0 < bm25 < course.

    Examples
    --------
    >>> [round(share(quality, 0.3, 0.4), 3) for quality in (0, 0.15, 0.3, 0.35, 0.5)]
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    if not 0 < bm25 < course:
        raise NoAnchors(f"BM25 came to {bm25:.3f} here and the course's own engine to {course:.3f}: no points can be given")
    if quality <= bm25:
        return quality / bm25 / 2
    return min(1.0, 0.5 + (quality - bm25) / (course - bm25) / 2)


def share_error(ranks: Sequence[int], bm25: Sequence[int], course: Sequence[int]) -> float:
    """Return the standard error of the share over queries, to first order. The limit at 1 is left out.

    All three engines were asked the same queries, so what a query adds to the share is taken for all three together: an engine
    that finds what an anchor finds has its share without an error.

    Parameters
    ----------
    ranks, bm25, course : sequence of int
        Ranks of the learner's engine and of both anchors for the same queries.

    Examples
    --------
    >>> bm25, course = [1, 0, 0, 0], [1, 1, 1, 0]
    >>> share_error(bm25, bm25, course), round(share_error([1, 1, 0, 0], bm25, course), 3)
    (0.0, 0.177)
    """
    own, low, high = (np.array([measures([rank]).quality for rank in each]) for each in (ranks, bm25, course))
    if own.mean() <= low.mean():
        effects = (own - own.mean() / low.mean() * low) / low.mean() / 2
    else:
        gap = high.mean() - low.mean()
        effects = (own - low - (own.mean() - low.mean()) / gap * (high - low)) / gap / 2
    return float(effects.std() / len(effects) ** 0.5)
