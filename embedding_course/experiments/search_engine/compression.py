"""Store a matrix of vectors in fewer bytes, or compare fewer vectors, and measure what remains of the search quality.

Every function takes document vectors (N, d), query vectors (Q, d), and a function `measure` that returns the quality of a
search by dot product with them, for example recall. It measures the learner's own `truncate_dimensions` and the like.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

#: A function from queries (Q, d) and documents (N, d) to the quality of the search, from 0 to 1.
Measure = Callable[[torch.Tensor, torch.Tensor], float]


@dataclass(frozen=True)
class Point:
    """Hold a way to store vectors: `bytes` per vector, and the quality of the search."""

    bytes: float
    value: float


def gigabytes(vectors: int, bytes_each: float) -> float:
    """Return the size of the vectors in units of 10^9 bytes.

    Examples
    --------
    >>> round(gigabytes(1_000_000, 1536 * 4), 2), round(gigabytes(1_000_000, 512 * 4), 2)
    (6.14, 2.05)
    """
    return vectors * bytes_each / 1e9


def by_width(
    queries: torch.Tensor,
    documents: torch.Tensor,
    widths: Sequence[int],
    truncate: Callable[[torch.Tensor, int], torch.Tensor],
    measure: Measure,
) -> list[Point]:
    """Measure the search with both sides cut to each width.

    Parameters
    ----------
    queries, documents : torch.Tensor
        Their vectors, (Q, d) and (N, d).
    widths : Sequence[int]
        Numbers of dimensions kept.
    truncate : Callable[[torch.Tensor, int], torch.Tensor]
        Cuts vectors x to `keep` dimensions: `truncate(x, keep)`.
    measure : Measure
        Quality of a search with these queries and documents, from 0 to 1.
    """
    return [Point(4 * width, float(measure(truncate(queries, width), truncate(documents, width)))) for width in widths]


def turned(queries: torch.Tensor, documents: torch.Tensor, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return queries and documents rotated by PCA of the documents, with the documents' mean subtracted."""
    fitted = PCA(random_state=seed).fit(documents.numpy())
    first, second = (torch.from_numpy(fitted.transform(side.numpy())).to(side.dtype) for side in (queries, documents))
    return first, second


@dataclass(frozen=True)
class Lists:
    """Hold an inverted file: the centroids (C, d), and the list to which each vector belongs, (N,)."""

    centroids: torch.Tensor
    assignment: torch.Tensor

    def scanned(self, queries: torch.Tensor, probes: int) -> float:
        """Return the mean share of all vectors that a search with `probes` lists compares, centroids included."""
        sizes = torch.bincount(self.assignment, minlength=len(self.centroids))
        opened = sizes[(queries @ self.centroids.T).argsort(dim=1, descending=True)[:, :probes]]
        return (opened.sum(dim=1).double().mean().item() + len(self.centroids)) / len(self.assignment)


def make_lists(documents: torch.Tensor, n: int, seed: int = 0) -> Lists:
    """Return `n` lists by k-means; centroids are unit vectors, and each document is in the list of the most similar one."""
    fitted = KMeans(n, n_init="auto", max_iter=20, random_state=seed).fit(documents.numpy())  # "auto" means one start.
    centroids = torch.nn.functional.normalize(torch.from_numpy(fitted.cluster_centers_).to(documents.dtype), dim=1)
    return Lists(centroids, (documents @ centroids.T).argmax(dim=1))


def make_codebooks(vectors: torch.Tensor, parts: int, centroids: int = 64, seed: int = 0) -> torch.Tensor:
    """Return codebooks for product quantisation, one run of k-means for each part: (parts, centroids, d / parts).

    Parameters
    ----------
    vectors : torch.Tensor
        Vectors (N, d) that the centroids are fitted to.
    parts : int
        Number of parts of a vector; it divides d.
    centroids : int, optional
        Number of centroids of a part.
    seed : int, optional
        Seed of k-means.
    """
    cut = vectors.view(len(vectors), parts, -1).numpy()
    means = [
        KMeans(centroids, n_init="auto", max_iter=10, random_state=seed).fit(cut[:, part]).cluster_centers_
        for part in range(parts)
    ]
    return torch.stack([torch.from_numpy(table) for table in means]).to(vectors.dtype)


def by_probes(
    queries: torch.Tensor,
    documents: torch.Tensor,
    lists: Lists,
    search: Callable[..., torch.Tensor],
    probes: Sequence[int],
    k: int = 10,
) -> list[tuple[float, float]]:
    """Measure the search in an inverted file for each number of lists that are opened.

    Parameters
    ----------
    queries, documents : torch.Tensor
        Their vectors, (Q, d) and (N, d).
    lists : Lists
        The inverted file.
    search : Callable[..., torch.Tensor]
        Called with queries, documents, centroids, assignment, the number of probes and k; returns indices (Q, k).
    probes : Sequence[int]
        Numbers of lists that are opened.
    k : int, optional
        Number of results of a search.

    Returns
    -------
    list of (float, float)
        Share of the vectors compared, and share of the true k nearest that were found.
    """
    exact = (queries @ documents.T).topk(k, dim=1).indices  # (Q, k)
    points = []
    for opened in probes:
        got = search(queries, documents, lists.centroids, lists.assignment, opened, k)  # (Q, k)
        hit = (exact[:, :, None] == got[:, None, :]).any(dim=2).double().mean().item()
        points.append((lists.scanned(queries, opened), hit))
    return points
