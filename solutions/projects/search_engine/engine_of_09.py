"""The engine of notebook 09 alone: one encoder, trained on first sentences and details. It is measured, and is no anchor."""

import math

import torch
import torch.nn.functional as F

from embedding_course.data.api_search import Entry
from embedding_course.experiments.contrastive_training.search_engine import SearchEngine
from embedding_course.experiments.contrastive_training.search_training import train


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


class Engine:
    def __init__(self, documents: list[str], further: list[str]) -> None:
        searched = [entry(text) for text in documents]
        # Ordered by name, so that what is learned depends on nothing but the texts and the seed.
        pairs = sorted([*searched, *map(entry, further)], key=lambda each: each.name)
        self.engine = SearchEngine(train(info_nce, warmup_cosine, pairs).encoder, searched)

    def search(self, query: str, k: int) -> list[int]:
        return self.engine.cosines(query).argsort(descending=True, stable=True)[:k].tolist()
