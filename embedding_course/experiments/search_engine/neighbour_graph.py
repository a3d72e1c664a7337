"""Build graphs over vectors as lists of neighbours: nearest ones, with reverse edges, with random far edges."""

import random
from collections.abc import Callable, Sequence

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
