# exercise 11.greedy_graph_search
"""Wrong answers about the walk along neighbours: how many vectors were compared, by name."""


# base counted
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


# mistake start_not_counted (values), from counted
# The start is not counted; it is compared with the query as well.
# Next: Begin to count at 1.
#   1, 0 => 0, 0

# mistake closed_ones_counted (values), from counted
# The nodes that were closed are counted, but the exercise asks for all that were compared.
# Next: Count a node when its dot product is computed.
#   found[:k], count => found[:k], closed

# mistake kept_ones_counted (values), from counted
# The kept nodes are counted, but the exercise asks for all that were compared.
# Next: Count every vector whose dot product was computed, also those that were not kept.
#   found[:k], count => found[:k], len(kept)

# mistake found_ones_counted (values), from counted
# The found nodes are counted, but the exercise asks for all that were compared.
# Next: Count every vector whose dot product was computed.
#   found[:k], count => found[:k], len(found[:k])

# mistake all_vectors_counted (values), from counted
# All vectors are counted, but the exercise asks for those that were compared with the query.
# Next: Count while you walk.
#   found[:k], count => found[:k], len(vectors)

# mistake every_edge_counted (values), from counted
# Every edge that was followed is counted; a vector that several lists name counts once.
# Next: Count only nodes that were not compared before.
#            closed += 1
#   +        count += len(neighbours[node])
#   -                count += 1

# mistake every_different_edge_counted (values), from counted
# Nodes that were compared before are counted again when another list names them.
# Next: Count only nodes that were not compared before.
#            closed += 1
#   +        count += len(set(neighbours[node]))
#   -                count += 1

# mistake start_counted_twice (values), from counted
# The start is not noted as compared: an edge that leads back to it compares it again.
# Next: Put the start into the set of compared nodes at once.
#   {start} => set()

# mistake names_twice_are_two (values), from counted
# A node that one list names twice is compared and kept twice.
# Next: Ask for each node by itself whether it was compared, also within one list.
#   neighbours[node] => [one for one in neighbours[node] if one not in known]
#   other not in known => True

# mistake own_names_counted (values), from counted
# A node that names itself is counted again.
# Next: It was compared before it was opened: do not count it again.
#            for other in neighbours[node]:
#   +            count += other == node

# mistake only_what_is_kept_counted (values), from counted
# Only vectors that were good enough to be kept are counted; the others were compared as well.
# Next: Count a vector before you ask whether it is good enough.
#   count += 1 => count += len(kept) < ef or score(other) > min(kept)[0]

# mistake neighbours_of_the_last_one_counted (values), from counted
# The neighbours of the node at which the search ends are counted; it ends before they are compared.
# Next: Ask whether to end before you look at the neighbours.
#            if here < min(kept)[0]:
#   +            count += len(set(neighbours[node]) - known)
