"""The upper anchor, the course's own best: two encoders of notebook 09, BM25 and TF-IDF of the first lines, scores added."""

import math

import bm25s
import numpy as np
import torch
import torch.nn.functional as F
from sklearn.feature_extraction.text import TfidfVectorizer

from embedding_course.data.api_search import Entry
from embedding_course.experiments.contrastive_training.search_engine import SearchEngine
from embedding_course.experiments.contrastive_training.search_text import words
from embedding_course.experiments.contrastive_training.search_training import Setting, train

SEEDS = (0, 1)


def info_nce(queries: torch.Tensor, positives: torch.Tensor, scale: float) -> torch.Tensor:
    logits = scale * F.normalize(queries) @ F.normalize(positives).T  # (N, N)
    return F.cross_entropy(logits, torch.arange(len(queries)))


def warmup_cosine(step: int, warmup: int, total: int, peak: float) -> float:
    if step < warmup:
        return peak * step / warmup
    return peak * (1 + math.cos(math.pi * min((step - warmup) / (total - warmup), 1.0))) / 2


def entry(text: str) -> Entry:
    name, summary, body = text.split("\n", 2)
    return Entry(name, "", "", summary, body, "")


def standard(scores: np.ndarray) -> np.ndarray:
    return (scores - scores.mean()) / (scores.std() + 1e-9)


class Engine:
    def __init__(self, documents: list[str], further: list[str]) -> None:
        searched = [entry(text) for text in documents]
        # Ordered by name, so that what is learned depends on nothing but the texts and the seed.
        pairs = sorted([*searched, *map(entry, further)], key=lambda each: each.name)
        self.encoders = [
            SearchEngine(train(info_nce, warmup_cosine, pairs, Setting(seed=seed)).encoder, searched) for seed in SEEDS
        ]
        self.bm25 = bm25s.BM25(method="lucene")
        said = [" ".join(words(text)) for text in documents]
        self.bm25.index(bm25s.tokenize(said, stopwords="en", show_progress=False), show_progress=False)
        self.tf_idf = TfidfVectorizer(sublinear_tf=True, analyzer="char_wb", ngram_range=(3, 5))
        self.heads = self.tf_idf.fit_transform(f"{each.name} {each.summary}" for each in searched)

    def search(self, query: str, k: int) -> list[int]:
        (said,) = bm25s.tokenize([query], stopwords="en", return_ids=False, show_progress=False)
        scores = sum(standard(one.cosines(query).numpy()) for one in self.encoders)
        scores = scores + standard((self.heads @ self.tf_idf.transform([query]).T).toarray()[:, 0])
        if said:
            scores = scores + standard(self.bm25.get_scores(list(map(str, said))))
        return (-scores).argsort(kind="stable")[:k].tolist()
