"""Show the rank of a hit in each stage of a search: words by TF-IDF, vectors by cosine, and the merged ranking."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from sklearn.feature_extraction.text import TfidfVectorizer

from .search_engine import SearchEngine
from .search_text import words

#: Number of entries of each ranking that are merged; lower ranks carry no information.
_DEEP = 200
Fuse = Callable[[list[list[int]]], list[int]]


@dataclass(frozen=True)
class Found:
    """Hold a hit with its rank, from 1, in each stage; None if a stage did not find it."""

    name: str
    summary: str
    by_words: int | None
    by_vectors: int | None
    cosine: float


class Stages:
    """Combine an engine with TF-IDF over the same entries.

    `fuse` merges rankings, as `11.reciprocal_rank_fusion` does; without it the vectors alone decide.
    """

    def __init__(self, engine: SearchEngine, fuse: Fuse | None = None) -> None:
        self.engine, self.fuse = engine, fuse
        self.tf_idf = TfidfVectorizer(sublinear_tf=True, analyzer="char_wb", ngram_range=(3, 5))
        self.texts: Any = self.tf_idf.fit_transform(f"{entry.name} {entry.summary} {entry.body}" for entry in engine.entries)

    def search(self, question: str, k: int = 5) -> list[Found]:
        """Return the k best hits, best first; none for a question without words. Raise ValueError for k below 1."""
        if k < 1:
            raise ValueError(f"k = {k}: at least one result is wanted")
        if not words(question):
            return []
        cosines = self.engine.cosines(question)
        by_vectors = cosines.topk(min(_DEEP, len(cosines))).indices.tolist()
        by_words = self._words(question)
        best = [*map(int, self.fuse([by_words, by_vectors]))] if self.fuse else by_vectors
        ranks = [{row: rank for rank, row in enumerate(ranking, 1)} for ranking in (by_words, by_vectors)]
        return [
            Found(entry.name, entry.summary, ranks[0].get(row), ranks[1].get(row), cosines[row].item())
            for row, entry in ((row, self.engine.entries[row]) for row in best[:k])
        ]

    def _words(self, question: str) -> list[int]:
        asked: Any = self.tf_idf.transform([question])
        scores = (self.texts @ asked.T).toarray()[:, 0]
        order: Sequence[int] = torch.from_numpy(scores).argsort(descending=True, stable=True).tolist()
        return [row for row in order[:_DEEP] if scores[row] > 0]
