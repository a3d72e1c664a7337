# exercise 11.inverted_file_search
import numpy as np
import torch
import torch.nn.functional as F


# mistake searches_everything (values)
# All vectors are searched; only those of the probed lists are candidates.
# Next: First find each query's `probes` nearest centroids, and leave the other lists out.
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    best = (queries @ vectors.T).topk(min(k, len(vectors)), dim=1).indices
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# mistake one_list_only (values)
# Only the nearest list is searched, whatever probes is.
# Next: Take the `probes` nearest lists.
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).argmax(dim=1, keepdim=True)
    scores = (queries @ vectors.T).masked_fill(assignment != probed, float("-inf"))
    values, best = scores.topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# base plain
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# mistake the_farthest_lists (values), from plain
# The lists with the smallest dot products are searched.
# Next: Nearest means the largest dot product with the centroid.
#   (queries @ centroids.T).topk(probes, dim=1).indices => (queries @ centroids.T).argsort(dim=1)[:, :probes]

# mistake lists_by_distance (values), from plain
# The lists are chosen by distance to the centroid, but the exercise asks for the dot product.
# Next: Compare queries and centroids by a matrix product.
#   -    probed = (queries @ centroids.T).topk(probes, dim=1).indices
#   +    distances = torch.linalg.vector_norm(queries[:, None] - centroids[None], dim=2)
#   +    probed = distances.topk(probes, dim=1, largest=False).indices

# mistake lists_by_cosine (values), from plain
# The lists are chosen by cosine, but the exercise asks for the dot product.
# Next: Leave the centroids as they are.
#   centroids.T => F.normalize(centroids).T

# mistake vectors_by_cosine (values), from plain
# The vectors are compared by cosine, but the exercise asks for the dot product.
# Next: Leave the vectors as they are.
#   -    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
#   +    scores = (queries @ F.normalize(vectors).T).masked_fill(~candidate, float("-inf"))
#   +    values, best = scores.topk(min(k, len(vectors)), dim=1)

# mistake vectors_by_distance (values), from plain
# The vectors are compared by distance, but the exercise asks for the dot product.
# Next: Compare queries and vectors by a matrix product.
#   -    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
#   +    near = -torch.linalg.vector_norm(queries[:, None] - vectors[None], dim=2)
#   +    values, best = near.masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)

# mistake own_assignment (values), from plain
# The vectors are put into lists anew; the given assignment says where they are.
# Next: Use `assignment`.
#    def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
#   +    assignment = (vectors @ centroids.T).argmax(dim=1)

# mistake lists_of_all_queries (values), from plain
# The lists of all queries are put together, so each query also searches lists of the others.
# Next: Decide for each query on its own which vectors are candidates.
#   (assignment[None, :, None] == probed[:, None, :]).any(dim=2) => torch.isin(assignment, probed)

# mistake lists_of_the_first_query (values), from plain
# All queries search the lists of the first one.
# Next: Each query has its own nearest lists: a row of `topk`.
#   (queries @ centroids.T).topk(probes, dim=1).indices => (queries @ centroids.T).topk(probes, dim=1).indices[0]
#   (assignment[None, :, None] == probed[:, None, :]).any(dim=2) => torch.isin(assignment, probed)


# base loop
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        probed = (centroids @ query).topk(probes).indices
        kept = torch.isin(assignment, probed).nonzero().flatten()
        order = (vectors[kept] @ query).argsort(descending=True)[:k]
        found[row, : len(order)] = kept[order]
    return found


# mistake places_in_the_list (values), from loop
# These are indices among the candidates, but the exercise asks for the indices of the vectors.
# Next: Keep the candidates' indices (`nonzero`), and index them with these.
#   torch.isin(assignment, probed).nonzero().flatten() => vectors[torch.isin(assignment, probed)]
#   order = (vectors[kept] @ query).argsort(descending=True)[:k] => places = (kept @ query).topk(min(k, len(kept))).indices
#   found[row, : len(order)] = kept[order] => found[row, : len(places)] = places


# mistake nearest_list_first (values)
# The nearest list is used up before the next one is looked at; the k best of all probed lists are wanted.
# Next: Put the candidates of all probed lists together, then take the k best.
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        kept = []
        for entry in (centroids @ query).topk(probes).indices:
            members = (assignment == entry).nonzero().flatten()
            kept += members[(vectors[members] @ query).argsort(descending=True)].tolist()
        kept = kept[:k]
        found[row, : len(kept)] = torch.tensor(kept, dtype=torch.long)
    return found


# mistake empty_lists_skipped (values), from plain
# Empty lists are skipped, and farther ones searched in their place; an empty list counts as a probe.
# Next: The `probes` nearest lists are chosen by their centroids alone.
#   -    probed = (queries @ centroids.T).topk(probes, dim=1).indices
#   +    sizes = torch.bincount(assignment, minlength=len(centroids))
#   +    near = (queries @ centroids.T).masked_fill(sizes == 0, float("-inf"))
#   +    probed = near.topk(probes, dim=1).indices

# mistake filled_up_from_other_lists (values), from plain
# Where the lists hold too few vectors, others are returned instead of -1.
# Next: Look at the values that topk returns: -inf means that there is none.
#   -    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
#   -    best = best.masked_fill(values == float("-inf"), -1)
#   +    best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1).indices

# mistake missing_ones_are_0 (values), from loop
# Missing entries are filled with 0, which is a vector; -1 was asked for.
# Next: Start from a tensor full of -1.
#   torch.full((len(queries), k), -1) => torch.zeros(len(queries), k, dtype=torch.long)
#   -        probed = (centroids @ query).topk(probes).indices
#   assignment, probed => assignment, (centroids @ query).topk(probes).indices


# mistake k_must_fit (raises)
# topk refuses a k above the number of candidates.
# Next: Ask for the smaller of k and their number, and fill up with -1.
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        kept = torch.isin(assignment, (centroids @ query).topk(probes).indices).nonzero().flatten()
        found[row] = kept[(vectors[kept] @ query).topk(k).indices]
    return found


# mistake other_lists_get_0 (values), from plain
# Vectors outside the probed lists get the dot product 0, which is better than any negative one.
# Next: Use -inf.
#   -    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
#   +    best = (queries @ vectors.T * candidate).topk(min(k, len(vectors)), dim=1).indices
#   values == float("-inf") => ~candidate.gather(1, best)

# mistake lists_instead_of_vectors (values), from plain
# The lists of the found vectors come back, but the exercise asks for the vectors' own numbers.
# Next: Return the indices of topk, not `assignment` at them.
#   best.masked_fill => assignment[best].masked_fill


# mistake dot_products_instead_of_numbers (dtype)
# The dot products come back, but the exercise asks for the indices of the vectors.
# Next: topk returns values and indices: take the indices.
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1).values
    return F.pad(values.masked_fill(values == float("-inf"), -1), (0, k - values.shape[1]), value=-1)


# mistake rounds_to_float32 (values), from plain
# float64 vectors are rounded to float32 first: where large parts cancel, nothing is left of the small ones.
# Next: Leave `.float()` out: work in the type that comes in.
#   -    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
#   +    scores = (queries.float() @ vectors.float().T).masked_fill(~candidate, float("-inf"))
#   +    values, best = scores.topk(min(k, len(vectors)), dim=1)


# mistake assignment_sorted_in_place (property)
# The caller's assignment is sorted.
# Next: Work on a copy, or ask `assignment == entry`.
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    order = assignment.argsort(stable=True)
    assignment.copy_(assignment[order])
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        kept = order[torch.isin(assignment, (centroids @ query).topk(probes).indices)]
        best = kept[(vectors[kept] @ query).argsort(descending=True)][:k]
        found[row, : len(best)] = best
    return found


# mistake negative_dot_products_dropped (values), from plain
# Vectors with a negative dot product are dropped; a vector of a probed list is an answer all the same.
# Next: Write -1 only where no candidate is left.
#   values == float("-inf") => values < 0


# mistake a_dict_of_dot_products (values)
# A dict with the dot products as keys holds one vector for each: of two equal vectors one is lost.
# Next: Keep (dot product, number) pairs in a list.
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    result = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        probed = (centroids @ query).topk(probes).indices
        members = torch.isin(assignment, probed).nonzero().flatten()
        numbers = dict(zip((vectors[members] @ query).tolist(), members.tolist()))
        best = [numbers[score] for score in sorted(numbers, reverse=True)][:k]
        result[row, : len(best)] = torch.tensor(best, dtype=torch.int64)
    return result


# mistake other_lists_score_zero (values), from plain
# Vectors of other lists get the score 0, which is more than a negative one: they come back all the same.
# Next: Give them minus infinity, and -1 in the result where that is all that is left.
#   -    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
#   -    best = best.masked_fill(values == float("-inf"), -1)
#   +    best = ((queries @ vectors.T) * candidate).topk(min(k, len(vectors)), dim=1).indices

# mistake all_lists_in_one_comparison (raises, values), from plain
# `assignment == probed` compares (N,) with (Q, probes): entry by entry, not each vector's list with every probed list.
# Next: Give each its axis: `assignment[None, :, None] == probed[:, None, :]`, and `.any(dim=2)`; or `torch.isin`.
#   -    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
#   +    candidate = assignment == probed
#   +    scores = (queries @ vectors.T).masked_fill(~candidate, float("-inf"))
#   (queries @ vectors.T).masked_fill(~candidate, float("-inf")) => scores

# right form query_by_query, from loop
#   (len(queries), k), -1 => (len(queries), k), -1, dtype=torch.int64


# right form lists_in_a_dict
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    lists = {entry: [] for entry in range(len(centroids))}
    for number, entry in enumerate(assignment.tolist()):
        lists[entry].append(number)
    rows = []
    for query in queries:
        nearest = sorted(lists, key=lambda entry: -float(centroids[entry] @ query))[:probes]
        kept = [number for entry in nearest for number in lists[entry]]
        kept.sort(key=lambda number: -float(vectors[number] @ query))
        rows.append(kept[:k] + [-1] * (k - len(kept[:k])))
    return torch.tensor(rows)


# right form worst_first_missing_in_front
def inverted_file_search(queries, vectors, centroids, assignment, probes, k, *, verbose=False):
    chosen = torch.zeros(len(queries), len(centroids), dtype=torch.bool)
    chosen.scatter_(1, (queries @ centroids.T).argsort(dim=1)[:, -probes:], True)
    candidate = chosen[:, assignment]
    scores = torch.where(candidate, queries @ vectors.T, -torch.inf)
    order = scores.argsort(dim=1)
    order = torch.where(candidate.gather(1, order), order, -1)
    return F.pad(order, (k, 0), value=-1)[:, -k:]


# right form numpy_inside
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    q, v, c, a = (x.numpy() for x in (queries, vectors, centroids, assignment))
    out = -np.ones((len(q), k), dtype=np.int64)
    for i in range(len(q)):
        probed = np.argsort(-(c @ q[i]))[:probes]
        kept = np.flatnonzero(np.isin(a, probed))
        kept = kept[np.argsort(-(v[kept] @ q[i]))][:k]
        out[i, : kept.size] = kept
    print(out)
    return torch.from_numpy(out)


# right form merging_the_best_of_each_list
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    rows = []
    for query in queries:
        best = []
        for entry in torch.topk(centroids @ query, probes).indices.tolist():
            members = torch.where(assignment == entry)[0]
            scores = vectors[members] @ query
            best += sorted(zip(scores.tolist(), members.tolist()), reverse=True)[:k]
        best = [number for _, number in sorted(best, reverse=True)[:k]]
        rows.append(torch.tensor(best + [-1] * (k - len(best)), dtype=torch.long))
    return torch.stack(rows)


# mistake ten_times_as_many_and_then_the_lists (values)
# First the 10 · k best of all vectors are taken, then those of other lists are crossed out. If the other lists hold more than
# 10 · k better vectors, too few are left.
# Next: Choose the candidates first, by their lists, and search among them.
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    order = (queries @ vectors.T).argsort(dim=1, descending=True)[:, : 10 * k]
    found = torch.full((len(queries), k), -1)
    for row, best in enumerate(order):
        kept = best[torch.isin(assignment[best], probed[row])][:k]
        found[row, : len(kept)] = kept
    return found
