"""Search in a graph of neighbours (HNSW, Malkov and Yashunin 2018), in readable code that counts comparisons.

Every vector is a node, linked to some near nodes. All nodes are in layer 0, one in `links` of them also in layer 1, and so
on. A search walks to the nearest node of the top layer, which has few nodes, goes down, and walks on from there. In layer 0
it keeps a list of the `breadth` nearest nodes that it has met, and stops when none of them has a nearer neighbour.
"""

import heapq
import math
import random

import numpy as np
import numpy.typing as npt

from ..curves import Curves

Vectors = npt.NDArray[np.float32]
SIZES, BREADTH = (500, 1000, 2000, 4000, 8000), 40
ENOUGH = 0.93  # This is a share of the true ten nearest.


class SmallWorld:
    """Index unit vectors (N, d), and find the largest dot products with a query. `comparisons` counts them."""

    def __init__(self, width: int, links: int = 8, seed: int = 0) -> None:
        self.links, self.chance, self.comparisons = links, random.Random(seed), 0
        self.vectors: Vectors = np.zeros((0, width), np.float32)
        self.layers: list[dict[int, list[int]]] = []  # Each layer maps a node to its neighbours.
        self.start = [0]

    def grow(self, vectors: Vectors) -> None:
        """Insert further vectors, one after the other."""
        first = len(self.vectors)
        self.vectors = np.concatenate([self.vectors, vectors])
        for node in range(first, len(self.vectors)):
            self._add(node, height=int(-math.log(1 - self.chance.random()) / math.log(self.links)))

    def search(self, query: Vectors, k: int = 10, breadth: int = BREADTH) -> list[int]:
        """Return approximately the k nearest nodes, nearest first."""
        near = self.start
        for layer in reversed(range(1, len(self.layers))):
            near = self._walk(query, near, 1, layer)
        return self._walk(query, near, max(breadth, k), 0)[:k]

    def _add(self, node: int, height: int) -> None:
        near, tallest = self.start, len(self.layers) - 1
        for layer in reversed(range(tallest + 1)):
            near = self._walk(self.vectors[node], near, 1 if layer > height else BREADTH, layer)
            if layer <= height:
                self._link(node, near[: self.links], layer)
        for _ in range(tallest + 1, height + 1):
            self.layers.append({node: []})
            self.start = [node]

    def _link(self, node: int, near: list[int], layer: int) -> None:
        """Link a node in both directions; a node with too many links keeps the nearest."""
        graph, most = self.layers[layer], self.links * (1 if layer else 2)
        graph[node] = near
        for other in near:
            known = [*graph[other], node]
            if len(known) > most:
                known = [known[index] for index in np.argsort(-(self.vectors[known] @ self.vectors[other]))[:most]]
            graph[other] = known

    def _walk(self, query: Vectors, entries: list[int], breadth: int, layer: int) -> list[int]:
        """Return the `breadth` nearest nodes of a layer that a walk from the entries meets, nearest first."""
        met = set(entries)
        open_ = self._compared(query, entries)  # This heap has the nearest node on top.
        kept = [(-distance, node) for distance, node in open_]  # This heap has the furthest node on top.
        heapq.heapify(open_)
        heapq.heapify(kept)
        while open_ and (len(kept) < breadth or open_[0][0] <= -kept[0][0]):
            _, node = heapq.heappop(open_)
            new = [other for other in self.layers[layer][node] if other not in met]
            met.update(new)
            for distance, other in self._compared(query, new):
                if len(kept) < breadth or distance < -kept[0][0]:
                    heapq.heappush(open_, (distance, other))
                    heapq.heappush(kept, (-distance, other))
                    if len(kept) > breadth:
                        heapq.heappop(kept)
        return [node for _, node in sorted((-negative, node) for negative, node in kept)]

    def _compared(self, query: Vectors, nodes: list[int]) -> list[tuple[float, int]]:
        self.comparisons += len(nodes)
        return list(zip((-(self.vectors[nodes] @ query)).tolist(), nodes, strict=True)) if nodes else []


def cloud(points: int, width: int, seed: int = 0) -> Vectors:
    """Return random unit vectors (points, width), uniform over all directions."""
    directions = np.random.default_rng(seed).standard_normal((points, width), dtype=np.float32)
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def _measure_search(world: SmallWorld, queries: Vectors, breadth: int) -> tuple[float, float]:
    """Return the comparisons per query, and the share of the true ten nearest that are found."""
    exact = np.argsort(-(queries @ world.vectors.T), axis=1)[:, :10]
    world.comparisons = 0
    hits = sum(len({*world.search(query, 10, breadth)} & {*true}) for query, true in zip(queries, exact.tolist(), strict=True))
    return world.comparisons / len(queries), hits / exact.size


def measure() -> Curves:
    """Measure comparisons per query against the number of vectors, in 4 and in 64 dimensions.

    The list has the length `BREADTH`, or the shortest (of 10, 20, 40, …) that finds `ENOUGH` of the ten nearest. The numbers
    are the share that a list of `BREADTH` finds.
    """
    curves: dict[str, list[tuple[float, float]]] = {}
    numbers: dict[str, float] = {}
    for width in (4, 64):
        points, world = cloud(max(SIZES) + 100, width), SmallWorld(width)
        queries = points[-100:]
        for size in SIZES:
            world.grow(points[len(world.vectors) : size])
            fixed, share = _measure_search(world, queries, BREADTH)
            breadth, enough = 10, _measure_search(world, queries, 10)
            while enough[1] < ENOUGH and breadth < size:
                breadth *= 2
                enough = _measure_search(world, queries, breadth)
            curves.setdefault(f"{width}, one list", []).append((size, fixed))
            curves.setdefault(f"{width}, enough", []).append((size, enough[0]))
            numbers |= {
                f"{width}, {size}, found": share,
                f"{width}, {size}, list": breadth,
                f"{width}, {size}, enough": enough[1],
            }
    return Curves(0, 0, curves, numbers, data="random directions, 100 queries")
