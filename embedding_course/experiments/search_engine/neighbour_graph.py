"""Build graphs over vectors as lists of neighbours: nearest ones, with reverse edges, with random far edges."""

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

Neighbours = list[list[int]]
#: A function from (query, vectors, neighbours, start, ef, k) to (nearest, number of comparisons).
Search = Callable[..., tuple[list[int], int]]


def nearest_lists(vectors: torch.Tensor, links: int) -> Neighbours:
    """Return for each vector (N, d) the indices of the `links` others with the largest dot products: directed edges."""
    nearest = []
    for first in range(0, len(vectors), 1024):
        scores = vectors[first : first + 1024] @ vectors.T
        scores[torch.arange(len(scores)), torch.arange(first, first + len(scores))] = float("-inf")
        nearest += scores.topk(links, dim=1).indices.tolist()
    return nearest


def both_ways(neighbours: Neighbours) -> Neighbours:
    """Return the graph with the reverse of every edge added."""
    lists = [list(others) for others in neighbours]
    for node, others in enumerate(neighbours):
        for other in others:
            lists[other].append(node)
    return [list(dict.fromkeys(others)) for others in lists]


def with_far(neighbours: Neighbours, extra: int = 1, seed: int = 0) -> Neighbours:
    """Return the graph with `extra` edges from each node to random nodes."""
    chance = random.Random(seed)
    return [[*others, *(chance.randrange(len(neighbours)) for _ in range(extra))] for others in neighbours]


def reached(neighbours: Neighbours, start: int) -> int:
    """Return how many nodes can be reached from `start`, itself included."""
    seen, open_ = {start}, [start]
    while open_:
        new = set(neighbours[open_.pop()]) - seen
        seen |= new
        open_ += new
    return len(seen)


def peaks(scores: torch.Tensor, neighbours: Neighbours) -> torch.Tensor:
    """Return the number of local maxima for each row of scores (Q, N): nodes that score higher than all their neighbours, (Q,).

    Greedy search that keeps one node stops at the first local maximum that it meets.
    """
    lengths = torch.tensor([len(others) for others in neighbours])
    source = torch.repeat_interleave(torch.arange(len(neighbours)), lengths)
    target = torch.tensor([other for others in neighbours for other in others])
    counts = []
    for row in scores:
        best = torch.full_like(row, float("-inf")).scatter_reduce(0, source, row[target], "amax")
        counts.append((row > best).sum())
    return torch.stack(counts)


def by_ef(
    search: Search, queries: torch.Tensor, vectors: torch.Tensor, neighbours: Neighbours, sizes: Sequence[int], k: int = 10
) -> list[tuple[float, float]]:
    """Measure the search in a graph for each ef. Every search begins at node 0.

    Parameters
    ----------
    search : Search
        Called with query, vectors, neighbours, start, ef and k; returns the nearest and the number of comparisons.
    queries, vectors : torch.Tensor
        Query vectors (Q, d), and the vectors of the nodes (N, d).
    neighbours : Neighbours
        Neighbours of each node.
    sizes : Sequence[int]
        Values of ef, the number of candidates that a search keeps.
    k : int, optional
        Number of results of a search.

    Returns
    -------
    list of (float, float)
        Share of the vectors compared, and share of the true k nearest that were found.
    """
    exact = (queries @ vectors.T).topk(k, dim=1).indices.tolist()
    points = []
    for ef in sizes:
        compared = hits = 0
        for query, true in zip(queries, exact, strict=True):
            nearest, many = search(query, vectors, neighbours, 0, ef, k)
            compared += int(many)
            hits += len({*map(int, nearest)} & {*true})
        points.append((compared / len(queries) / len(vectors), hits / len(queries) / k))
    return points


class Walk(NamedTuple):
    """Hold the steps of a walk: the node that each step visits, and all nodes that were compared by then; and its result."""

    visited: list[int]
    compared: list[set[int]]
    nearest: list[int]


class _Watched(list[list[int]]):
    """Neighbour lists that note whose list is read."""

    def __init__(self, lists: Neighbours) -> None:
        super().__init__(lists)
        self.read: list[int] = []

    def __getitem__(self, node: Any) -> Any:
        if not isinstance(node, slice):
            self.read.append(int(node))
        return super().__getitem__(node)


def steps_of(search: Search, query: torch.Tensor, vectors: torch.Tensor, neighbours: Neighbours, start: int, ef: int) -> Walk:
    """Return the steps of a search, seen from the neighbour lists that it reads."""
    watched = _Watched(neighbours)
    nearest, _ = search(query, vectors, watched, start, ef, 1)
    visited = list(dict.fromkeys([start, *watched.read]))
    compared, seen = [], {start}
    for node in visited:
        seen = seen | set(neighbours[node])
        compared.append(seen)
    return Walk(visited, compared, [int(node) for node in nearest])


class Plane(NamedTuple):
    """Hold points in a plane (N, 2), their two-way graph, where a walk starts, and a query (2,).

    `lifted` and `lifted_query` have the dot products that order the points by their distance to the query.
    """

    points: torch.Tensor
    neighbours: Neighbours
    start: int
    query: torch.Tensor

    @property
    def lifted(self) -> torch.Tensor:
        """The points with minus half their squared norm as a third coordinate, (N, 3)."""
        return torch.cat([self.points, -(self.points**2).sum(dim=1, keepdim=True) / 2], dim=1)

    @property
    def lifted_query(self) -> torch.Tensor:
        """The query with 1 as its third coordinate, (3,)."""
        return torch.cat([self.query, torch.ones(1)])


def plane(count: int = 56, links: int = 4, seed: int = 23) -> Plane:
    """Return random points around a hole, so that a walk towards the query meets a local maximum."""
    points = 2 * torch.rand(3 * count, 2, generator=torch.Generator().manual_seed(seed)) - 1
    points = points[points.norm(dim=1) > 0.45][:count]
    near = torch.cdist(points, points).topk(links + 1, largest=False).indices[:, 1:].tolist()
    start = int((points - torch.tensor([-0.9, -0.3])).norm(dim=1).argmin())
    return Plane(points, both_ways(near), start, torch.tensor([0.62, 0.12]))
