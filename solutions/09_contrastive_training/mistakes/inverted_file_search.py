"""Wrong answers about the search in a few lists by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import mistake, right_form

IVF = "09.inverted_file_search"


@mistake(
    IVF, "searches_everything", stage="values",
    diagnosis="All vectors are searched; only those of the probed lists are candidates.",
    next_step="First find each query's `probes` nearest centroids, and leave the other lists out.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    best = (queries @ vectors.T).topk(min(k, len(vectors)), dim=1).indices
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "one_list_only", stage="values",
    diagnosis="Only the nearest list is searched, whatever probes is.",
    next_step="Take the `probes` nearest lists.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).argmax(dim=1, keepdim=True)
    scores = (queries @ vectors.T).masked_fill(assignment != probed, float("-inf"))
    values, best = scores.topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "the_farthest_lists", stage="values",
    diagnosis="The lists with the smallest dot products are searched.",
    next_step="Nearest means the largest dot product with the centroid.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).argsort(dim=1)[:, :probes]
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "lists_by_distance", stage="values",
    diagnosis="The lists are chosen by distance to the centroid; asked for is the dot product.",
    next_step="Compare queries and centroids by a matrix product.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    distances = torch.linalg.vector_norm(queries[:, None] - centroids[None], dim=2)
    probed = distances.topk(probes, dim=1, largest=False).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "lists_by_cosine", stage="values",
    diagnosis="The lists are chosen by cosine; asked for is the dot product.",
    next_step="Leave the centroids as they are.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ F.normalize(centroids).T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "vectors_by_cosine", stage="values",
    diagnosis="The vectors are compared by cosine; asked for is the dot product.",
    next_step="Leave the vectors as they are.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    scores = (queries @ F.normalize(vectors).T).masked_fill(~candidate, float("-inf"))
    values, best = scores.topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "vectors_by_distance", stage="values",
    diagnosis="The vectors are compared by distance; asked for is the dot product.",
    next_step="Compare queries and vectors by a matrix product.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    near = -torch.linalg.vector_norm(queries[:, None] - vectors[None], dim=2)
    values, best = near.masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "own_assignment", stage="values",
    diagnosis="The vectors are put into lists anew; the given assignment says where they are.",
    next_step="Use `assignment`.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    assignment = (vectors @ centroids.T).argmax(dim=1)
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "lists_of_all_queries", stage="values",
    diagnosis="The lists of all queries are put together, so each query also searches lists of the others.",
    next_step="Decide for each query on its own which vectors are candidates.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = torch.isin(assignment, probed)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "lists_of_the_first_query", stage="values",
    diagnosis="All queries search the lists of the first one.",
    next_step="Each query has its own nearest lists: a row of `topk`.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices[0]
    candidate = torch.isin(assignment, probed)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "places_in_the_list", stage="values",
    diagnosis="These are indices among the candidates; asked for are the indices of the vectors.",
    next_step="Keep the candidates' indices (`nonzero`), and index them with these.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        probed = (centroids @ query).topk(probes).indices
        kept = vectors[torch.isin(assignment, probed)]
        places = (kept @ query).topk(min(k, len(kept))).indices
        found[row, : len(places)] = places
    return found


@mistake(
    IVF, "nearest_list_first", stage="values",
    diagnosis="The nearest list is used up before the next one is looked at; the k best of all probed lists are wanted.",
    next_step="Put the candidates of all probed lists together, then take the k best.",
)
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


@mistake(
    IVF, "empty_lists_skipped", stage="values",
    diagnosis="Empty lists are skipped, and farther ones searched in their place; an empty list counts as a probe.",
    next_step="The `probes` nearest lists are chosen by their centroids alone.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    sizes = torch.bincount(assignment, minlength=len(centroids))
    near = (queries @ centroids.T).masked_fill(sizes == 0, float("-inf"))
    probed = near.topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "filled_up_from_other_lists", stage="values",
    diagnosis="Where the lists hold too few vectors, others are returned instead of -1.",
    next_step="Look at the values that topk returns: -inf means that there is none.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1).indices
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "missing_ones_are_0", stage="values",
    diagnosis="Missing entries are filled with 0, which is a vector; -1 was asked for.",
    next_step="Start from a tensor full of -1.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    found = torch.zeros(len(queries), k, dtype=torch.long)
    for row, query in enumerate(queries):
        kept = torch.isin(assignment, (centroids @ query).topk(probes).indices).nonzero().flatten()
        order = (vectors[kept] @ query).argsort(descending=True)[:k]
        found[row, : len(order)] = kept[order]
    return found


@mistake(
    IVF, "k_must_fit", stage="raises",
    diagnosis="topk refuses a k above the number of candidates.",
    next_step="Ask for the smaller of k and their number, and fill up with -1.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        kept = torch.isin(assignment, (centroids @ query).topk(probes).indices).nonzero().flatten()
        found[row] = kept[(vectors[kept] @ query).topk(k).indices]
    return found


@mistake(
    IVF, "other_lists_get_0", stage="values",
    diagnosis="Vectors outside the probed lists get the dot product 0, which is better than any negative one.",
    next_step="Use -inf.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    best = (queries @ vectors.T * candidate).topk(min(k, len(vectors)), dim=1).indices
    best = best.masked_fill(~candidate.gather(1, best), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "lists_instead_of_vectors", stage="values",
    diagnosis="The lists of the found vectors come back; asked for are the vectors' own numbers.",
    next_step="Return the indices of topk, not `assignment` at them.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = assignment[best].masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "dot_products_instead_of_numbers", stage="dtype",
    diagnosis="The dot products come back; asked for are the indices of the vectors.",
    next_step="topk returns values and indices: take the indices.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1).values
    return F.pad(values.masked_fill(values == float("-inf"), -1), (0, k - values.shape[1]), value=-1)


@mistake(
    IVF, "rounds_to_float32", stage="values",
    diagnosis="float64 vectors are rounded to float32 first: where large parts cancel, nothing is left of the small ones.",
    next_step="Leave `.float()` out: work in the type that comes in.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    scores = (queries.float() @ vectors.float().T).masked_fill(~candidate, float("-inf"))
    values, best = scores.topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "assignment_sorted_in_place", stage="property",
    diagnosis="The caller's assignment is sorted.",
    next_step="Work on a copy, or ask `assignment == entry`.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    order = assignment.argsort(stable=True)
    assignment.copy_(assignment[order])
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        kept = order[torch.isin(assignment, (centroids @ query).topk(probes).indices)]
        best = kept[(vectors[kept] @ query).argsort(descending=True)][:k]
        found[row, : len(best)] = best
    return found


@mistake(
    IVF, "negative_dot_products_dropped", stage="values",
    diagnosis="Vectors with a negative dot product are dropped; a vector of a probed list is an answer all the same.",
    next_step="Write -1 only where no candidate is left.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    values, best = (queries @ vectors.T).masked_fill(~candidate, float("-inf")).topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values < 0, -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "a_dict_of_dot_products", stage="values",
    diagnosis="A dict with the dot products as keys holds one vector for each: of two equal vectors one is lost.",
    next_step="Keep (dot product, number) pairs in a list.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    result = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries):
        probed = (centroids @ query).topk(probes).indices
        members = torch.isin(assignment, probed).nonzero().flatten()
        numbers = dict(zip((vectors[members] @ query).tolist(), members.tolist()))
        best = [numbers[score] for score in sorted(numbers, reverse=True)][:k]
        result[row, : len(best)] = torch.tensor(best, dtype=torch.int64)
    return result


@mistake(
    IVF, "other_lists_score_zero", stage="values",
    diagnosis="Vectors of other lists get the score 0, which is more than a negative one: they come back all the same.",
    next_step="Give them minus infinity, and -1 in the result where that is all that is left.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)
    best = ((queries @ vectors.T) * candidate).topk(min(k, len(vectors)), dim=1).indices
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    IVF, "all_lists_in_one_comparison", stage=("raises", "values"),
    diagnosis="`assignment == probed` compares (N,) with (Q, probes): entry by entry, not each vector's "
    "list with every probed list.",
    next_step="Give each its axis: `assignment[None, :, None] == probed[:, None, :]`, and `.any(dim=2)`; or `torch.isin`.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    candidate = assignment == probed
    scores = (queries @ vectors.T).masked_fill(~candidate, float("-inf"))
    values, best = scores.topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@right_form(IVF, "query_by_query")
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    found = torch.full((len(queries), k), -1, dtype=torch.int64)
    for row, query in enumerate(queries):
        probed = (centroids @ query).topk(probes).indices
        kept = torch.isin(assignment, probed).nonzero().flatten()
        order = (vectors[kept] @ query).argsort(descending=True)[:k]
        found[row, : len(order)] = kept[order]
    return found


@right_form(IVF, "lists_in_a_dict")
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


@right_form(IVF, "worst_first_missing_in_front")
def inverted_file_search(queries, vectors, centroids, assignment, probes, k, *, verbose=False):
    chosen = torch.zeros(len(queries), len(centroids), dtype=torch.bool)
    chosen.scatter_(1, (queries @ centroids.T).argsort(dim=1)[:, -probes:], True)
    candidate = chosen[:, assignment]
    scores = torch.where(candidate, queries @ vectors.T, -torch.inf)
    order = scores.argsort(dim=1)
    order = torch.where(candidate.gather(1, order), order, -1)
    return F.pad(order, (k, 0), value=-1)[:, -k:]


@right_form(IVF, "numpy_inside")
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


@right_form(IVF, "merging_the_best_of_each_list")
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


@mistake(
    IVF, "ten_times_as_many_and_then_the_lists", stage="values",
    diagnosis="The 10 k best of all vectors are searched and those of other lists crossed out afterwards. Where they hold "
    "more than 10 k better ones, too few are left.",
    next_step="Choose the candidates first, by their lists, and search among them.",
)
def inverted_file_search(queries, vectors, centroids, assignment, probes, k):
    probed = (queries @ centroids.T).topk(probes, dim=1).indices
    order = (queries @ vectors.T).argsort(dim=1, descending=True)[:, : 10 * k]
    found = torch.full((len(queries), k), -1)
    for row, best in enumerate(order):
        kept = best[torch.isin(assignment[best], probed[row])][:k]
        found[row, : len(kept)] = kept
    return found
