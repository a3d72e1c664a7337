"""What a search engine must beat: TF-IDF and BM25, on the same questions and the same texts.

Both compare words as they stand, and neither learns anything. BM25 comes from the library bm25s where it is installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer

from ...data.api_search import Entry

__all__ = ["bm25", "has_bm25", "tf_idf"]


def tf_idf(entries: Sequence[Entry], best: bool = False) -> torch.Tensor:
    """(N, N): TF-IDF cosine of each summary and each body, the idf counted on these bodies.

    As scikit-learn does it unasked; `best`: with the settings that did best on the validation pairs, which compares runs of
    three to five letters of each word and damps repetitions.
    """
    how = {"sublinear_tf": True, "analyzer": "char_wb", "ngram_range": (3, 5)} if best else {}
    bodies = [entry.body for entry in entries]
    vectorizer = TfidfVectorizer(**how).fit(bodies)
    questions = vectorizer.transform([entry.summary for entry in entries])
    return torch.from_numpy((questions @ vectorizer.transform(bodies).T).toarray()).float()


def has_bm25() -> bool:
    """Whether the library is there."""
    return find_spec("bm25s") is not None


def bm25(entries: Sequence[Entry]) -> torch.Tensor:
    """(N, N): BM25 score of each body for each summary, without English stop words. ImportError without bm25s."""
    import bm25s  # pyright: ignore  # it may not be there

    retriever = bm25s.BM25(method="lucene")
    bodies = bm25s.tokenize([entry.body for entry in entries], stopwords="en", show_progress=False)
    retriever.index(bodies, show_progress=False)
    asked = bm25s.tokenize([entry.summary for entry in entries], stopwords="en", return_ids=False, show_progress=False)
    rows = [retriever.get_scores(list(map(str, said))) if said else np.zeros(len(entries)) for said in asked]
    return torch.from_numpy(np.stack(rows)).float()
