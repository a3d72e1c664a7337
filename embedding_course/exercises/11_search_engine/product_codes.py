"""Codebooks, and vectors whose nearest centroids are in no doubt."""

import torch

from ...checking.exercise import RandomInputs


def clear_parts(draw: RandomInputs, count: int, centroids: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
    """Return `count` vectors whose two smallest squared distances from the centroids are clearly different."""
    kept: list[torch.Tensor] = []
    while len(kept) < count:
        point = scale * draw.normal(centroids.shape[1], dtype=torch.float64)
        distances = ((centroids.double() - point) ** 2).sum(dim=1).sort().values
        gap = float(distances[1] - distances[0]) if len(distances) > 1 else 1.0 + float(distances[0])
        if gap > 0.05 * float(distances[min(1, len(distances) - 1)]) and gap > 0.01 * float((point**2).sum()):
            kept.append(point)
    return torch.stack(kept) if kept else torch.zeros(0, centroids.shape[1], dtype=torch.float64)


def clear_rows(draw: RandomInputs, count: int, codebooks: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
    """Return `count` rows, each part of which has one nearest centroid in its codebook, in the dtype of the codebooks."""
    parts = [clear_parts(draw, count, centroids, scale) for centroids in codebooks]
    return torch.cat(parts, dim=1).to(codebooks.dtype)


def distinct_codes(draw: RandomInputs, count: int, parts: int, centroids: int) -> torch.Tensor:
    """Return (count, parts) codes of which no two rows are equal."""
    numbers = draw.distinct(count, centroids**parts)
    return torch.stack([numbers // centroids**part % centroids for part in range(parts)], dim=1)


def decoded(codes: torch.Tensor, codebooks: torch.Tensor) -> torch.Tensor:
    """Return the vectors that codes stand for, in float64."""
    return torch.cat([codebooks[part].double()[codes[:, part]] for part in range(len(codebooks))], dim=1)
