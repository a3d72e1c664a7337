"""A search along the edges of a graph: what it finds, and how many vectors it looks at."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, Observation
from ...messages import Message
from .graph_walks import walks


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


greedy_graph_search = Exercise(
    id="11.greedy_graph_search",
    title="Walk along neighbours",
    why="The index of most vector databases walks from neighbour to neighbour and looks at few vectors. Here is what it "
    "looks at, and where it gets stuck.",
    difficulty=3,
    minutes=25,
    core=False,
    criteria=(
        Criterion("walk", 0.5, "the k best of what is reached, the best first",
                  tries=("The start is compared", "Then, again", "query (d,)", "vectors (N, d)", "neighbours N",
                         "start the node", "ef how many", "k how many", "found: a list", "No two dot")),
        Criterion("list of ef", 0.5, "ef nodes are kept, and the search ends when the best open one is worse than all of them",
                  tries=("Then, again", "The ef best", "The search", "ef how many", "No two dot")),
        Criterion("compared", 0.5, "how many vectors were compared, each counted once",
                  tries=("Then, again", "returns", "compared: how many")),
        Criterion("one-way", 0.25, "one-way edges, islands, fewer nodes than wanted", tries=("edges are one-way",)),
        Criterion("numbers", 0.25, "lengths, signs and sizes of vectors, one vector, float64, any memory layout",
                  tries=("vectors (N, d)",)),
    ),
    hints=(
        "Three collections: the nodes that were compared (a set), those that are open, and the ef best. Write down on paper "
        "what is in each while the docstring's example runs.",
        "The start goes into all three. Take the best open node out; compare those of its neighbours that were not compared; "
        "put them into all three; cut the ef best to ef. Then the next open one.",
        "The end: before you look at the neighbours of the best open node, compare it with the worst of the ef best. While "
        "fewer than ef are kept, every open node is among them, so the same test is enough.",
        "`heapq` keeps a list of (number, node) with the smallest number on top: `heappush(kept, (score, node))` and "
        "`heappop(kept)` lose the worst; with -score on top stands the best open one.",
        "`fresh = [one for one in dict.fromkeys(neighbours[best]) if one not in seen]`, then "
        "`seen.update(fresh)` and `(vectors[fresh] @ query).tolist()`. The end: `if score < kept[0][0]: break`.",
    ),
    cases=walks,
    run=_run,
    compare=_Judged(),
)
