"""What a word costs, measured here and now: one-hot times table against reading a row."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F

from .timing import fastest

__all__ = ["Cost", "by_rows", "by_vocabulary", "by_width"]


class Cost(NamedTuple):
    """A size (vocabulary, width or rows) and the seconds that one batch took."""

    size: int
    seconds: float


def by_vocabulary(
    sizes: tuple[int, ...] = (500, 1_500, 5_000, 15_000, 50_000), width: int = 300, batch: int = 64
) -> tuple[list[Cost], list[Cost]]:
    """A batch of `batch` words, by one-hot vectors times the table and by reading rows, for growing vocabularies.

    The one-hot vectors are made within the measured time: nobody has them lying about.
    """
    matmul, lookup = [], []
    for size in sizes:
        table = torch.ones(size, width)
        ids = list(torch.randint(size, (4, batch)))
        matmul.append(Cost(size, fastest(lambda row, t=table: F.one_hot(row, len(t)).float() @ t, ids)))
        lookup.append(Cost(size, fastest(lambda row, t=table: F.embedding(row, t), ids * 5)))
    return matmul, lookup


def by_width(widths: tuple[int, ...] = (128, 256, 512, 1_024, 2_048), rows: int = 500, batch: int = 500) -> list[Cost]:
    """Reading `batch` rows of a small table, for growing width of a row."""
    ids = list(torch.randint(rows, (20, batch)))
    costs = []
    for width in widths:
        table = torch.ones(rows, width)
        costs.append(Cost(width, fastest(lambda row, t=table: F.embedding(row, t), ids)))
    return costs


def by_rows(counts: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000), width: int = 32, batch: int = 50_000) -> list[Cost]:
    """Reading `batch` rows of one width, for growing tables: the count of operations stays the same.

    Every call reads other rows: had they been read a moment ago, they would still be in the cache.
    """
    costs = []
    for count in counts:
        table = torch.ones(count, width)
        ids = list(torch.randint(count, (6, batch)))
        costs.append(Cost(count, fastest(lambda row, t=table: F.embedding(row, t), ids)))
    return costs
