# exercise 11.greedy_graph_search
import bisect
import heapq

import numpy as np
import torch


# right form two_heaps_as_in_the_paper
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    visited = {start}
    similarity = float(torch.dot(vectors[start], query))
    candidates, result = [(-similarity, start)], [(similarity, start)]
    while len(candidates) > 0:
        c = heapq.heappop(candidates)
        f = result[0]
        if -c[0] < f[0] and len(result) >= ef:
            break
        for e in neighbours[c[1]]:
            if e in visited:
                continue
            visited.add(e)
            f = result[0]
            similarity = float(torch.dot(vectors[e], query))
            if len(result) < ef or similarity > f[0]:
                heapq.heappush(candidates, (-similarity, e))
                heapq.heappush(result, (similarity, e))
                if len(result) > ef:
                    heapq.heappop(result)
    return [node for _, node in heapq.nlargest(k, result)], len(visited)


# right form a_dict_of_scores
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    scores, opened = {start: (vectors[start] * query).sum().item()}, {start}
    while opened:
        best = sorted(scores, key=scores.get, reverse=True)[:ef]
        node = max(opened, key=scores.get)
        if node not in best:
            break
        opened.discard(node)
        for other in set(neighbours[node]) - set(scores):
            scores[other] = (vectors[other] * query).sum().item()
            opened.add(other)
    return sorted(scores, key=scores.get, reverse=True)[:ef][:k], len(scores)


# right form numpy_inside
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    v, q = vectors.numpy(), query.numpy()
    seen = np.zeros(len(v), dtype=bool)
    seen[start] = True
    opened = [(v[start].dot(q), start)]
    kept = list(opened)
    while opened:
        at = int(np.argmax([score for score, _ in opened]))
        score, node = opened.pop(at)
        if score < min(kept)[0]:
            break
        new = np.unique(np.array(neighbours[node], dtype=np.int64))
        new = new[~seen[new]]
        seen[new] = True
        opened += zip(v[new] @ q, new)
        kept = sorted([*kept, *zip(v[new] @ q, new)], reverse=True)[:ef]
    print(seen.sum())
    return [int(node) for _, node in kept[:k]], int(seen.sum())


# right form all_products_first_and_a_mask
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    scores = vectors.double() @ query.double()
    known = torch.zeros(len(vectors), dtype=torch.bool)
    closed = torch.zeros(len(vectors), dtype=torch.bool)
    known[start] = True
    while True:
        reached = torch.where(known, scores, -torch.inf)
        best = reached.topk(min(ef, int(known.sum()))).indices
        left = best[~closed[best]]
        if len(left) == 0:
            return best[:k].tolist(), int(known.sum())
        closed[left[0]] = True
        if neighbours[int(left[0])]:
            known[torch.tensor(neighbours[int(left[0])])] = True


# right form one_sorted_list_with_marks
def greedy_graph_search(query, vectors, neighbours, start, ef, k, *, verbose=False):
    product = torch.einsum("d,d->", vectors[start], query).item()
    beam, seen = [[-product, start, False]], {start}
    while any(not done for *_, done in beam):
        entry = next(one for one in beam if not one[2])
        entry[2] = True
        for other in neighbours[entry[1]]:
            if other not in seen:
                seen.add(other)
                bisect.insort(beam, [-torch.einsum("d,d->", vectors[other], query).item(), other, False])
        del beam[ef:]
    return [node for _, node, _ in beam[:k]], len(seen)


# right form calling_itself
def greedy_graph_search(query, vectors, neighbours, start, ef, k):
    def visit(kept, opened, seen):
        if not opened or max(opened)[0] < min(kept)[0]:
            return kept, seen
        best = max(opened)
        new = {other for other in neighbours[best[1]]} - seen
        entries = {(torch.sum(vectors[node] * query).item(), node) for node in new}
        return visit(set(sorted(kept | entries)[-ef:]), (opened - {best}) | entries, seen | new)

    first = {(torch.sum(vectors[start] * query).item(), start)}
    kept, seen = visit(first, first, {start})
    return [node for _, node in sorted(kept)[::-1]][:k], len(seen)


# survivor True → False
# strict=False: there is one score for each new node, so both lists are of one length.
