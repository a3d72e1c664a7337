"""Compare groups found in data with groups found in structureless noise of the same shape."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score


class Fair(NamedTuple):
    """Hold silhouettes of k-means groups: in the data, and the 95th percentile over noise of the same mean and covariance."""

    data: float
    null: float

    @property
    def real(self) -> bool:
        """Return whether the silhouette of the data exceeds that of the noise."""
        return self.data > self.null


def cut(points: torch.Tensor, groups: int, seed: int = 0) -> torch.Tensor:
    """Return the group of each point by k-means, (n,)."""
    clusters = KMeans(groups, n_init=3, random_state=seed)  # pyright: ignore[reportArgumentType]  its default is a str
    return torch.from_numpy(clusters.fit_predict(points.numpy())).long()


def fair_test(x: torch.Tensor, groups: int, draws: int = 20, seed: int = 0) -> Fair:
    """Cluster points and noise in the same way, so that in both cases the labels depend on the points.

    Parameters
    ----------
    x : torch.Tensor
        The points, (n, d).
    groups : int
        Number of groups of k-means.
    draws : int, optional
        Number of samples of noise.
    seed : int, optional
        Seed of the noise.
    """
    generator = torch.Generator().manual_seed(seed)
    spread = torch.linalg.cholesky(torch.cov(x.double().T) + 1e-6 * torch.eye(x.shape[1], dtype=torch.float64)).float()
    scores = torch.tensor(
        [_score(x.mean(dim=0) + torch.randn(x.shape, generator=generator) @ spread.T, groups) for _ in range(draws)]
    )
    return Fair(_score(x, groups), float(scores.quantile(0.95)))


def _score(points: torch.Tensor, groups: int) -> float:
    return float(silhouette_score(points.numpy(), cut(points, groups).numpy()))


def said(result: Mapping[str, Any]) -> str:
    """Return the result of a `cluster_test` as a line of text."""
    levels = ", ".join(f"{name} {float(result[name]):+.3f}" for name in ("map", "data", "null"))
    return f"{levels}, real: {bool(result['real'])}"
