# exercise 10.analogy
import numpy as np
import torch
import torch.nn.functional as F


# base plain
def analogy(embedding, a, b, c, k):
    query = embedding[b] - embedding[a] + embedding[c]
    keep = [row for row in range(len(embedding)) if row not in (a, b, c) and embedding[row].any()]
    return sorted(keep, key=lambda row: -float(F.cosine_similarity(query, embedding[row], dim=0)))[:k]


# mistake a_and_b_exchanged (values), from plain
# The query is E[a] - E[b] + E[c]: that leads back from b to a.
# Next: From a to b is E[b] - E[a].
#   embedding[b] - embedding[a] => embedding[a] - embedding[b]

# mistake all_three_added (values), from plain
# The three vectors are added up; E[a] must be taken off.
# Next: From a to b is E[b] - E[a]; go that way from c.
#   query = embedding[b] - embedding[a] + embedding[c] => query = embedding[a] + embedding[b] + embedding[c]

# mistake c_left_out_of_the_query (values), from plain
# The query is only the way from a to b; it must start at c.
# Next: Add E[c].
#   embedding[b] - embedding[a] + embedding[c] => embedding[b] - embedding[a]

# mistake dot_products (values), from plain
# Candidates are compared by dot product: long rows win.
# Next: Divide by each row's norm.
#   F.cosine_similarity(query, embedding[row], dim=0) => query @ embedding[row]

# mistake nearest_by_distance (values), from plain
# Candidates are compared by distance; the cosine asks for direction alone.
# Next: Use `F.cosine_similarity`.
#   -float(F.cosine_similarity(query, embedding[row], dim=0)) => float((query - embedding[row]).norm())


# mistake rows_normalised_first (values)
# The rows were brought to length 1 before the query was made of them: that is another query.
# Next: Make the query of the rows as they are, and divide by norms only when you compare.
def analogy(embedding, a, b, c, k):
    unit = F.normalize(embedding, dim=1)
    query = unit[b] - unit[a] + unit[c]
    keep = [row for row in range(len(embedding)) if row not in (a, b, c) and embedding[row].any()]
    return sorted(keep, key=lambda row: -float(query @ unit[row]))[:k]


# mistake given_words_are_answers (values, shape), from plain
# The three given words are among the candidates, and mostly win.
# Next: Leave out a, b and c.
#   row not in (a, b, c) and embedding[row].any() => embedding[row].any()

# mistake only_c_left_out (values, shape), from plain
# Only c is left out; a and b may be answers.
# Next: Leave out all three.
#   row not in (a, b, c) => row != c

# mistake best_one_dropped (values, shape), from plain
# The best candidate is dropped, as if it were the query itself.
# Next: The query is no row of the table: once a, b and c are left out, the first position is an answer.
#   :k => 1 : k + 1

# mistake zero_rows_are_answers (values, shape), from plain
# Rows of zeros are among the answers, with a cosine of 0.
# Next: Leave out rows whose norm is 0.
#   -    keep = [row for row in range(len(embedding)) if row not in (a, b, c) and embedding[row].any()]
#   +    keep = [row for row in range(len(embedding)) if row not in (a, b, c)]

# mistake row_zero_left_out_too (values, shape), from plain
# Row 0 is never an answer, as if it were always padding.
# Next: Look at the row's norm, not at its number.
#   len(embedding) => 1, len(embedding)

# mistake worst_first (values), from plain
# The list begins with the least similar words.
# Next: Sort by falling similarity.
#   -float(F.cosine_similarity(query, embedding[row], dim=0)) => float(F.cosine_similarity(query, embedding[row], dim=0))

# mistake sign_ignored (values), from plain
# Opposite directions count as near: the sign of the cosine was dropped.
# Next: Leave `abs` out.
#   -    return sorted(keep, key=lambda row: -float(F.cosine_similarity(query, embedding[row], dim=0)))[:k]
#   +    return sorted(keep, key=lambda row: -abs(float(F.cosine_similarity(query, embedding[row], dim=0))))[:k]

# mistake filled_up (shape), from plain
# Where too few candidates are left, the list is filled up; it should be shorter.
# Next: Return what there is.
#   -    return sorted(keep, key=lambda row: -float(F.cosine_similarity(query, embedding[row], dim=0)))[:k]
#   +    best = sorted(keep, key=lambda row: -float(F.cosine_similarity(query, embedding[row], dim=0)))[:k]
#   +    return best + [-1] * (k - len(best))

# mistake topk_of_too_few (raises), from plain
# `topk` was asked for more entries than there are.
# Next: Ask for `min(k, number of candidates)`.
#   -    return sorted(keep, key=lambda row: -float(F.cosine_similarity(query, embedding[row], dim=0)))[:k]
#   +    keep = torch.tensor(keep, dtype=torch.int64)
#   +    return keep[F.cosine_similarity(query[None], embedding[keep], dim=1).topk(k).indices].tolist()

# mistake places_among_the_candidates (values), from plain
# The numbers count the candidates that are left, not the rows of the table.
# Next: Translate indices back to those of the whole table, or set what is no answer to minus infinity instead.
#   -    return sorted(keep, key=lambda row: -float(F.cosine_similarity(query, embedding[row], dim=0)))[:k]
#   +    return F.cosine_similarity(query[None], embedding[keep], dim=1).argsort(descending=True)[:k].tolist()

# mistake a_tensor (type), from plain
# A tensor comes back; a list of ints was asked for.
# Next: End with `.tolist()`.
#   -    return sorted(keep, key=lambda row: -float(F.cosine_similarity(query, embedding[row], dim=0)))[:k]
#   +    best = sorted(keep, key=lambda row: -float(F.cosine_similarity(query, embedding[row], dim=0)))[:k]
#   +    return torch.tensor(best)

# mistake caller_s_rows_zeroed (property), from plain
# The rows of the given words were set to zero in the table itself, which belongs to the caller.
# Next: Mask the similarities, not the table.
#   -    keep = [row for row in range(len(embedding)) if row not in (a, b, c) and embedding[row].any()]
#   +    embedding[[a, b, c]] = 0
#   +    keep = [row for row in range(len(embedding)) if embedding[row].any()]


# mistake left_out_at_minus_one (values)
# What is no answer gets the similarity -1, which an opposite word has as well.
# Next: Use minus infinity: no cosine is below it.
def analogy(embedding, a, b, c, k):
    query = embedding[b] - embedding[a] + embedding[c]
    similarity = F.cosine_similarity(embedding, query[None], dim=1)
    out = (embedding == 0).all(dim=1)
    out[[a, b, c]] = True
    similarity[out] = -1.0
    return similarity.sort(descending=True, stable=True).indices[: min(k, int((~out).sum()))].tolist()


# mistake zero_row_counted_twice (shape, values)
# The candidates are counted by subtraction, and a given word that is a row of zeros is taken off twice.
# Next: Mark all that is no answer in one mask, and count what it leaves.
def analogy(embedding, a, b, c, k):
    similarity = F.cosine_similarity(embedding, (embedding[b] - embedding[a] + embedding[c])[None])
    zero = embedding.norm(dim=1) == 0
    similarity[zero] = -torch.inf
    similarity[[a, b, c]] = -torch.inf
    left = len(embedding) - 3 - int(zero.sum())
    return similarity.topk(max(min(k, left), 0)).indices.tolist()


# mistake left_out_after_the_cut (shape)
# The k best are taken first and the given words left out of them afterwards: too few are left.
# Next: Leave the three words and the zero rows out before you cut the list at k.
def analogy(embedding, a, b, c, k):
    query = embedding[b] - embedding[a] + embedding[c]
    order = (F.normalize(embedding, dim=1) @ query).argsort(descending=True).tolist()
    return [i for i in order[:k] if i not in (a, b, c) and embedding[i].any()]


# mistake zero_rows_divided_by_0 (values, shape)
# A row of zeros is divided by its length 0, and the nan that comes of it is sorted as the largest number.
# Next: Leave the rows of length 0 out before you sort.
def analogy(embedding, a, b, c, k):
    query = embedding[b] - embedding[a] + embedding[c]
    cosines = (embedding / embedding.norm(dim=1, keepdim=True)) @ query
    return [i for i in cosines.argsort(descending=True).tolist() if i not in (a, b, c)][:k]


# right form sorted_list_of_pairs
def analogy(embedding, a, b, c, k):
    query = (embedding[b] - embedding[a] + embedding[c]).tolist()
    found = []
    for row, vector in enumerate(embedding.tolist()):
        length = sum(entry * entry for entry in vector) ** 0.5
        if row in (a, b, c) or length == 0:
            continue
        found.append((sum(p * q for p, q in zip(query, vector)) / length, row))
    return tuple(row for _, row in sorted(found, reverse=True)[:k])


# right form unit_rows_for_the_comparison
def analogy(embedding, a, b, c, k):
    unit = F.normalize(embedding.double(), dim=-1)
    query = F.normalize(embedding[b].double() - embedding[a] + embedding[c], dim=0)
    similarity = torch.mv(unit, query)
    similarity[torch.tensor([a, b, c])] = -torch.inf
    similarity[(embedding == 0).all(dim=1)] = -torch.inf
    order = torch.argsort(similarity, descending=True)
    return [int(row) for row in order[:k] if similarity[row] > -torch.inf]


# right form numpy
def analogy(embedding, a, b, c, k, eps=0.0):
    table = embedding.numpy()
    query = table[b] - table[a] + table[c]
    norms = np.linalg.norm(table, axis=1)
    candidates = np.setdiff1d(np.flatnonzero(norms > eps), [a, b, c])
    cosine = table[candidates] @ query / norms[candidates]
    return candidates[np.argsort(-cosine)][:k].tolist()


# right form one_after_the_other
def analogy(embedding, a, b, c, k):
    query = embedding[c] + embedding[b] - embedding[a]
    similarity = F.cosine_similarity(query.unsqueeze(0), embedding)
    open_rows = {row for row in range(len(embedding)) if embedding[row].norm() > 0} - {a, b, c}
    answers = []
    while open_rows and len(answers) < k:
        best = max(open_rows, key=lambda row: similarity[row].item())
        answers.append(best)
        open_rows.remove(best)
    return answers


# mistake opposites_left_out (shape, values)
# A similarity of -1 marks who is no answer; a word exactly opposite to the query has it too.
# Next: Mark with minus infinity, which no cosine can be.
def analogy(embedding, a, b, c, k):
    near = F.cosine_similarity(embedding, (embedding[b] - embedding[a] + embedding[c])[None])
    near[[a, b, c]] = -1.0
    near[(embedding == 0).all(dim=1)] = -1.0
    return [row for row in near.argsort(descending=True)[:k].tolist() if near[row] > -1 + 1e-6]


# mistake ten_more_and_then_left_out (shape)
# First the k + 10 most similar rows are taken, then rows of zeros are crossed out. If more than ten rows of zeros come before
# a word with a cosine below 0, too few are left.
# Next: Leave the three words and rows of zeros out first, and cut after k.
def analogy(embedding, a, b, c, k):
    query = embedding[b] - embedding[a] + embedding[c]
    cosines = F.cosine_similarity(query[None], embedding, dim=1)
    order = cosines.topk(min(k + 10, len(cosines))).indices.tolist()
    return [row for row in order if row not in (a, b, c) and embedding[row].any()][:k]
