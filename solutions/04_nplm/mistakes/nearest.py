# exercise 04.nearest
import heapq
import math

import numpy as np
import torch
import torch.nn.functional as F


# mistake dot_product (values)
# Words are sorted by dot product: long rows win, however they point.
# Next: Divide by the lengths of both rows: that is the cosine.
def nearest(embedding, index, k):
    scores = embedding @ embedding[index]
    scores[index] = -math.inf
    scores[embedding.norm(dim=1) == 0] = -math.inf
    order = scores.argsort(descending=True).tolist()
    return [row for row in order if scores[row] > -math.inf][:k]


# mistake distance (values)
# Words are sorted by distance: a row that points the same way and is longer counts as far.
# Next: Use the cosine: normalise the rows first.
def nearest(embedding, index, k):
    order = (embedding - embedding[index]).norm(dim=1).argsort().tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


# mistake the_word_itself (values, shape)
# The word is its own first neighbour.
# Next: Leave out the row `index`.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    return [row for row in order if embedding[row].any()][:k]


# mistake the_first_is_dropped (values, shape)
# The first of the sorted words is dropped, as if it always were the word itself; a twin can stand there.
# Next: Leave the word out by its index.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    cosines[index] -= 1e-6
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order[1:] if embedding[row].any()][:k]


# mistake twins_left_out (values, shape)
# Every word with a cosine of 1 is left out; only the word itself should be.
# Next: Compare indices, not cosines.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order if cosines[row] < 0.99999 and embedding[row].any()][:k]


# mistake worst_first (values)
# The words are sorted by rising cosine: those that point away come first.
# Next: Sort in falling order.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort().tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


# mistake best_last (values)
# The words are the right ones, the best one last.
# Next: Return them by falling cosine.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    return [row for row in order if row != index and embedding[row].any()][:k][::-1]


# mistake by_id (values)
# The words are the right ones, in the order of their ids.
# Next: Return them by falling cosine.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    return sorted([row for row in order if row != index and embedding[row].any()][:k])


# mistake zero_rows_are_neighbours (values, shape), from twins_left_out
# A row of zeros is among the neighbours: its cosine was taken for 0, which beats negative ones.
# Next: Leave out rows whose length is 0.
#   cosines[row] < 0.99999 and embedding[row].any() => row != index


# mistake rows_that_sum_to_0_left_out (shape)
# Rows whose numbers add up to 0 are taken for rows of zeros; (4, -4) is none.
# Next: Ask whether any number of the row differs from 0, or for its length.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    return [row for row in order if row != index and embedding[row].sum() != 0][:k]


# mistake sums_of_magnitudes (values)
# Rows are divided by the sum of their magnitudes; a vector's length is the root of the sum of squares.
# Next: Use `norm(dim=1)`, or `F.normalize` with p=2, as it comes.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, p=1, dim=1)
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


# mistake right_angles_left_out (shape), from twins_left_out
# Words with a cosine of exactly 0 are taken for rows of zeros; they may stand at a right angle.
# Next: Ask for the row's length, not for its cosine.
#   cosines[row] < 0.99999 and embedding[row].any() => row != index and cosines[row] != 0

# mistake opposites_left_out (shape), from twins_left_out
# The word's own cosine is set to -1 and everything at -1 is left out, also words that point the other way.
# Next: Set it to -inf, or leave the word out by its index.
#        cosines = unit @ unit[index]
#   +    cosines[index] = -1
#   +    cosines[~embedding.any(dim=1)] = -1
#   cosines[row] < 0.99999 and embedding[row].any() => cosines[row] > -1

# mistake nan_comes_first (values, shape), from sums_of_magnitudes
# A row of zeros was divided by its length: its cosine is nan, and nan is sorted before everything.
# Next: Leave out rows whose length is 0 before you sort.
#   F.normalize(embedding, p=1, dim=1) => embedding / embedding.norm(dim=1, keepdim=True)
#   row != index and embedding[row].any() => row != index


# mistake topk_of_too_many (raises)
# `topk` refuses a k that is larger than the number of words.
# Next: Ask for `min(k, ...)`, or sort everything and cut.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    cosines[index] = -2
    cosines[embedding.norm(dim=1) == 0] = -2
    return [row for row in cosines.topk(k).indices.tolist() if cosines[row] > -2]


# mistake the_word_fills_up (shape)
# Where there are fewer than k words, the word itself or rows of zeros fill the list up.
# Next: Cut off everything that was set to -inf: fewer than k is right then.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    cosines[index] = -math.inf
    cosines[embedding.norm(dim=1) == 0] = -math.inf
    return cosines.topk(min(k, len(cosines))).indices.tolist()


# mistake only_similar_ones (shape), from twins_left_out
# Words with a negative cosine are left out; they are neighbours too, the last ones.
# Next: Leave out only the word itself and rows of zeros.
#   cosines[row] < 0.99999 and embedding[row].any() => row != index and cosines[row] > 0

# mistake without_signs (values), from worst_first
# The sign of the cosine is dropped: words that point away count as near.
# Next: Leave `abs` out.
#   (unit @ unit[index]).argsort() => (unit @ unit[index]).abs().argsort(descending=True)

# mistake columns_normalised (values, shape), from sums_of_magnitudes
# The columns of the table are brought to length 1; it should be the rows.
# Next: Normalise along dim=1.
#   p=1, dim=1 => dim=0


# mistake ids_have_moved (values)
# The word's row was removed before sorting: ids behind it are too small by one.
# Next: Leave the word out after sorting, or map the positions back to ids.
def nearest(embedding, index, k):
    others = torch.cat([embedding[:index], embedding[index + 1 :]])
    cosines = F.normalize(others, dim=1) @ F.normalize(embedding[index], dim=0)
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order if others[row].any()][:k]


# mistake one_too_few (shape), from worst_first
# The list is cut after k before the word itself is left out: one neighbour is missing.
# Next: Leave out first, cut last.
#   (unit @ unit[index]).argsort().tolist() => (unit @ unit[index]).argsort(descending=True).tolist()[:k]
#   [:k] =>


# mistake tensor_returned (type)
# The ids come in a tensor; a list of ints was asked for.
# Next: Call `.tolist()`.
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort(descending=True)
    return order[(order != index) & embedding[order].any(dim=1)][:k]


# mistake with_their_cosines (type), from twins_left_out
# Each entry is a pair of word and cosine; a list of ids was asked for.
# Next: Return the ids only.
#   row for row in order if cosines[row] < 0.99999 => (row, float(cosines[row])) for row in order if row != index

# mistake table_normalised (property), from sums_of_magnitudes
# The ids are right, and the caller's table has changed: `/=` and `embedding[index] = ...` write into it.
# Next: Make a new tensor, for example `embedding / lengths`, or work on `embedding.clone()`.
#   unit = F.normalize(embedding, p=1, dim=1) => embedding /= embedding.norm(dim=1, keepdim=True).clamp(min=1e-12)
#   unit @ unit[index] => embedding @ embedding[index]

# mistake view_of_the_table (raises), from sums_of_magnitudes
# `view` fails for a table with gaps in memory.
# Next: Index rows, or use `reshape`.
#   embedding, p=1 => embedding.view(-1).view(embedding.shape)


# right form loop_and_heap
def nearest(embedding, index, k):
    rows = embedding.double().tolist()
    length = [math.sqrt(sum(x * x for x in row)) for row in rows]
    found = []
    for other, row in enumerate(rows):
        if other != index and length[other] > 0:
            dot = sum(a * b for a, b in zip(row, rows[index]))
            found.append((dot / (length[other] * length[index]), other))
    return [other for _, other in heapq.nlargest(k, found)]


# right form cosine_similarity
def nearest(embedding, index, k):
    cosines = F.cosine_similarity(embedding, embedding[index : index + 1], dim=1)
    keep = embedding.norm(dim=1) > 0
    keep[index] = False
    ids = keep.nonzero().squeeze(1)
    order = cosines[ids].sort(descending=True).indices
    return ids[order[:k]].tolist()


# right form topk_with_a_limit
def nearest(embedding, index, k, eps=1e-12):
    lengths = torch.linalg.vector_norm(embedding, dim=-1)
    cosines = (embedding @ embedding[index]) / (lengths * lengths[index]).clamp(min=eps)
    out = lengths == 0
    out[index] = True
    cosines = cosines.masked_fill(out, -math.inf)
    return [*cosines.topk(min(k, int((~out).sum()))).indices]


# right form numpy_inside_tuple_returned
def nearest(embedding, index, k):
    table = embedding.numpy().astype(np.float64)
    lengths = np.linalg.norm(table, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        cosines = table @ table[index] / lengths / lengths[index]
    order = np.argsort(-np.nan_to_num(cosines, nan=-9.0))
    return tuple(int(row) for row in order if row != index and lengths[row] > 0)[:k]


# right form not_divided_by_the_query
def nearest(embedding, index, k):
    ids = [row for row in range(len(embedding)) if row != index and embedding[row].abs().sum() > 0]
    score = {row: float(embedding[row] @ embedding[index] / embedding[row].norm()) for row in ids}
    print(score)
    return sorted(ids, key=score.get, reverse=True)[:k]


# mistake copies_left_out (values)
# Every row that equals the word's own is left out, a word with the same vector included.
# Next: Leave out one index, not a vector: the word itself is the row number `index`.
def nearest(embedding, index, k):
    near = F.cosine_similarity(embedding, embedding[index : index + 1], dim=1)
    other = (embedding != embedding[index]).any(dim=1) & (embedding != 0).any(dim=1)
    return [row for row in near.argsort(descending=True).tolist() if other[row]][:k]


# right form distances_of_unit_rows
def nearest(embedding, index, k):
    others = (embedding != 0).any(dim=1)
    others[index] = False
    ids = others.nonzero()[:, 0]
    unit = F.normalize(embedding.double(), dim=1)
    apart = (unit[ids] - unit[index]).norm(dim=1)
    return ids[apart.argsort()][:k].tolist()


# mistake ten_more_and_then_left_out (shape), from worst_first
# The k + 10 most similar rows are searched and rows of zeros crossed out afterwards. Where more than ten of them come before a
# word with a cosine below 0, too few are left.
# Next: Leave the word and rows of zeros out first, and cut after k.
#   unit = F.normalize(embedding, dim=1) => cosines = F.cosine_similarity(embedding[index][None], embedding, dim=1)
#   (unit @ unit[index]).argsort() => cosines.topk(min(k + 10, len(cosines))).indices


# mistake zero_row_from_topk (values, shape, raises)
# A row of zeros is among the neighbours: its cosine was taken for 0, which beats negative ones.
# Next: Leave out the rows whose norm is 0, as you do with the word itself.
def nearest(embedding, index, k):
    cosines = F.cosine_similarity(embedding, embedding[index][None])
    cosines[index] = -2
    return cosines.topk(k).indices.tolist()


# mistake nan_from_topk (values, shape, raises), from zero_row_from_topk
# A row of zeros is among the neighbours: it was divided by its norm 0, and `topk` takes nan for the largest.
# Next: Leave out the rows whose norm is 0, as you do with the word itself.
#   F.cosine_similarity(embedding, embedding[index][None]) => embedding @ embedding[index] / (embedding.norm(dim=1) * embedding[index].norm())

# mistake cosines_returned (values, type), from zero_row_from_topk
# These are cosines; the ids of the words were asked for.
# Next: Return `.indices`, not `.values`.
#   -    return cosines.topk(k).indices.tolist()
#   +    cosines[embedding.norm(dim=1) == 0] = -2
#   +    return cosines.topk(min(k, int((cosines > -2).sum()))).values.tolist()

# mistake nan_dropped_for_the_word (values, shape)
# A row of zeros gives nan, which is sorted first. So `[1:]` drops that row and keeps the word itself.
# Next: Leave out the word by its index, and the rows whose norm is 0.
def nearest(embedding, index, k):
    cosines = embedding @ embedding[index] / (embedding.norm(dim=1) * embedding[index].norm())
    return cosines.argsort(descending=True)[1 : k + 1].tolist()


# mistake first_by_cosine_dropped (values, shape), from nan_dropped_for_the_word
# Rows of zeros stay among the neighbours, and `[1:]` drops whatever comes first, which may be another word.
# Next: Leave out the word by its index, and the rows whose norm is 0.
#   embedding @ embedding[index] / (embedding.norm(dim=1) * embedding[index].norm()) => F.cosine_similarity(embedding, embedding[index][None])

# mistake first_by_dot_product_dropped (values, shape, raises)
# Words are sorted by dot product, where long rows win. So the word itself need not come first, and `[1:]` may drop another.
# Next: Divide by both norms for the cosine, and leave the word out by its index.
def nearest(embedding, index, k):
    return (embedding @ embedding[index]).topk(k + 1).indices[1:].tolist()


# mistake dot_product_with_itself (values, shape, raises)
# Words are sorted by dot product, where long rows win, and the word itself is not left out.
# Next: Divide by both norms for the cosine, and leave the word out by its index.
def nearest(embedding, index, k):
    return (embedding @ embedding[index]).topk(k).indices.tolist()


# mistake positions_among_the_kept (values)
# The word and rows of zeros were removed by a mask: these are positions among the rows that stay, not ids.
# Next: Map them back: `keep.nonzero()` lists the ids of the kept rows.
def nearest(embedding, index, k):
    cosines = F.cosine_similarity(embedding, embedding[index][None])
    keep = embedding.norm(dim=1) > 0
    keep[index] = False
    return cosines[keep].argsort(descending=True)[:k].tolist()
