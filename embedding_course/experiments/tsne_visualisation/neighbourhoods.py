"""What becomes of neighbours on a map: who they were, who they are, and of which kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

__all__ = ["crowd_and_lonely", "kept", "nearest_of", "same_kind"]


def nearest_of(points: torch.Tensor, k: int) -> torch.Tensor:
    """The k nearest other points of each point (n, k), nearest first."""
    far = torch.cdist(points, points)
    far.fill_diagonal_(float("inf"))
    return far.argsort(dim=1)[:, :k]


def kept(x: torch.Tensor, y: torch.Tensor, k: int) -> float:
    """The share of the k nearest neighbours in x (n, d) that are among the k nearest in y (n, 2)."""
    before, after = nearest_of(x, k), nearest_of(y, k)
    return (before[:, :, None] == after[:, None, :]).any(dim=2).float().mean().item()


def same_kind(points: torch.Tensor, kinds: Sequence[str]) -> float:
    """The share of points whose nearest neighbour is of their kind."""
    return sum(kinds[near] == kind for kind, near in zip(kinds, nearest_of(points, 1)[:, 0].tolist(), strict=True)) / len(kinds)


def crowd_and_lonely(picks: Callable[[torch.Tensor], torch.Tensor]) -> tuple[float, float]:
    """β of a point in a crowd and of a lonely one: the two ends of a line of six points, four of which stand close together.

    `picks(line)` gives the chances (6, 6). ln p falls by β times the squared distance, so two chances of a row give its β back.
    """
    line = torch.tensor([0.0, 0.1, 0.2, 0.3, 5.0, 9.0], dtype=torch.float64)[:, None]
    p, far = picks(line), torch.cdist(line, line).square()
    crowd, lonely = ((p[i, j] / p[i, k]).log() / (far[i, k] - far[i, j]) for i, j, k in ((0, 1, 2), (5, 4, 3)))
    return crowd.item(), lonely.item()
