"""Graphs to walk along, written by rank: rank 0 is the best.

Every draw gives the ranks other numbers and other vectors, the lists another order, and the graph further nodes that nobody
reaches. So what a search does by rank is the same at every draw, and what it returns is not.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
import torch.nn.functional as F

from ...checking.exercise import Case, RandomInputs, strided
from ..rankings import cancelling

#: Where one can go from each rank. Ranks that are not named lead nowhere.
Edges = Mapping[int, Sequence[int]]

#: A vector that is better than its neighbours, and a way on that leads down first.
_ONE_DOWN: Edges = {5: (3, 6), 3: (4, 5), 4: (0, 3), 0: (1,), 1: (2,), 2: (0,), 6: (5,)}
_TWO_DOWN: Edges = {8: (3, 7), 3: (4, 8), 4: (5, 3), 5: (0, 4), 0: (1, 5), 1: (2,), 7: (6,)}

_STUCK = "The search ends when the best open node is worse than the worst of the ef kept ones."
_ONCE = "Each vector is counted once, however many lists name it, and the start counts too."
_ONE_WAY = "Edges are one-way: a node in no list is never found."


def _ladder(count: int) -> Edges:
    """Return edges from each rank to the next better one and the two next worse ones."""
    return {rank: [other for other in (rank - 1, rank + 1, rank + 2) if 0 <= other < count] for rank in range(count)}


def _tangle(count: int, degree: int, seed: int) -> Edges:
    """Return edges from each rank to the next one of a ring through all ranks, and to random others.

    The edges are the same for every draw.
    """
    chance = random.Random(seed)
    ring = chance.sample(range(count), count)
    after = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
    return {rank: list(dict.fromkeys([after[rank], *chance.sample(range(count), degree)])) for rank in range(count)}


class _Placed:
    """Ranks with numbers: which node each one is, and the lists of neighbours by node, in no order.

    Node 0 is always the last rank that is not the start: a search that begins there does the same at every draw.
    """

    def __init__(self, draw: RandomInputs, edges: Edges, count: int, start: int, order: Sequence[int] | None = None) -> None:
        self.node = draw.distinct(count, count).tolist() if order is None else list(order)
        if order is None and count > 1:
            last, now = count - 1 if start != count - 1 else count - 2, self.node.index(0)
            self.node[last], self.node[now] = self.node[now], self.node[last]
        self.neighbours: list[list[int]] = [[] for _ in range(count)]
        for rank, others in edges.items():
            self.neighbours[self.node[rank]] = draw.shuffled([self.node[other] for other in others])

    def rows(self, by_rank: torch.Tensor) -> torch.Tensor:
        """Return a tensor (N, …) that is ordered by rank in the order of the nodes."""
        placed = torch.empty_like(by_rank)
        placed[self.node] = by_rank
        return placed


def _vectors(
    draw: RandomInputs, scores: torch.Tensor, width: int, aside: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a query (d,) of norm 1, and for each score a vector whose dot product with the query is that score, (N, d).

    The part at a right angle to the query has the norm that `aside` says. Without `aside`, each vector has norm 1, so dot
    product, cosine and distance agree.
    """
    turned = torch.linalg.qr(draw.normal(width, width, dtype=torch.float64))[0]
    rest = F.normalize(draw.normal(len(scores), width - 1, dtype=torch.float64), dim=1)
    lengths = (1 - scores.double() ** 2).clamp(min=0).sqrt() if aside is None else aside.double()
    vectors = torch.cat([scores.double()[:, None], lengths[:, None] * rest], dim=1) @ turned
    return turned[0].float(), vectors.float()


def _scores(draw: RandomInputs, count: int, low: float = 0.05, high: float = 0.95) -> torch.Tensor:
    """Return falling numbers (N,) that are clearly apart."""
    step = (high - low) / count
    return high - step * (torch.arange(count) + draw.uniform(count, low=-0.3, high=0.3) + 0.5)


def walks(draw: RandomInputs) -> Iterator[Case]:
    """Yield the cases of `11.greedy_graph_search`."""

    def case(
        name: str, edges: Edges, count: int, start: int, ef: int, k: int, criterion: str, because: str = "",
        *, sides: tuple[torch.Tensor, torch.Tensor] | None = None, gaps: bool = False, alone: bool = False,
    ) -> Case:
        """Return a case with one to three nodes more than `count`, unless `alone`.

        `start` is a rank; `sides` holds the query and the vectors, ordered by rank.
        """
        count += 0 if alone or sides else draw.integer(1, 3)
        placed = _Placed(draw, edges, count, start)
        query, vectors = sides or _vectors(draw, _scores(draw, count), draw.choice((3, 5)))
        vectors = placed.rows(vectors)
        if gaps:
            query, vectors = strided(query), strided(vectors)
        args = {"query": query, "vectors": vectors, "neighbours": placed.neighbours, "start": placed.node[start]}
        return Case(name, {**args, "ef": ef, "k": k}, criterion, because=because)

    yield case("uphill to the best", _ladder(9), 9, 7, 3, 3, "walk")
    yield case("a graph with many edges", _tangle(13, 5, 1), 13, 11, 5, 5, "walk")
    apart = {6: (4, 5), 5: (3, 6), 4: (3, 5), 3: (4, 2), 2: (3,), 0: (1, 6), 1: (0,)}
    yield case("the best ones cannot be reached", apart, 7, 6, 4, 3, "walk", _ONE_WAY)
    yield case("the best is the start", _ladder(9), 9, 0, 3, 3, "walk")
    yield case("k below ef", _tangle(13, 3, 2), 13, 12, 6, 2, "walk")
    yield case("a larger graph", _tangle(41, 4, 3), 41, 37, 7, 5, "walk")

    yield case("stuck with a list of one", _ONE_DOWN, 7, 5, 1, 1, "list of ef", _STUCK)
    yield case("the way leads down, with a list of two", _ONE_DOWN, 7, 5, 2, 2, "list of ef", _STUCK)
    yield case("two steps down, with a list of two", _TWO_DOWN, 9, 8, 2, 2, "list of ef", _STUCK)
    yield case("two steps down, with a list of three", _TWO_DOWN, 9, 8, 3, 3, "list of ef", _STUCK)
    yield case("what is kept decides, not what is wanted", _TWO_DOWN, 9, 8, 3, 1, "list of ef", "ef nodes are kept, not k.")
    yield case("a small list in a larger graph", _tangle(41, 2, 4), 41, 33, 2, 2, "list of ef", _STUCK)
    yield from _counted(draw, case)
    yield from _edges(draw, case)
    yield from _numbers(draw, case)


def _counted(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    vectors = torch.tensor([[4.0], [1.0], [3.0], [2.0], [9.0]])
    shown = {"query": torch.tensor([1.0]), "vectors": vectors, "neighbours": [[4], [2, 3], [1, 1], [0], [4]], "start": 1}
    yield Case("docstring example", {**shown, "ef": 1, "k": 1}, "compared", because=_STUCK)
    yield Case("docstring example 2", {**shown, "ef": 2, "k": 2}, "compared", because=_ONCE)
    yield case("the start alone is compared", {4: (), 0: (4,), 1: (0,)}, 5, 4, 2, 1, "compared", _ONCE).trying(
        "The start is compared")
    close = {rank: [other for other in range(7) if other != rank] for rank in range(7)}
    yield case("each is counted once", close, 8, 5, 3, 2, "compared", _ONCE)
    yield case("an end before all are compared", _TWO_DOWN, 9, 8, 2, 2, "compared", _STUCK).trying("The search")
    yield case("neighbours that are not kept are counted", _ladder(11), 13, 9, 1, 1, "compared", _ONCE)
    shared = {6: (4, 5), 5: (0, 1, 2), 4: (0, 1, 2, 3), 0: (5, 6)}
    yield case("two lists of the same nodes", shared, 8, 6, 3, 3, "compared", _ONCE)
    twice = {5: (3, 3, 4), 3: (1, 4, 1), 4: (3, 3), 1: (2, 2, 2), 2: (0, 0), 0: (5, 5)}
    yield case("nodes named twice", twice, 8, 5, 3, 3, "compared", "A list may name a node twice; it is one node.").trying(
        "edges are one-way")
    own = {rank: [rank, *others] for rank, others in _ladder(7).items()}
    yield case("a node that names itself", own, 9, 5, 3, 3, "compared",
               "A node may be in its own list; it is one node.").trying("edges are one-way")
    yield case("a larger graph, counted", _tangle(41, 3, 5), 41, 29, 4, 3, "compared", _ONCE)


def _edges(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    forth = {5: (3, 4), 3: (4,), 4: (5, 3), 0: (5,), 1: (3,), 2: (4, 0)}
    yield case("edges are one-way", forth, 6, 5, 3, 3, "one-way", _ONE_WAY)
    parts = {8: (6, 5), 6: (8, 5), 5: (6,), 0: (1, 2), 1: (0, 3), 2: (0,), 3: (1, 4), 4: (3,)}
    yield case("an island", parts, 9, 8, 4, 2, "one-way", "No edge leads to the better ones.")
    yield case("fewer than k are reached", parts, 9, 6, 6, 5, "one-way",
               "Where fewer than k are reached, fewer come back.").trying("The search", "fewer where fewer")
    yield case("the start leads nowhere", {0: (3,), 1: (0, 3)}, 4, 3, 3, 2, "one-way", "The start is found as well.").trying(
        "start the node", "fewer where fewer")
    yield case("ef above N", _ladder(7), 7, 4, 12, 9, "one-way", "Where fewer than k are reached, fewer come back.").trying(
        "it may exceed", "fewer where fewer")
    yield case("ef and k as large as N", _tangle(7, 2, 6), 7, 4, 7, 7, "one-way", alone=True)
    yield case("nothing but own names", {rank: (rank, rank) for rank in range(5)}, 5, 3, 3, 3, "one-way")


def _numbers(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    dots = "Dot products are compared: lengths count, and all may be below 0."
    far = torch.logspace(1.3, -1.3, 7)  # the better, the farther aside
    sides = _vectors(draw, _scores(draw, 7), 5, far)
    yield case("vectors of many lengths", _ONE_DOWN, 7, 5, 2, 2, "numbers", dots, sides=sides).trying("Better means")
    below = _scores(draw, 7, -0.95, -0.05)
    yield case("all dot products below 0", _ONE_DOWN, 7, 5, 2, 2, "numbers", dots, sides=_vectors(draw, below, 5)).trying(
        "Better means")
    query, vectors = _vectors(draw, below, 5)
    yield case("all far below 0", _ONE_DOWN, 7, 5, 2, 2, "numbers", dots, sides=(9e3 * query, 9e3 * vectors))
    vectors[0] = 0.0
    yield case("a vector of zeros", _ONE_DOWN, 7, 5, 2, 1, "numbers", dots, sides=(query, vectors))
    yield case("a single vector", {0: (0,)}, 1, 0, 2, 1, "numbers", alone=True).trying("it may exceed")
    yield case("a single vector, no edges", {}, 1, 0, 1, 1, "numbers", alone=True)
    sign = draw.choice((-1.0, 1.0))
    line = (torch.tensor([2 * sign]), sign * _scores(draw, 9, -2.0, 3.0)[:, None])
    yield case("vectors of a single number", _TWO_DOWN, 9, 8, 3, 2, "numbers", sides=line).trying("query (d,)")
    query, vectors = _vectors(draw, _scores(draw, 9), 3)
    yield case("large numbers", _TWO_DOWN, 9, 8, 3, 3, "numbers", sides=(1e4 * query, 1e4 * vectors))
    yield case("not contiguous in memory", _TWO_DOWN, 9, 8, 2, 2, "numbers", gaps=True).trying("query (d,)")
    yield case("as many vectors as columns", _ladder(7), 7, 5, 2, 2, "numbers", sides=_vectors(draw, _scores(draw, 7), 7))
    near = cancelling(torch.arange(9, 0, -1)[:, None].double())
    yield case("float64, what matters nearly cancels", _TWO_DOWN, 9, 8, 3, 3, "numbers", "In float32 they would all be equal.",
               sides=(torch.ones(2, dtype=torch.float64), near)).trying("Better means")
