"""Search the functions of this machine with several rankings that are fused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from ...data.project_search import collection

Ranking = Callable[[str], Sequence[int]]
Fuse = Callable[[list[list[int]]], Sequence[int]]

#: How much of each ranking is fused; lower ranks carry no information.
_DEEP = 200


@dataclass(frozen=True)
class FusedHit:
    """Hold a function that was found; `ranks` are its ranks from 1 by each ranking, None where it is not listed."""

    name: str
    summary: str
    ranks: tuple[int | None, ...]


class FusedHits(list[FusedHit]):
    """List what was found, best first; `rankings` are the names of the rankings."""

    def __init__(self, hits: Sequence[FusedHit], rankings: Sequence[str]) -> None:
        super().__init__(hits)
        self.rankings = list(rankings)

    def __repr__(self) -> str:
        if not self:
            return "Nothing found: the question has no words."
        width = max(len(hit.name) for hit in self)
        head = " ".join(f"{name:>9}" for name in self.rankings)
        rows = [f"{' '.join(f'{_shown(rank):>9}' for rank in hit.ranks)}  {hit.name:{width}}  {hit.summary}" for hit in self]
        return "\n".join([head, *rows])

    def _repr_html_(self) -> str:
        if not self:
            return f"<p>{escape(repr(self))}</p>"
        left = "style='text-align:left'"
        rows = "".join(
            f"<tr>{''.join(f'<td>{_shown(rank)}</td>' for rank in hit.ranks)}"
            f"<td {left}><code>{escape(hit.name)}</code></td><td {left}>{escape(hit.summary)}</td></tr>"
            for hit in self
        )
        head = "".join(f"<th>{escape(name)}</th>" for name in self.rankings)
        return f"<table><tr>{head}<th {left}>name</th><th {left}>what it does</th></tr>{rows}</table>"


def _shown(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


class FusedSearch:
    """Search the documents of the project with `search(text, k)`.

    Parameters
    ----------
    rankings : mapping of str to Callable
        Functions that take a question and return rows of documents, best first, by the names to be shown.
    fuse : Callable
        Takes a list of rankings and returns one, as `11.reciprocal_rank_fusion` does.
    """

    def __init__(self, rankings: Mapping[str, Ranking], fuse: Fuse) -> None:
        self.rankings, self.fuse = dict(rankings), fuse

    def search(self, text: str, k: int = 5) -> FusedHits:
        """Return the k best hits, best first; none for a question without words. Raise ValueError for k below 1."""
        if k < 1:
            raise ValueError(f"k = {k}: at least one result is wanted")
        if not any(letter.isalnum() for letter in text):
            return FusedHits([], list(self.rankings))
        lists = [[int(row) for row in ranking(text)][:_DEEP] for ranking in self.rankings.values()]
        ranks = [{row: rank for rank, row in enumerate(ranking, 1)} for ranking in lists]
        names, texts, _ = collection()
        hits = [
            FusedHit(names[row], texts[row].split("\n")[1], tuple(ranked.get(row) for ranked in ranks))
            for row in list(self.fuse(lists))[:k]
        ]
        return FusedHits(hits, list(self.rankings))


def bm25_ranking(texts: Sequence[str]) -> Ranking:
    """Return a ranking of texts by BM25, without English stop words; texts that share no word are left out."""
    import bm25s

    retriever = bm25s.BM25(method="lucene")
    retriever.index(bm25s.tokenize(list(texts), stopwords="en", show_progress=False), show_progress=False)

    def ranking(question: str) -> list[int]:
        tokens: Any = bm25s.tokenize([question], stopwords="en", return_ids=False, show_progress=False)
        scores = retriever.get_scores(tokens[0]) if tokens[0] else np.zeros(len(texts))
        return [row for row in (-scores).argsort(kind="stable").tolist() if scores[row] > 0]

    return ranking
