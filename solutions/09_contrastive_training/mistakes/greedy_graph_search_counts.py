"""Wrong answers about the walk along neighbours: how many vectors were compared, by name."""

from grader.course_source.catalogue import altered, base

WALK = "09.greedy_graph_search"


@base("counted")
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    def score(node):
        return float(vectors[node] @ query)

    known, count, closed = {start}, 1, 0
    open_nodes = [(score(start), start)]
    kept = [(score(start), start)]
    while open_nodes:
        open_nodes.sort()
        here, node = open_nodes.pop()
        if here < min(kept)[0]:
            break
        closed += 1
        for other in neighbours[node]:
            if other not in known:
                known.add(other)
                count += 1
                entry = (score(other), other)
                open_nodes.append(entry)
                kept.append(entry)
        kept = sorted(kept, reverse=True)[:ef]
    found = [node for _, node in sorted(kept, reverse=True)]
    return found[:k], count


altered(
    WALK, "start_not_counted", "counted", {"= {start}, 1,": "= {start}, 0,"}, stage="values",
    diagnosis="The start is not counted; it is compared with the query as well.",
    next_step="Begin to count at 1.",
)

altered(
    WALK, "closed_ones_counted", "counted", {"return found[:k], count": "return found[:k], closed"}, stage="values",
    diagnosis="The nodes that were closed are counted; asked for are all that were compared.",
    next_step="Count a node when its dot product is computed.",
)

altered(
    WALK, "kept_ones_counted", "counted", {"return found[:k], count": "return found[:k], len(kept)"}, stage="values",
    diagnosis="The kept nodes are counted; asked for are all that were compared.",
    next_step="Count every vector whose dot product was computed, also those that were not kept.",
)

altered(
    WALK, "found_ones_counted", "counted", {"return found[:k], count": "return found[:k], len(found[:k])"}, stage="values",
    diagnosis="The found nodes are counted; asked for are all that were compared.",
    next_step="Count every vector whose dot product was computed.",
)

altered(
    WALK, "all_vectors_counted", "counted", {"return found[:k], count": "return found[:k], len(vectors)"}, stage="values",
    diagnosis="All vectors are counted; asked for are those that were compared with the query.",
    next_step="Count while you walk.",
)

altered(
    WALK, "every_edge_counted", "counted",
    {"                count += 1\n": "", "        for other in neighbours[node]:": "        count += len(neighbours[node])\n"
     "        for other in neighbours[node]:"}, stage="values",
    diagnosis="Every edge that was followed is counted; a vector that several lists name counts once.",
    next_step="Count only nodes that were not compared before.",
)

altered(
    WALK, "every_different_edge_counted", "counted",
    {"                count += 1\n": "", "        for other in neighbours[node]:":
     "        count += len(set(neighbours[node]))\n        for other in neighbours[node]:"}, stage="values",
    diagnosis="Nodes that were compared before are counted again when another list names them.",
    next_step="Count only nodes that were not compared before.",
)

altered(
    WALK, "start_counted_twice", "counted", {"{start}, 1,": "set(), 1,"}, stage="values",
    diagnosis="The start is not noted as compared: an edge that leads back to it compares it again.",
    next_step="Put the start into the set of compared nodes at once.",
)

altered(
    WALK, "names_twice_are_two", "counted",
    {"        for other in neighbours[node]:\n            if other not in known:\n":
     "        for other in [one for one in neighbours[node] if one not in known]:\n            if True:\n"}, stage="values",
    diagnosis="A node that one list names twice is compared and kept twice.",
    next_step="Ask for each node by itself whether it was compared, also within one list.",
)

altered(
    WALK, "own_names_counted", "counted",
    {"            if other not in known:": "            count += other == node\n            if other not in known:"},
    stage="values",
    diagnosis="A node that names itself is counted again.",
    next_step="It was compared before it was opened: do not count it again.",
)

altered(
    WALK, "only_what_is_kept_counted", "counted",
    {"                count += 1\n": "                count += len(kept) < ef or score(other) > min(kept)[0]\n"},
    stage="values",
    diagnosis="Only vectors that were good enough to be kept are counted; the others were compared as well.",
    next_step="Count a vector before you ask whether it is good enough.",
)

altered(
    WALK, "neighbours_of_the_last_one_counted", "counted",
    {"            break\n        closed":
     "            count += len(set(neighbours[node]) - known)\n            break\n        closed"},
    stage="values",
    diagnosis="The neighbours of the node at which the search ends are counted; it ends before they are compared.",
    next_step="Ask whether to end before you look at the neighbours.",
)
