"""Generate point clouds with known structure, to compare maps with it."""

from typing import NamedTuple

import torch


class Cloud(NamedTuple):
    """Hold points x (n, d), and the group of each point (n,)."""

    x: torch.Tensor
    groups: torch.Tensor


def noise(points: int, width: int, seed: int = 0) -> torch.Tensor:
    """Return independent N(0, 1) numbers: one round cloud without groups."""
    return torch.randn(points, width, generator=torch.Generator().manual_seed(seed))


def two_sizes(points: int = 100, width: int = 10) -> Cloud:
    """Return two round clouds, the second ten times as wide as the first."""
    wide = 10 * noise(points, width, seed=1)
    wide[:, 0] += 80
    return Cloud(torch.cat([noise(points, width), wide]), torch.arange(2).repeat_interleave(points))


def three_gaps(points: int = 60, width: int = 10) -> Cloud:
    """Return three equal clouds at 0, 10 and 60: the second gap is five times the first."""
    x = noise(3 * points, width, seed=2)
    groups = torch.arange(3).repeat_interleave(points)
    x[:, 0] += torch.tensor([0.0, 10.0, 60.0])[groups]
    return Cloud(x, groups)


def cell_path(points: int = 240, width: int = 30) -> Cloud:
    """Return cells that develop from one type into another: a smooth bent path of uniform density. `groups` is the time."""
    time = torch.linspace(0, 1, points)
    turns = torch.arange(1, 6)[None] * torch.pi * time[:, None] / 2
    path = torch.cat([turns.sin(), turns.cos()], dim=1)  # (n, 10)
    basis, _ = torch.linalg.qr(noise(width, 10, seed=3))
    return Cloud(3 * path @ basis.T + 0.25 * noise(points, width, seed=4), time)
