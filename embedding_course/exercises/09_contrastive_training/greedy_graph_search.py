"""A search along the edges of a graph: what it finds, and how many vectors it looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...checking.case import Case
from ...checking.compare import Comparison, Mismatch
from ...checking.exercise import Criterion, Exercise
from ...checking.observation import Observation
from ...checking.wire_data import NamedParts
from ...messages import Message
from .graph_walks import walks

__all__ = ["greedy_graph_search"]


def _run(candidate: Callable[..., Any], *args: Any) -> Any:
    result = candidate(*args)
    if isinstance(result, (tuple, list)) and len(result) == 2:
        return NamedParts({"list of nodes": result[0], "number of compared vectors": result[1]})
    return result


class _Judged(Comparison):
    """What was found; in the cases of "compared" also how many vectors were compared."""

    def seen(self, observation: Observation, case: Case) -> Observation:
        value = observation.value
        if case.criterion == "compared" or not isinstance(value, NamedParts):
            return observation
        nodes = "list of nodes"
        return replace(observation, value=NamedParts({nodes: value.get(nodes)}))

    def __call__(self, expected: Observation, got: Observation, case: Case) -> Mismatch | None:
        if got.raised is None and not isinstance(got.value, NamedParts):
            if got.value is None:
                return Mismatch("type", Message("The result is None and not a pair (found, compared). Is a `return` missing?"))
            return Mismatch("type", Message("The result is not a pair (found, compared)."))
        return super().__call__(expected, got, case)


_WALKS = ("uphill to the best", "a graph with many edges", "a larger graph", "the best is the start", "k below ef")
_STOPS = ("stuck with a list of one", "the way leads down, with a list of two",
          "two steps down, with a list of two", "two steps down, with a list of three",
          "what is kept decides, not what is wanted", "a small list in a larger graph")
_COUNTS = ("the start alone is compared", "each is counted once", "an end before all are compared", "nodes named twice",
           "a node that names itself", "docstring example", "docstring example 2")
_EDGES = ("edges are one-way", "an island", "fewer than k are reached", "the start leads nowhere", "ef above N")
_NUMBERS = ("vectors of many lengths", "all dot products below 0", "a single vector", "vectors of a single number",
            "large numbers", "not contiguous in memory", "float64, what matters nearly cancels")

_PROMISES: Mapping[str, Sequence[str]] = {
    "Better means a larger dot product with the query.": (
        "vectors of many lengths", "all dot products below 0", "float64, what matters nearly cancels",
    ),
    "The start is compared first, and it is open.": (*_WALKS, "the start alone is compared"),
    "Then, again and again, the best open node is closed and all its neighbours that were not compared before are compared "
    "and become open.": (*_WALKS, *_STOPS, *_COUNTS),
    "The ef best of all compared nodes are kept.": _STOPS,
    "The search ends when no node is open, or when the best open one is worse than the worst of ef kept ones.": (
        *_STOPS, "an end before all are compared", "fewer than k are reached",
    ),
    "(d,) floating tensor": (*_WALKS, "vectors of a single number", "not contiguous in memory"),
    "(N, d) tensor of query's dtype: the vector of each node": (*_WALKS, "a single vector", *_NUMBERS),
    "N lists of ints: where one can go from each node;": _WALKS,
    "edges are one-way, a list may be empty, and may hold a node twice or the node itself": (
        *_EDGES, "nodes named twice", "a node that names itself",
    ),
    "the node where the search begins": (*_WALKS, "the start leads nowhere"),
    "how many of the best are kept, at least 1;": (*_STOPS, *_WALKS),
    "it may exceed N": ("ef above N", "a single vector"),
    "how many are wanted, 1 <= k <= ef": ("k below ef", *_WALKS),
    "(found, compared).": _COUNTS,
    "found: a list of the k best kept nodes, the best first;": (*_WALKS, "k below ef"),
    "fewer where fewer were reached.": ("fewer than k are reached", "the start leads nowhere", "ef above N"),
    "compared: how many vectors were compared with the query, the start included, each counted once": _COUNTS,
    "No two dot products are equal.": (*_WALKS, *_STOPS),
    "Source: Malkov and Yashunin": (*_WALKS, *_STOPS),
}

greedy_graph_search = Exercise(
    id="09.greedy_graph_search",
    title="Walk along neighbours",
    why="The index of most vector databases walks from neighbour to neighbour and looks at few vectors. Here is what it "
    "looks at, and where it gets stuck.",
    difficulty=3,
    minutes=25,
    core=False,
    criteria=(
        Criterion("walk", 1, "the k best of what is reached, the best first"),
        Criterion("list of ef", 1, "ef nodes are kept, and the search ends when the best open one is worse than all of them"),
        Criterion("compared", 1, "how many vectors were compared, each counted once"),
        Criterion("edges", 0.5, "one-way edges, islands, fewer nodes than wanted"),
        Criterion("numbers", 0.5, "lengths, signs and sizes of vectors, one vector, float64, any memory layout"),
    ),
    hints=(
        "Three collections: the nodes that were compared (a set), those that are open, and the ef best. Write down on paper "
        "what is in each while the docstring's example runs.",
        "The start goes into all three. Take the best open node out; compare those of its neighbours that were not compared; "
        "put them into all three; cut the ef best to ef. Then the next open one.",
        "The end: before you look at the neighbours of the best open node, compare it with the worst of the ef best. While "
        "fewer than ef are kept, every open node is among them, so that the same question does.",
        "`heapq` keeps a list of (number, node) with the smallest number on top: `heappush(kept, (score, node))` and "
        "`heappop(kept)` lose the worst; with -score on top stands the best open one.",
        "`fresh = [one for one in dict.fromkeys(neighbours[best]) if one not in seen]`, then "
        "`seen.update(fresh)` and `(vectors[fresh] @ query).tolist()`. The end: `if score < kept[0][0]: break`.",
    ),
    cases=walks,
    run=_run,
    compare=_Judged(),
    promises=_PROMISES,
)
