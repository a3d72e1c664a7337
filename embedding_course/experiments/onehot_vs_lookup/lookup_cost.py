"""Measure the cost of a lookup on this machine: one-hot times table against reading a row."""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F


class Cost(NamedTuple):
    """Hold a size (vocabulary, width or rows) and the seconds of one batch."""

    size: int
    seconds: float


def by_vocabulary(
    sizes: tuple[int, ...] = (500, 1_500, 5_000, 15_000, 50_000), width: int = 300, batch: int = 64
) -> tuple[list[Cost], list[Cost]]:
    """Measure a batch of `batch` words for growing vocabularies, by one-hot product and by lookup.

    The measured time includes making the one-hot vectors, which nobody keeps in memory.
    """
    matmul, lookup = [], []
    for size in sizes:
        table = torch.ones(size, width)
        ids = list(torch.randint(size, (4, batch)))
        matmul.append(Cost(size, fastest(lambda row, t=table: F.one_hot(row, len(t)).float() @ t, ids)))
        lookup.append(Cost(size, fastest(lambda row, t=table: F.embedding(row, t), ids * 5)))
    return matmul, lookup


def by_width(widths: tuple[int, ...] = (128, 256, 512, 1_024, 2_048), rows: int = 500, batch: int = 500) -> list[Cost]:
    """Measure reading `batch` rows of a small table for growing width of a row."""
    ids = list(torch.randint(rows, (20, batch)))
    costs = []
    for width in widths:
        table = torch.ones(rows, width)
        costs.append(Cost(width, fastest(lambda row, t=table: F.embedding(row, t), ids)))
    return costs


def by_rows(counts: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000), width: int = 32, batch: int = 50_000) -> list[Cost]:
    """Measure reading `batch` rows of one width for growing tables: the number of operations stays the same.

    Every call reads other rows, so that they are not in the cache already.
    """
    costs = []
    for count in counts:
        table = torch.ones(count, width)
        ids = list(torch.randint(count, (6, batch)))
        costs.append(Cost(count, fastest(lambda row, t=table: F.embedding(row, t), ids)))
    return costs


def fastest(function: Callable[[Any], Any], inputs: Sequence[Any]) -> float:
    """Return the seconds of the fastest call, over one call for each of `inputs`, after a warm-up call.

    Other work on the machine disturbs the fastest run least.
    """
    function(inputs[0])
    spent = []
    for value in inputs:
        begin = time.perf_counter()
        function(value)
        spent.append(time.perf_counter() - begin)
    return min(spent)
