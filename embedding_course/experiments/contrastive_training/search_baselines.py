"""Score the baselines of a search engine, TF-IDF and BM25, on the same questions and texts.

Both compare words without learning. BM25 comes from the library bm25s if it is installed.
"""

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer

from ...data.api_search import Entry


def tf_idf(entries: Sequence[Entry], best: bool = False) -> torch.Tensor:
    """Return the TF-IDF cosine of each summary and each body (N, N), with the idf counted on these bodies.

    The settings are scikit-learn's defaults; with `best`, those that did best on the validation pairs: character n-grams of
    three to five letters, and damped repetitions.
    """
    how = {"sublinear_tf": True, "analyzer": "char_wb", "ngram_range": (3, 5)} if best else {}
    bodies = [entry.body for entry in entries]
    vectorizer = TfidfVectorizer(**how).fit(bodies)
    questions = vectorizer.transform([entry.summary for entry in entries])
    return torch.from_numpy((questions @ vectorizer.transform(bodies).T).toarray()).float()


def has_bm25() -> bool:
    """Return whether the library bm25s is installed."""
    return find_spec("bm25s") is not None


def bm25(entries: Sequence[Entry]) -> torch.Tensor:
    """Return the BM25 score of each body for each summary (N, N), without English stop words.

    Raises
    ------
    ImportError
        If bm25s is not installed.
    """
    import bm25s  # pyright: ignore  # it may not be there

    retriever = bm25s.BM25(method="lucene")
    bodies = bm25s.tokenize([entry.body for entry in entries], stopwords="en", show_progress=False)
    retriever.index(bodies, show_progress=False)
    asked = bm25s.tokenize([entry.summary for entry in entries], stopwords="en", return_ids=False, show_progress=False)
    rows = [retriever.get_scores(list(map(str, question))) if question else np.zeros(len(entries)) for question in asked]
    return torch.from_numpy(np.stack(rows)).float()
