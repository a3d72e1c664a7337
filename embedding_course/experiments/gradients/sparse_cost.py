"""Measure the cost of a training step with a dense and with a sparse gradient of the table."""

import time
from collections.abc import Sequence

import torch
from torch import nn

from ...messages import translatable

#: How a table is trained: its optimizer, and whether the gradient is sparse.
STEPPERS = {
    translatable("Adam, dense"): (lambda table: torch.optim.Adam(table.parameters()), False),
    translatable("SGD, dense"): (lambda table: torch.optim.SGD(table.parameters(), lr=0.01), False),
    "SparseAdam": (lambda table: torch.optim.SparseAdam(table.parameters()), True),
    translatable("SGD, sparse"): (lambda table: torch.optim.SGD(table.parameters(), lr=0.01), True),
}


def milliseconds(name: str, sizes: Sequence[int], width: int = 32, repeats: int = 4) -> list[float]:
    """Return the time of the fastest step on 64 ids, for each table size.

    A step is zero_grad, forward, backward and step of the optimizer.

    Parameters
    ----------
    name : str
        Name of an optimizer in `STEPPERS`.
    sizes : Sequence[int]
        Numbers of rows of the table.
    width : int, optional
        Number of dimensions of a row.
    repeats : int, optional
        Number of steps that are measured.
    """
    make, sparse = STEPPERS[name]
    best = []
    for size in sizes:
        table = nn.Embedding.from_pretrained(torch.zeros(size, width), freeze=False, sparse=sparse)
        optimizer = make(table)
        ids = torch.randint(size, (64,))
        times = []
        for _ in range(repeats + 1):  # The first step allocates the optimizer's state and is not counted.
            start = time.perf_counter()
            optimizer.zero_grad()
            table(ids).sum().backward()
            optimizer.step()
            times.append(time.perf_counter() - start)
        best.append(1000 * min(times[1:]))
    return best
