"""Sizes and numbers for heads that are cut and joined."""

import torch

from ...checking.exercise import RandomInputs


def some_sizes(draw: RandomInputs) -> tuple[int, int, int, int]:
    """Return B, T, h and d / h, which are distinct primes."""
    batch, time, heads, width = draw.shuffled((2, 3, 5, 7))
    return batch, time, heads, width


SQUARES = (
    ("as many heads as positions", (2, 3, 3, 5)),
    ("as many heads as columns in each", (2, 5, 3, 3)),
    ("as many positions as columns in each head", (2, 3, 5, 3)),
    ("as many heads as sentences", (3, 2, 3, 5)),
    ("sizes that are all equal", (3, 3, 3, 3)),
)


def counted(batch: int, time: int, width: int) -> torch.Tensor:
    """Return numbers that tell their position: 100 for the sentence, 10 for the position, 1 for the column."""
    places = torch.meshgrid(torch.arange(batch), torch.arange(time), torch.arange(width), indexing="ij")
    return (100 * places[0] + 10 * places[1] + places[2]).float()
