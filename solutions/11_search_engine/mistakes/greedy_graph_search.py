# exercise 11.greedy_graph_search
"""Wrong answers about the walk along neighbours: where it goes and when it ends, by name."""

import heapq

import torch
import torch.nn.functional as F


# base plain
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


# mistake everything_that_is_reached (values), from plain
# The search goes on until no node is open: it looks at everything that can be reached.
# Next: End when the best open node is worse than the worst of the ef kept ones.
#   -        if here < min(kept)[0]:
#   -            break

# mistake ends_below_the_best (values, shape), from plain
# The search ends when the best open node is worse than the *best* kept one; a list of ef is of no use then.
# Next: Compare the open node with the worst of the ef kept ones.
#   min(kept) => max(kept)

# mistake ends_at_an_equal (values, shape), from plain
# The search ends when the open node is itself the worst kept one: with ef = 1 already at the start.
# Next: End only when it is worse: `<` instead of `<=`.
#   here < min(kept)[0] => here <= min(kept)[0]

# mistake one_is_kept (values, shape), from plain
# Only the best node is kept, whatever ef is.
# Next: Keep the ef best.
#   sorted(kept, reverse=True)[:ef] => sorted(kept, reverse=True)[:1]

# mistake k_are_kept (values), from plain
# k nodes are kept on the way instead of ef: the search ends too early where k is smaller.
# Next: Keep ef on the way, and cut to k at the end.
#   sorted(kept, reverse=True)[:ef] => sorted(kept, reverse=True)[:k]

# mistake one_more_is_kept (values), from plain
# One more than ef is kept.
# Next: After adding, cut the kept ones to ef.
#   sorted(kept, reverse=True)[:ef] => sorted(kept, reverse=True)[: ef + 1]

# mistake one_less_is_kept (shape, values), from plain
# One less than ef is kept.
# Next: After adding, cut the kept ones to ef.
#   sorted(kept, reverse=True)[:ef] => sorted(kept, reverse=True)[: max(ef - 1, 1)]

# mistake the_worst_are_kept (values), from plain
# When there are more than ef, the best are dropped and the worst are kept.
# Next: Drop the worst: with a heap of (score, node) that is what `heappop` removes.
#   sorted(kept, reverse=True)[:ef] => sorted(kept)[:ef]

# mistake worst_first (values), from plain
# The found nodes come back with the worst first.
# Next: Sort by falling dot product before you cut to k.
#   [node for _, node in sorted(kept, reverse=True)] => [node for _, node in sorted(kept)]

# mistake the_best_k_backwards (values), from plain
# The right nodes come back the wrong way round: the best should be the first.
# Next: Reverse the list.
#   found[:k] => found[:k][::-1]

# mistake in_order_of_numbers (values), from plain
# The found nodes are sorted by their numbers; the best should be the first.
# Next: Sort by dot product.
#   found[:k] => sorted(found[:k])

# mistake all_kept_come_back (shape), from plain
# All ef kept nodes come back; k were asked for.
# Next: Cut the sorted list to k.
#   found[:k] => found

# mistake scores_beside_the_nodes (type), from plain
# Pairs of node and dot product come back; a list of nodes was asked for.
# Next: Take the node out of each pair at the end.
#   [node for _, node in sorted(kept, reverse=True)] => [(node, value) for value, node in sorted(kept, reverse=True)]

# mistake scores_instead_of_nodes (type), from plain
# The dot products come back; the numbers of the nodes were asked for.
# Next: Keep (dot product, node) pairs, and return the nodes.
#   [node for _, node in sorted(kept, reverse=True)] => [value for value, _ in sorted(kept, reverse=True)]

# mistake a_tensor (type), from plain
# The nodes come back as a tensor; a list was asked for.
# Next: Leave out `torch.tensor`, or put `.tolist()` behind it.
#   found[:k] => torch.tensor(found[:k])

# mistake the_nodes_alone (type), from plain
# Only the nodes come back; the number of compared vectors is missing.
# Next: Return two things: `return found, len(compared)`.
#   found[:k], len(compared) => found[:k]

# mistake the_other_way_round (type), from plain
# The number comes first and the nodes second; it should be the other way round.
# Next: Return the nodes first, the number second.
#   found[:k], len(compared) => len(compared), found[:k]

# mistake filled_up_with_minus_one (shape), from plain
# Where fewer than k are reached, -1 fills the list up; it should be shorter.
# Next: Return what was found.
#   found[:k] => (found + [-1] * k)[:k]

# mistake filled_up_with_others (shape), from plain
# Where fewer than k are reached, nodes are added that no edge leads to.
# Next: Return what was found, even if it is fewer than k.
#   found[:k] => (found + [node for node in range(len(vectors)) if node not in found])[:k]

# mistake the_start_is_not_found (values, shape), from plain
# The start is not compared as the others are: it cannot be among the best.
# Next: Compute the start's dot product, and put it into the kept ones as well.
#   kept = [(score(start), start)] => kept = [(float("-inf"), start)]

# mistake begins_at_node_0 (values, shape), from plain
# The search begins at node 0, whatever `start` says.
# Next: Use `start`.
#   -    compared = {start}
#   +    start = 0
#   +    compared = {start}

# mistake first_opened_first (values), from plain
# The node that was opened first is closed first; the best open one should be.
# Next: Sort the open nodes by dot product, or keep them in a heap.
#   -        open_nodes.sort()
#   -        here, node = open_nodes.pop()
#   +        here, node = open_nodes.pop(0)

# mistake last_opened_first (values), from plain
# The node that was opened last is closed first; the best open one should be.
# Next: Sort the open nodes by dot product, or keep them in a heap.
#   -        open_nodes.sort()

# mistake worst_open_first (values), from plain
# The worst open node is closed first; `heapq` too has the smallest on top.
# Next: Take the largest dot product; in a heap, push `-score`.
#   open_nodes.pop() => open_nodes.pop(0)

# mistake only_the_best_neighbour (values, shape), from plain
# From each node only the best neighbour is looked at; all neighbours should be compared and opened.
# Next: Loop over the whole list of neighbours.
#   neighbours[node] => sorted(neighbours[node], key=score)[-1:]

# mistake only_the_first_neighbour (values, shape), from plain
# From each node only the first neighbour is looked at.
# Next: Loop over the whole list of neighbours.
#   neighbours[node] => neighbours[node][:1]

# mistake edges_in_both_directions (values), from plain
# Edges are followed in both directions; they are one-way.
# Next: From a node one can go to the nodes of its own list only.
#   neighbours[node] => [*neighbours[node], *(one for one in range(len(neighbours)) if node in neighbours[one])]

# mistake only_better_neighbours (values, shape), from plain
# Only neighbours that are better than the node itself are looked at: a way that leads down first is never found.
# Next: Compare and open all neighbours; the list of ef decides when to end.
#   other not in compared => other not in compared and score(other) > here

# mistake opened_when_better_than_the_best (values, shape), from plain
# Only nodes that are better than the best so far are kept and opened.
# Next: A node is worth keeping when fewer than ef are kept, or when it is better than the *worst* of them.
#   other not in compared => other not in compared and score(other) > max(kept)[0]

# mistake cosines (values), from plain
# Nodes are compared by cosine, but the exercise asks for the dot product.
# Next: `vectors[node] @ query`, without dividing by lengths.
#   vectors[node] @ query => F.cosine_similarity(vectors[node], query, dim=0)

# mistake distances (values), from plain
# Nodes are compared by distance, as in the paper, but the exercise asks for the dot product.
# Next: `vectors[node] @ query`, and larger is better.
#   float(vectors[node] @ query) => -float((vectors[node] - query).norm())

# mistake smallest_dot_product (values, shape), from plain
# The smallest dot products are looked for, as if they were distances.
# Next: Larger is better.
#   float(vectors[node] @ query) => -float(vectors[node] @ query)

# mistake rounds_to_float32 (values), from plain
# float64 vectors are rounded to float32 first: where large parts cancel, nothing is left of the small ones.
# Next: Leave `.float()` out: work in the type that comes in.
#   vectors[node] @ query => vectors[node].float() @ query.float()

# mistake never_below_zero (values, shape), from plain
# Nodes with a dot product below 0 are left out; they may be the best there are.
# Next: Compare with the kept ones, not with 0.
#   other not in compared => other not in compared and score(other) > 0

# mistake the_node_itself_removed (property), from plain
# The caller's lists of neighbours are changed.
# Next: Pass over the node with an `if`, or work on a copy of the list.
#                break
#   +        if node in neighbours[node]:
#   +            neighbours[node].remove(node)

# mistake two_steps_at_once (values), from plain
# Neighbours of neighbours are compared as well, before their turn comes.
# Next: Look at the list of the node itself only.
#   neighbours[node] => [*neighbours[node], *(far for near in neighbours[node] for far in neighbours[near])]


# mistake everything (values)
# The query is compared with all vectors; only nodes that the walk reaches should be.
# Next: Begin at `start`, and go on along `neighbours`.
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    return (vectors @ query).argsort(descending=True)[:k].tolist(), len(vectors)


# mistake uphill_and_no_further (values, shape)
# The walk goes to the best neighbour as long as that is better, and returns its way; no list of ef is kept.
# Next: Keep ef nodes, and open worse ones too as long as they are among the ef best.
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    scores = (vectors @ query).tolist()
    way, compared = [start], {start}
    while True:
        compared.update(neighbours[way[0]])
        best = max([way[0], *neighbours[way[0]]], key=scores.__getitem__)
        if best == way[0]:
            return way[:k], len(compared)
        way.insert(0, best)


# mistake known_only_when_closed (values)
# A node counts as known only when it is closed; until then it is compared and kept again and again.
# Next: Note a node as compared in the moment in which you compare it.
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


# mistake ef_nodes_opened (values, shape)
# ef is taken for the number of nodes that are opened; it is the number of nodes that are kept.
# Next: Keep the ef best, and end when the best open node is worse than all of them.
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


# mistake ef_vectors_compared (values, shape)
# ef is taken for the number of vectors that may be compared; it is the number of nodes that are kept.
# Next: Keep the ef best, and end when the best open node is worse than all of them.
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


# mistake ends_where_nothing_new_is_kept (values, shape)
# The search ends at the first node whose neighbours bring nothing better; other open nodes may still do.
# Next: Ask the best open node, before you look at its neighbours, whether it is worse than the worst kept one.
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
