"""Wrong answers about the walk along neighbours: where it goes and when it ends, by name."""

import heapq

import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake

WALK = "09.greedy_graph_search"


@base("plain")
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    def score(node):
        return float(vectors[node] @ query)

    compared = {start}
    open_nodes = [(score(start), start)]
    kept = [(score(start), start)]
    while open_nodes:
        open_nodes.sort()
        here, node = open_nodes.pop()
        if here < min(kept)[0]:
            break
        for other in neighbours[node]:
            if other not in compared:
                compared.add(other)
                entry = (score(other), other)
                open_nodes.append(entry)
                kept.append(entry)
        kept = sorted(kept, reverse=True)[:ef]
    found = [node for _, node in sorted(kept, reverse=True)]
    return found[:k], len(compared)


altered(
    WALK, "everything_that_is_reached", "plain", {"        if here < min(kept)[0]:\n            break\n": ""}, stage="values",
    diagnosis="The search goes on until no node is open: it looks at everything that can be reached.",
    next_step="End when the best open node is worse than the worst of the ef kept ones.",
)

altered(
    WALK, "ends_below_the_best", "plain", {"min(kept)[0]": "max(kept)[0]"}, stage=("values", "shape"),
    diagnosis="The search ends when the best open node is worse than the *best* kept one; a list of ef is of no use then.",
    next_step="Compare the open node with the worst of the ef kept ones.",
)

altered(
    WALK, "ends_at_an_equal", "plain", {"here < min": "here <= min"}, stage=("values", "shape"),
    diagnosis="The search ends when the open node is itself the worst kept one: with ef = 1 already at the start.",
    next_step="End only when it is worse: `<` instead of `<=`.",
)

altered(
    WALK, "one_is_kept", "plain", {"[:ef]": "[:1]"}, stage=("values", "shape"),
    diagnosis="Only the best node is kept, whatever ef is.",
    next_step="Keep the ef best.",
)

altered(
    WALK, "k_are_kept", "plain", {"[:ef]": "[:k]"}, stage="values",
    diagnosis="k nodes are kept on the way instead of ef: the search ends too early where k is smaller.",
    next_step="Keep ef on the way, and cut to k at the end.",
)

altered(
    WALK, "one_more_is_kept", "plain", {"[:ef]": "[: ef + 1]"}, stage="values",
    diagnosis="One more than ef is kept.",
    next_step="After adding, cut the kept ones to ef.",
)

altered(
    WALK, "one_less_is_kept", "plain", {"[:ef]": "[: max(ef - 1, 1)]"}, stage=("shape", "values"),
    diagnosis="One less than ef is kept.",
    next_step="After adding, cut the kept ones to ef.",
)

altered(
    WALK, "the_worst_are_kept", "plain", {"kept = sorted(kept, reverse=True)[:ef]": "kept = sorted(kept)[:ef]"}, stage="values",
    diagnosis="When there are more than ef, the best are dropped and the worst are kept.",
    next_step="Drop the worst: with a heap of (score, node) that is what `heappop` removes.",
)

altered(
    WALK, "worst_first", "plain", {"in sorted(kept, reverse=True)]": "in sorted(kept)]"}, stage="values",
    diagnosis="The found nodes come back with the worst first.",
    next_step="Sort by falling dot product before you cut to k.",
)

altered(
    WALK, "the_best_k_backwards", "plain", {"return found[:k]": "return found[:k][::-1]"}, stage="values",
    diagnosis="The right nodes come back the wrong way round: the best should be the first.",
    next_step="Reverse the list.",
)

altered(
    WALK, "in_order_of_numbers", "plain", {"return found[:k]": "return sorted(found[:k])"}, stage="values",
    diagnosis="The found nodes are sorted by their numbers; the best should be the first.",
    next_step="Sort by dot product.",
)

altered(
    WALK, "all_kept_come_back", "plain", {"return found[:k]": "return found"}, stage="shape",
    diagnosis="All ef kept nodes come back; k were asked for.",
    next_step="Cut the sorted list to k.",
)

altered(
    WALK, "scores_beside_the_nodes", "plain", {"[node for _, node in": "[(node, value) for value, node in"}, stage="type",
    diagnosis="Pairs of node and dot product come back; a list of nodes was asked for.",
    next_step="Take the node out of each pair at the end.",
)

altered(
    WALK, "scores_instead_of_nodes", "plain", {"[node for _, node in": "[value for value, _ in"}, stage="type",
    diagnosis="The dot products come back; the numbers of the nodes were asked for.",
    next_step="Keep (dot product, node) pairs, and return the nodes.",
)

altered(
    WALK, "a_tensor", "plain", {"return found[:k]": "return torch.tensor(found[:k])"}, stage="type",
    diagnosis="The nodes come back as a tensor; a list was asked for.",
    next_step="Leave out `torch.tensor`, or put `.tolist()` behind it.",
)

altered(
    WALK, "the_nodes_alone", "plain", {"return found[:k], len(compared)": "return found[:k]"}, stage="type",
    diagnosis="Only the nodes come back; the number of compared vectors is missing.",
    next_step="Return two things: `return found, len(compared)`.",
)

altered(
    WALK, "the_other_way_round", "plain", {"return found[:k], len(compared)": "return len(compared), found[:k]"}, stage="type",
    diagnosis="The number comes first and the nodes second; it should be the other way round.",
    next_step="Return the nodes first, the number second.",
)

altered(
    WALK, "filled_up_with_minus_one", "plain", {"return found[:k]": "return (found + [-1] * k)[:k]"}, stage="shape",
    diagnosis="Where fewer than k are reached, -1 fills the list up; it should be shorter.",
    next_step="Return what was found.",
)

altered(
    WALK, "filled_up_with_others", "plain",
    {"return found[:k]": "return (found + [node for node in range(len(vectors)) if node not in found])[:k]"}, stage="shape",
    diagnosis="Where fewer than k are reached, nodes are added that no edge leads to.",
    next_step="Return what was found, even if it is fewer than k.",
)

altered(
    WALK, "the_start_is_not_found", "plain", {"kept = [(score(start), start)]": "kept = [(float(\"-inf\"), start)]"},
    stage=("values", "shape"),
    diagnosis="The start is not compared as the others are: it cannot be among the best.",
    next_step="Compute the start's dot product, and put it into the kept ones as well.",
)

altered(
    WALK, "begins_at_node_0", "plain", {"    compared = {start}": "    start = 0\n    compared = {start}"},
    stage=("values", "shape"),
    diagnosis="The search begins at node 0, whatever `start` says.",
    next_step="Use `start`.",
)

altered(
    WALK, "first_opened_first", "plain", {"        open_nodes.sort()\n": "", "open_nodes.pop()": "open_nodes.pop(0)"},
    stage="values",
    diagnosis="The node that was opened first is closed first; the best open one should be.",
    next_step="Sort the open nodes by dot product, or keep them in a heap.",
)

altered(
    WALK, "last_opened_first", "plain", {"        open_nodes.sort()\n": ""}, stage="values",
    diagnosis="The node that was opened last is closed first; the best open one should be.",
    next_step="Sort the open nodes by dot product, or keep them in a heap.",
)

altered(
    WALK, "worst_open_first", "plain", {"open_nodes.pop()": "open_nodes.pop(0)"}, stage="values",
    diagnosis="The worst open node is closed first; `heapq` too has the smallest on top.",
    next_step="Take the largest dot product; in a heap, push `-score`.",
)

altered(
    WALK, "only_the_best_neighbour", "plain",
    {"for other in neighbours[node]:": "for other in sorted(neighbours[node], key=score)[-1:]:"}, stage=("values", "shape"),
    diagnosis="From each node only the best neighbour is looked at; all neighbours should be compared and opened.",
    next_step="Loop over the whole list of neighbours.",
)

altered(
    WALK, "only_the_first_neighbour", "plain", {"in neighbours[node]:": "in neighbours[node][:1]:"}, stage=("values", "shape"),
    diagnosis="From each node only the first neighbour is looked at.",
    next_step="Loop over the whole list of neighbours.",
)

altered(
    WALK, "edges_in_both_directions", "plain",
    {"in neighbours[node]:": "in [*neighbours[node], *(one for one in range(len(neighbours)) if node in neighbours[one])]:"},
    stage="values",
    diagnosis="Edges are followed in both directions; they are one-way.",
    next_step="From a node one can go to the nodes of its own list only.",
)

altered(
    WALK, "only_better_neighbours", "plain",
    {"            if other not in compared:": "            if other not in compared and score(other) > here:"},
    stage=("values", "shape"),
    diagnosis="Only neighbours that are better than the node itself are looked at: a way that leads down first is never found.",
    next_step="Compare and open all neighbours; the list of ef decides when to end.",
)

altered(
    WALK, "opened_when_better_than_the_best", "plain",
    {"            if other not in compared:": "            if other not in compared and score(other) > max(kept)[0]:"},
    stage=("values", "shape"),
    diagnosis="Only nodes that are better than the best so far are kept and opened.",
    next_step="A node is worth keeping when fewer than ef are kept, or when it is better than the *worst* of them.",
)

altered(
    WALK, "cosines", "plain", {"float(vectors[node] @ query)": "float(F.cosine_similarity(vectors[node], query, dim=0))"},
    stage="values",
    diagnosis="Nodes are compared by cosine; asked for is the dot product.",
    next_step="`vectors[node] @ query`, without dividing by lengths.",
)

altered(
    WALK, "distances", "plain", {"float(vectors[node] @ query)": "-float((vectors[node] - query).norm())"}, stage="values",
    diagnosis="Nodes are compared by distance, as in the paper; asked for is the dot product.",
    next_step="`vectors[node] @ query`, and larger is better.",
)

altered(
    WALK, "smallest_dot_product", "plain", {"float(vectors[node] @ query)": "-float(vectors[node] @ query)"},
    stage=("values", "shape"),
    diagnosis="The smallest dot products are looked for, as if they were distances.",
    next_step="Larger is better.",
)

altered(
    WALK, "rounds_to_float32", "plain", {"vectors[node] @ query": "vectors[node].float() @ query.float()"}, stage="values",
    diagnosis="float64 vectors are rounded to float32 first: where large parts cancel, nothing is left of the small ones.",
    next_step="Leave `.float()` out: work in the type that comes in.",
)

altered(
    WALK, "never_below_zero", "plain",
    {"            if other not in compared:": "            if other not in compared and score(other) > 0:"},
    stage=("values", "shape"),
    diagnosis="Nodes with a dot product below 0 are left out; they may be the best there are.",
    next_step="Compare with the kept ones, not with 0.",
)

altered(
    WALK, "the_node_itself_removed", "plain",
    {"        for other in neighbours[node]:":
     "        if node in neighbours[node]:\n            neighbours[node].remove(node)\n        for other in neighbours[node]:"},
    stage="property",
    diagnosis="The caller's lists of neighbours are changed.",
    next_step="Pass over the node with an `if`, or work on a copy of the list.",
)

altered(
    WALK, "two_steps_at_once", "plain",
    {"in neighbours[node]:": "in [*neighbours[node], *(far for near in neighbours[node] for far in neighbours[near])]:"},
    stage="values",
    diagnosis="Neighbours of neighbours are compared as well, before their turn comes.",
    next_step="Look at the list of the node itself only.",
)


@mistake(
    WALK, "everything", stage="values",
    diagnosis="The query is compared with all vectors; only nodes that the walk reaches should be.",
    next_step="Begin at `start`, and go on along `neighbours`.",
)
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    return (vectors @ query).argsort(descending=True)[:k].tolist(), len(vectors)


@mistake(
    WALK, "uphill_and_no_further", stage=("values", "shape"),
    diagnosis="The walk goes to the best neighbour as long as that is better, and returns its way; no list of ef is kept.",
    next_step="Keep ef nodes, and open worse ones too as long as they are among the ef best.",
)
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    scores = (vectors @ query).tolist()
    way, compared = [start], {start}
    while True:
        compared.update(neighbours[way[0]])
        best = max([way[0], *neighbours[way[0]]], key=scores.__getitem__)
        if best == way[0]:
            return way[:k], len(compared)
        way.insert(0, best)


@mistake(
    WALK, "known_only_when_closed", stage="values",
    diagnosis="A node counts as known only when it is closed; until then it is compared and kept again and again.",
    next_step="Note a node as compared in the moment in which you compare it.",
)
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    closed, kept, opened, count = set(), [], [], 1
    first = float(vectors[start] @ query)
    opened, kept = [(first, start)], [(first, start)]
    while opened:
        opened.sort()
        here, node = opened.pop()
        if here < min(kept)[0]:
            break
        if node in closed:
            continue
        closed.add(node)
        for other in neighbours[node]:
            if other not in closed:
                count += 1
                opened.append((float(vectors[other] @ query), other))
                kept.append((float(vectors[other] @ query), other))
        kept = sorted(kept, reverse=True)[:ef]
    return [node for _, node in sorted(kept, reverse=True)][:k], count


@mistake(
    WALK, "ef_nodes_opened", stage=("values", "shape"),
    diagnosis="ef is taken for the number of nodes that are opened; it is the number of nodes that are kept.",
    next_step="Keep the ef best, and end when the best open node is worse than all of them.",
)
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    scores = {start: float(vectors[start] @ query)}
    closed = set()
    for _ in range(ef):
        opened = [node for node in scores if node not in closed]
        if not opened:
            break
        node = max(opened, key=scores.get)
        closed.add(node)
        for other in neighbours[node]:
            scores[other] = float(vectors[other] @ query)
    return sorted(scores, key=scores.get, reverse=True)[:k], len(scores)


@mistake(
    WALK, "ef_vectors_compared", stage=("values", "shape"),
    diagnosis="ef is taken for the number of vectors that may be compared; it is the number of nodes that are kept.",
    next_step="Keep the ef best, and end when the best open node is worse than all of them.",
)
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    scores = {start: float(vectors[start] @ query)}
    opened = [start]
    while opened and len(scores) < ef:
        node = max(opened, key=scores.get)
        opened.remove(node)
        for other in neighbours[node]:
            if other not in scores and len(scores) < ef:
                scores[other] = float(vectors[other] @ query)
                opened.append(other)
    return sorted(scores, key=scores.get, reverse=True)[:k], len(scores)


@mistake(
    WALK, "ends_where_nothing_new_is_kept", stage=("values", "shape"),
    diagnosis="The search ends at the first node whose neighbours bring nothing better; other open nodes may still do.",
    next_step="Ask the best open node, before you look at its neighbours, whether it is worse than the worst kept one.",
)
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    scores = {start: float(vectors[start] @ query)}
    opened, kept = [start], [start]
    while opened:
        node = max(opened, key=scores.get)
        opened.remove(node)
        before = kept
        for other in neighbours[node]:
            if other not in scores:
                scores[other] = float(vectors[other] @ query)
                opened.append(other)
                kept = [*kept, other]
        kept = sorted(kept, key=scores.get, reverse=True)[:ef]
        if kept == before:
            break
    return kept[:k], len(scores)
