# exercise 11.pq_search
"""Wrong answers about search in product codes by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F


# base plain
def pq_search(queries, codes, codebooks, k):
    M, K, size = codebooks.shape
    vectors = torch.cat([codebooks[m][codes[:, m]] for m in range(M)], dim=1)
    scores = queries @ vectors.T
    best = scores.argsort(dim=1, descending=True)[:, :k]
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# base tables
def pq_search(queries, codes, codebooks, k):
    M, K, size = codebooks.shape
    parts = queries.reshape(len(queries), M, size)
    tables = torch.einsum("qms,mks->qmk", parts, codebooks)
    scores = sum(tables[:, m, codes[:, m]] for m in range(M))
    best = scores.argsort(dim=1, descending=True)[:, :k]
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# mistake lowest_first (values), from plain
# The smallest dot product comes first.
# Next: Sort with `descending=True`.
#   scores.argsort(dim=1, descending=True) => scores.argsort(dim=1)

# mistake by_distance (values), from plain
# The vectors are ordered by their distance; the dot product was asked for.
# Next: Sort by `queries @ vectors.T`.
#   scores = queries @ vectors.T => scores = -torch.cdist(queries, vectors)

# mistake by_cosine (values), from plain
# The vectors are ordered by cosine: their lengths play no part.
# Next: Leave the normalisation of the vectors out.
#   queries @ vectors.T => queries @ F.normalize(vectors, dim=1).T

# mistake absolute_products (values), from plain
# The sign of the dot products is lost.
# Next: Leave `abs` out: a vector that points away is the worst.
#   queries @ vectors.T => (queries @ vectors.T).abs()

# mistake query_coded_too (values), from plain
# The query is replaced by its nearest centroids before it is compared (symmetric); it should stay exact (asymmetric).
# Next: Multiply the query itself with the centroids.
#   -    scores = queries @ vectors.T
#   +    parts = queries.reshape(len(queries), M, 1, size)
#   +    own = ((parts - codebooks) ** 2).sum(dim=-1).argmin(dim=-1)
#   +    scores = torch.cat([codebooks[m][own[:, m]] for m in range(M)], dim=1) @ vectors.T

# mistake equal_codes_counted (values), from plain
# The score is the number of parts in which query and vector have the same code.
# Next: Add up the dot products of the parts.
#   -    scores = queries @ vectors.T
#   +    parts = queries.reshape(len(queries), M, 1, size)
#   +    own = ((parts - codebooks) ** 2).sum(dim=-1).argmin(dim=-1)
#   +    scores = (own[:, None, :] == codes).sum(dim=-1) - torch.arange(len(codes)) / (len(codes) + 1)

# mistake first_part_alone (values), from tables
# Only the first part counts.
# Next: Add up all M parts.
#   for m in range(M) => for m in range(1)

# mistake last_part_left_out (values), from tables
# The last part is left out.
# Next: `range(M)` has all M parts.
#   for m in range(M) => for m in range(max(M - 1, 1))

# mistake best_part (values), from tables
# The largest product of a part is taken; the products should be added.
# Next: Add up the M lookups.
#   -    scores = sum(tables[:, m, codes[:, m]] for m in range(M))
#   +    scores = torch.stack([tables[:, m, codes[:, m]] for m in range(M)]).amax(dim=0)

# mistake products_multiplied (values), from tables
# The products of the parts are multiplied; they should be added.
# Next: Add up the M lookups.
#   -    scores = sum(tables[:, m, codes[:, m]] for m in range(M))
#   +    scores = torch.stack([tables[:, m, codes[:, m]] for m in range(M)]).prod(dim=0)

# mistake codebooks_in_reverse (values), from plain
# The parts are joined from the last to the first.
# Next: Part m of the codes belongs to codebook m, and to the m-th part of the query.
#   for m in range(M) => for m in reversed(range(M))

# mistake one_codebook_for_all (values), from plain
# All codes are looked up in the first codebook.
# Next: Column m of the codes belongs to codebook m.
#   codebooks[m] => codebooks[0]

# mistake every_mth_column (values), from tables
# A part of the query is made of every M-th column; it should be d/M columns side by side.
# Next: `queries.reshape(Q, M, d // M)`.
#   queries.reshape(len(queries), M, size) => queries.reshape(len(queries), size, M).transpose(1, 2)

# mistake first_column_of_codes (values), from plain
# Only the first column of the codes is read.
# Next: Part m uses `codes[:, m]`.
#   codes[:, m] => codes[:, 0]

# mistake centroids_in_order (values, raises), from plain
# The codes are never used: the centroids are taken in the order in which they stand.
# Next: Look them up: `codebooks[m][codes[:, m]]`.
#   codebooks[m][codes[:, m]] => codebooks[m][torch.arange(len(codes)) % K]

# mistake best_centroids (values, shape), from tables
# The best centroids of the first codebook come back; vectors were asked for.
# Next: Score the N rows of codes.
#   -    scores = sum(tables[:, m, codes[:, m]] for m in range(M))
#   +    scores = tables[:, 0]

# mistake first_query_for_all (values), from plain
# Every query gets the order of the first one.
# Next: Sort each row of the scores.
#   scores = queries @ vectors.T => scores = (queries @ vectors.T)[:1].expand(len(queries), -1)

# mistake query_normalised_by_the_batch (values), from plain
# The mean of all queries is subtracted, so that a query's result depends on the others.
# Next: Use each query as it is.
#   queries @ vectors.T => (queries - queries.mean(dim=0)) @ vectors.T

# mistake no_minus_1 (shape), from plain
# Where there are fewer than k vectors, the result has fewer columns.
# Next: Fill up to k columns with -1.
#   return F.pad(best, (0, k - best.shape[1]), value=-1) => return best

# mistake filled_with_0 (values), from plain
# What is missing is filled up with 0, which is the number of a vector.
# Next: Fill up with -1.
#   value=-1 => value=0

# mistake minus_1_in_front (values), from plain
# -1 stands at the beginning.
# Next: It belongs at the end: `F.pad(best, (0, missing), value=-1)`.
#   (0, k - best.shape[1]) => (k - best.shape[1], 0)

# mistake number_of_vectors_as_missing (values), from plain
# What is missing is filled up with N, which is no number of a vector either; -1 was asked for.
# Next: Fill up with -1.
#   value=-1 => value=len(codes)

# mistake topk_refuses (raises), from plain
# `topk` raises where k is larger than the number of vectors.
# Next: Ask for `min(k, N)`, and fill up with -1.
#   scores.argsort(dim=1, descending=True)[:, :k] => scores.topk(k, dim=1).indices

# mistake scores_come_back (dtype), from plain
# The dot products come back; the numbers of the vectors were asked for.
# Next: Return the indices.
#   scores.argsort(dim=1, descending=True)[:, :k] => scores.sort(dim=1, descending=True).values[:, :k]

# mistake values_and_indices (type), from plain
# A pair comes back; the numbers of the vectors were asked for.
# Next: Return the indices alone.
#   return F.pad(best, (0, k - best.shape[1]), value=-1) => return scores, F.pad(best, (0, k - best.shape[1]), value=-1)

# mistake numbers_of_32_bits (dtype), from plain
# The numbers are int32; int64 was asked for.
# Next: Leave the conversion out.
#   return F.pad(best, (0, k - best.shape[1]), value=-1) => return F.pad(best, (0, k - best.shape[1]), value=-1).int()

# mistake queries_last (shape), from plain
# The result has the shape (k, Q); a row for each query was asked for.
# Next: Return (Q, k).
#   return F.pad(best, (0, k - best.shape[1]), value=-1) => return F.pad(best, (0, k - best.shape[1]), value=-1).T

# mistake codes_through_a_byte (values), from plain
# The codes went through a byte: 256 has become 0.
# Next: Keep the codes as they are.
#   codes[:, m] => codes[:, m].to(torch.uint8).long()

# mistake ranks_instead_of_numbers (values), from plain
# The rank of each vector comes back; the numbers of the vectors in the order of their ranks were asked for.
# Next: `argsort` once, and not twice.
#   scores.argsort(dim=1, descending=True)[:, :k] => scores.argsort(dim=1, descending=True).argsort(dim=1)[:, :k]

# mistake no_queries_raises (raises)
# `torch.stack` of no rows raises where there are no queries.
# Next: Begin with a (Q, k) tensor full of -1.
def pq_search(queries, codes, codebooks, k):
    M, K, size = codebooks.shape
    rows = []
    for query in queries:
        table = torch.einsum("ms,mks->mk", query.reshape(M, size), codebooks)
        scores = table[torch.arange(M), codes].sum(dim=1)
        best = scores.argsort(descending=True)[:k]
        rows.append(F.pad(best, (0, k - len(best)), value=-1))
    return torch.stack(rows)


# mistake no_vectors_raises (raises), from plain
# Without vectors the best one is asked for, and that raises.
# Next: Sort and cut off: with no vectors only -1 is left.
#   scores.argsort(dim=1, descending=True)[:, :k] => torch.cat([scores.argmax(1)[:, None], scores.argsort(1, True)[:, 1:k]], 1)


# right form loops
def pq_search(queries, codes, codebooks, k):
    M, K, size = codebooks.shape
    result = torch.full((len(queries), k), -1)
    for q, query in enumerate(queries.tolist()):
        scores = []
        for row in codes.tolist():
            vector = [number for m, code in enumerate(row) for number in codebooks[m, code].tolist()]
            scores.append(sum(a * b for a, b in zip(query, vector)))
        order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)[:k]
        for place, number in enumerate(order):
            result[q, place] = number
    return result


# right form one_table_for_each_query
def pq_search(queries, codes, codebooks, k):
    M, K, size = codebooks.shape
    tables = torch.matmul(codebooks, queries.reshape(-1, M, size, 1)).squeeze(-1)
    picked = tables[:, torch.arange(M), codes]
    best = picked.sum(dim=2).topk(min(k, codes.shape[0])).indices
    result = codes.new_full((len(queries), k), -1)
    result[:, : best.shape[1]] = best
    return result


# right form numpy_in_float64
def pq_search(queries, codes, codebooks, k):
    books, numbers = codebooks.numpy().astype(np.float64), codes.numpy()
    vectors = books[np.arange(len(books)), numbers].reshape(len(numbers), queries.shape[1])
    order = np.argsort(-(queries.numpy().astype(np.float64) @ vectors.T), axis=1)[:, :k]
    return torch.from_numpy(np.pad(order, ((0, 0), (0, k - order.shape[1])), constant_values=-1).astype(np.int64))


# right form one_hot_and_einsum
def pq_search(queries, codes, codebooks, k):
    M, K, size = codebooks.shape
    chosen = F.one_hot(codes, K).to(queries.dtype)
    scores = torch.einsum("qms,mks,nmk->qn", queries.reshape(len(queries), M, size), codebooks, chosen)
    order = torch.sort(scores, dim=1, descending=True).indices[:, :k]
    return torch.cat([order, torch.full((len(queries), k - order.shape[1]), -1)], dim=1)


# right form embedding_bag
def pq_search(queries, codes, codebooks, k):
    M, K, size = codebooks.shape
    tables = torch.einsum("qms,mks->mkq", queries.unflatten(1, (M, size)), codebooks).reshape(M * K, len(queries))
    scores = F.embedding(codes + K * torch.arange(M), tables).sum(dim=1)
    best = scores.T.argsort(dim=1, descending=True)[:, :k]
    return F.pad(best, (0, k - best.shape[1]), value=-1)
