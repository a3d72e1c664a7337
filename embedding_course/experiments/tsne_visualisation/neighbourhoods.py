"""Compare the neighbours of points in the data and on a map."""

from collections.abc import Callable, Sequence

import torch


def nearest_of(points: torch.Tensor, k: int) -> torch.Tensor:
    """Return the k nearest other points of each point (n, k), nearest first."""
    far = torch.cdist(points, points)
    far.fill_diagonal_(float("inf"))
    return far.argsort(dim=1)[:, :k]


def kept(x: torch.Tensor, y: torch.Tensor, k: int) -> float:
    """Return the share of the k nearest neighbours in x (n, d) that are among the k nearest in y (n, 2)."""
    before, after = nearest_of(x, k), nearest_of(y, k)
    return (before[:, :, None] == after[:, None, :]).any(dim=2).float().mean().item()


def same_kind(points: torch.Tensor, kinds: Sequence[str]) -> float:
    """Return the share of points whose nearest neighbour is of the same kind."""
    return sum(kinds[near] == kind for kind, near in zip(kinds, nearest_of(points, 1)[:, 0].tolist(), strict=True)) / len(kinds)


def crowd_and_lonely(picks: Callable[[torch.Tensor], torch.Tensor]) -> tuple[float, float]:
    """Return β of a point in a dense region and of an isolated one: the ends of a line of six points, four of them close.

    `picks(line)` returns the probabilities (6, 6). ln p falls by β times the squared distance, so two probabilities of a row
    determine its β.
    """
    line = torch.tensor([0.0, 0.1, 0.2, 0.3, 5.0, 9.0], dtype=torch.float64)[:, None]
    p, far = picks(line), torch.cdist(line, line).square()
    crowd, lonely = ((p[i, j] / p[i, k]).log() / (far[i, k] - far[i, j]) for i, j, k in ((0, 1, 2), (5, 4, 3)))
    return crowd.item(), lonely.item()
