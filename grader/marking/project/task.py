"""What an engine is asked: the documents, twenty public queries, and the hidden ones, which no learner's process sees."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from embedding_course.data.project_search import collection

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
    names: list[str]
    texts: list[str]
    further: list[str]
    public: list[Query]
    hidden: list[Query]


def read_task() -> Task:
    """The task as it is with the libraries of this machine: a query to which none of them has an answer is left out."""
    names, texts, further = collection()
    places = {name: place for place, name in enumerate(names)}
    return Task(names, texts, further, _queries(PUBLIC, places), _queries(HIDDEN, places))


def _queries(path: Path, places: Mapping[str, int]) -> list[Query]:
    with path.open(encoding="utf-8", newline="") as file:
        found = [Query(text, frozenset(places[name] for name in right.split() if name in places)) for text, right in
                 csv.reader(file, delimiter="\t")]  # fmt: skip
    return [query for query in found if query.right]
