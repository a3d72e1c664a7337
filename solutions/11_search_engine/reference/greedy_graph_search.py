"""The right answer to 11.greedy_graph_search."""

import heapq

import torch


def greedy_graph_search(
    query: torch.Tensor,
    vectors: torch.Tensor,
    neighbours: list[list[int]],
    start: int,
    ef: int,
    k: int,
) -> tuple[list[int], int]:
    """Search along the edges of a graph, the best open node first, as in one layer of HNSW.

    Better means a larger dot product with the query. The start is compared first, and it is open. Then, again and again,
    the best open node is closed and all its neighbours that were not compared before are compared and become open. The ef
    best of all compared nodes are kept. The search ends when no node is open, or when the best open one is worse than the
    worst of ef kept ones.

    query       (d,) floating tensor
    vectors     (N, d) tensor of query's dtype: the vector of each node
    neighbours  N lists of ints: where one can go from each node; edges are one-way, a list may be empty, and may hold a
                node twice or the node itself
    start       the node where the search begins
    ef          how many of the best are kept, at least 1; it may exceed N
    k           how many are wanted, 1 <= k <= ef
    returns     (found, compared). found: a list of the k best kept nodes, the best first; fewer where fewer were reached.
                compared: how many vectors were compared with the query, the start included, each counted once

    No two dot products are equal.

    >>> vectors = torch.tensor([[4.0], [1.0], [3.0], [2.0], [9.0]])
    >>> neighbours = [[4], [2, 3], [1, 1], [0], [4]]
    >>> greedy_graph_search(torch.tensor([1.0]), vectors, neighbours, start=1, ef=1, k=1)
    ([2], 3)
    >>> greedy_graph_search(torch.tensor([1.0]), vectors, neighbours, start=1, ef=2, k=2)
    ([4, 0], 5)

    Source: Malkov and Yashunin, Efficient and Robust Approximate Nearest Neighbor Search Using Hierarchical Navigable
    Small World Graphs, 2018, algorithm 2.
    """
    first = (vectors[start] @ query).item()
    compared = {start}
    open_nodes = [(-first, start)]  # a heap, the best on top
    kept = [(first, start)]  # a heap, the worst on top
    while open_nodes:
        worse, node = heapq.heappop(open_nodes)
        if -worse < kept[0][0]:
            break
        new = [other for other in dict.fromkeys(neighbours[node]) if other not in compared]
        compared.update(new)
        for other, score in zip(new, (vectors[new] @ query).tolist(), strict=True):
            heapq.heappush(open_nodes, (-score, other))
            heapq.heappush(kept, (score, other))
            if len(kept) > ef:
                heapq.heappop(kept)
    return [node for _, node in sorted(kept, reverse=True)[:k]], len(compared)
