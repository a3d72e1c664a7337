"""Attention masks of every pattern, and token embeddings whose padding would show in any result that it reaches."""

import torch

from ...checking.exercise import RandomInputs


def lengths(draw: RandomInputs, batch: int, time: int) -> list[int]:
    """How many tokens each sentence has: one fills the width, one leaves one position, the others leave two or more."""
    rest = [draw.integer(2, time - 2) for _ in range(batch)]
    return draw.shuffled([time, time - 1, *rest][:batch])


def on_the_right(draw: RandomInputs, batch: int, time: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """A mask (B, T) of sentences that are padded on the right."""
    places = torch.arange(time)
    return (places < torch.tensor(lengths(draw, batch, time))[:, None]).to(dtype)


def on_the_left(draw: RandomInputs, batch: int, time: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """A mask (B, T) of sentences that are padded on the left."""
    return on_the_right(draw, batch, time, dtype).flip(1)


def with_holes(draw: RandomInputs, batch: int, time: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """A mask (B, T) with padding among the real tokens; by turns the outermost positions are padding and real.

    T must be at least 5. Each row has real tokens and a hole, by turns behind its first one and before its last one;
    in the first row nothing real stands at either end.
    """
    mask = torch.zeros(batch, time, dtype=torch.int64)
    for row in range(batch):
        edge = 1 - row % 2
        inner = draw.ids(time - 2 * edge - 2, 2)
        inner[-(row % 2)] = 0
        mask[row, edge : time - edge] = torch.cat([torch.ones(1, dtype=torch.int64), inner, torch.ones(1, dtype=torch.int64)])
    return mask.to(dtype)


def with_an_empty_row(draw: RandomInputs, batch: int, time: int) -> torch.Tensor:
    """A mask (B + 1, T) with holes; one row has no real token at all."""
    mask = with_holes(draw, batch, time)
    at = draw.integer(0, batch)
    return torch.cat([mask[:at], torch.zeros(1, time, dtype=mask.dtype), mask[at:]])


def words(draw: RandomInputs, mask: torch.Tensor, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Token embeddings (B, T, d) for a mask: normal at real tokens, and larger than any of them at padding."""
    batch, time = mask.shape
    padding = draw.uniform(batch, time, width, low=6.0, high=9.0, dtype=dtype)
    return torch.where(mask.bool()[:, :, None], draw.normal(batch, time, width, dtype=dtype), padding)
