"""Wrong answers about nearest neighbours by name, and unusual right ones."""

import heapq
import math

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

NEAREST = "04.nearest"


@mistake(
    NEAREST, "dot_product", stage="values",
    diagnosis="Words are sorted by dot product: long rows win, however they point.",
    next_step="Divide by the lengths of both rows: that is the cosine.",
)
def nearest(embedding, index, k):
    scores = embedding @ embedding[index]
    scores[index] = -math.inf
    scores[embedding.norm(dim=1) == 0] = -math.inf
    order = scores.argsort(descending=True).tolist()
    return [row for row in order if scores[row] > -math.inf][:k]


@mistake(
    NEAREST, "distance", stage="values",
    diagnosis="Words are sorted by distance: a row that points the same way and is longer counts as far.",
    next_step="Use the cosine: normalise the rows first.",
)
def nearest(embedding, index, k):
    order = (embedding - embedding[index]).norm(dim=1).argsort().tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


@base("plain")
def nearest(embedding, index, k):
    unit = F.normalize(embedding, p=1, dim=1)
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


altered(
    NEAREST, "the_word_itself", "plain", {"p=1, ": "", "row != index and ": ""}, stage=("values", "shape"),
    diagnosis="The word is its own first neighbour.",
    next_step="Leave out the row `index`.",
)


@mistake(
    NEAREST, "the_first_is_dropped", stage=("values", "shape"),
    diagnosis="The first of the sorted words is dropped, as if it always were the word itself; a twin can stand there.",
    next_step="Leave the word out by its index.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    cosines[index] -= 1e-6
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order[1:] if embedding[row].any()][:k]


@mistake(
    NEAREST, "twins_left_out", stage=("values", "shape"),
    diagnosis="Every word with a cosine of 1 is left out; only the word itself should be.",
    next_step="Compare indices, not cosines.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order if cosines[row] < 0.99999 and embedding[row].any()][:k]


@mistake(
    NEAREST, "worst_first", stage="values",
    diagnosis="The words are sorted by rising cosine: those that point away come first.",
    next_step="Sort in falling order.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort().tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


altered(
    NEAREST, "best_last", "plain",
    {"p=1, ": "", "and embedding[row].any()][:k]": "and embedding[row].any()][:k][::-1]"},
    stage="values",
    diagnosis="The words are the right ones, the best one last.",
    next_step="Return them by falling cosine.",
)

altered(
    NEAREST, "by_id", "plain",
    {
        "p=1, ": "",
        "[row for row in order if row != index and embedding[row].any()][:k]":
            "sorted([row for row in order if row != index and embedding[row].any()][:k])",
    },
    stage="values",
    diagnosis="The words are the right ones, in the order of their ids.",
    next_step="Return them by falling cosine.",
)


@mistake(
    NEAREST, "zero_rows_are_neighbours", stage=("values", "shape"),
    diagnosis="A row of zeros is among the neighbours: its cosine was taken for 0, which beats negative ones.",
    next_step="Leave out rows whose length is 0.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order if row != index][:k]


altered(
    NEAREST, "rows_that_sum_to_0_left_out", "plain", {"p=1, ": "", "any()": "sum() != 0"}, stage="shape",
    diagnosis="Rows whose numbers add up to 0 are taken for rows of zeros; (4, -4) is none.",
    next_step="Ask whether any number of the row differs from 0, or for its length.",
)


@mistake(
    NEAREST, "sums_of_magnitudes", stage="values",
    diagnosis="Rows are divided by the sum of their magnitudes; a vector's length is the root of the sum of squares.",
    next_step="Use `norm(dim=1)`, or `F.normalize` with p=2, as it comes.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, p=1, dim=1)
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


@mistake(
    NEAREST, "right_angles_left_out", stage="shape",
    diagnosis="Words with a cosine of exactly 0 are taken for rows of zeros; they may stand at a right angle.",
    next_step="Ask for the row's length, not for its cosine.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order if row != index and cosines[row] != 0][:k]


@mistake(
    NEAREST, "opposites_left_out", stage="shape",
    diagnosis="The word's own cosine is set to -1 and everything at -1 is left out, also words that point the other way.",
    next_step="Set it to -inf, or leave the word out by its index.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    cosines[index] = -1
    cosines[~embedding.any(dim=1)] = -1
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order if cosines[row] > -1][:k]


altered(
    NEAREST, "nan_comes_first", "plain",
    {
        "F.normalize(embedding, p=1, dim=1)": "embedding / embedding.norm(dim=1, keepdim=True)",
        " and embedding[row].any()": "",
    },
    stage=("values", "shape"),
    diagnosis="A row of zeros was divided by its length: its cosine is nan, and nan is sorted before everything.",
    next_step="Leave out rows whose length is 0 before you sort.",
)


@mistake(
    NEAREST, "topk_of_too_many", stage="raises",
    diagnosis="`topk` refuses a k that is larger than the number of words.",
    next_step="Ask for `min(k, ...)`, or sort everything and cut.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    cosines[index] = -2
    cosines[embedding.norm(dim=1) == 0] = -2
    return [row for row in cosines.topk(k).indices.tolist() if cosines[row] > -2]


@mistake(
    NEAREST, "the_word_fills_up", stage="shape",
    diagnosis="Where there are fewer than k words, the word itself or rows of zeros fill the list up.",
    next_step="Cut off everything that was set to -inf: fewer than k is right then.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    cosines[index] = -math.inf
    cosines[embedding.norm(dim=1) == 0] = -math.inf
    return cosines.topk(min(k, len(cosines))).indices.tolist()


@mistake(
    NEAREST, "only_similar_ones", stage="shape",
    diagnosis="Words with a negative cosine are left out; they are neighbours too, the last ones.",
    next_step="Leave out only the word itself and rows of zeros.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order if row != index and cosines[row] > 0][:k]


@mistake(
    NEAREST, "without_signs", stage="values",
    diagnosis="The sign of the cosine is dropped: words that point away count as near.",
    next_step="Leave `abs` out.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).abs().argsort(descending=True).tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


altered(
    NEAREST, "columns_normalised", "plain", {"p=1, dim=1": "dim=0"}, stage=("values", "shape"),
    diagnosis="The columns of the table are brought to length 1; it should be the rows.",
    next_step="Normalise along dim=1.",
)


@mistake(
    NEAREST, "ids_have_moved", stage="values",
    diagnosis="The word's row was removed before sorting: ids behind it are too small by one.",
    next_step="Leave the word out after sorting, or add 1 to the ids from index on.",
)
def nearest(embedding, index, k):
    others = torch.cat([embedding[:index], embedding[index + 1 :]])
    cosines = F.normalize(others, dim=1) @ F.normalize(embedding[index], dim=0)
    order = cosines.argsort(descending=True).tolist()
    return [row for row in order if others[row].any()][:k]


@mistake(
    NEAREST, "one_too_few", stage="shape",
    diagnosis="The list is cut after k before the word itself is left out: one neighbour is missing.",
    next_step="Leave out first, cut last.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort(descending=True).tolist()[:k]
    return [row for row in order if row != index and embedding[row].any()]


@mistake(
    NEAREST, "tensor_returned", stage="type",
    diagnosis="The ids come in a tensor; a list of ints was asked for.",
    next_step="Call `.tolist()`.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    order = (unit @ unit[index]).argsort(descending=True)
    return order[(order != index) & embedding[order].any(dim=1)][:k]


@mistake(
    NEAREST, "with_their_cosines", stage="type",
    diagnosis="Each entry is a pair of word and cosine; a list of ids was asked for.",
    next_step="Return the ids only.",
)
def nearest(embedding, index, k):
    unit = F.normalize(embedding, dim=1)
    cosines = unit @ unit[index]
    order = cosines.argsort(descending=True).tolist()
    return [(row, float(cosines[row])) for row in order if row != index and embedding[row].any()][:k]


@mistake(
    NEAREST, "table_normalised", stage="property",
    diagnosis="The ids are right, and the caller's table has changed: `/=` and `embedding[index] = ...` write into it.",
    next_step="Make a new tensor, for example `embedding / lengths`, or work on `embedding.clone()`.",
)
def nearest(embedding, index, k):
    embedding /= embedding.norm(dim=1, keepdim=True).clamp(min=1e-12)
    order = (embedding @ embedding[index]).argsort(descending=True).tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]


altered(
    NEAREST, "view_of_the_table", "plain",
    {"embedding, p=1": "embedding.view(-1).view(embedding.shape)"},
    stage="raises",
    diagnosis="`view` fails for a table with gaps in memory.",
    next_step="Index rows, or use `reshape`.",
)


@right_form(NEAREST, "loop_and_heap")
def nearest(embedding, index, k):
    rows = embedding.double().tolist()
    length = [math.sqrt(sum(x * x for x in row)) for row in rows]
    found = []
    for other, row in enumerate(rows):
        if other != index and length[other] > 0:
            dot = sum(a * b for a, b in zip(row, rows[index]))
            found.append((dot / (length[other] * length[index]), other))
    return [other for _, other in heapq.nlargest(k, found)]


@right_form(NEAREST, "cosine_similarity")
def nearest(embedding, index, k):
    cosines = F.cosine_similarity(embedding, embedding[index : index + 1], dim=1)
    keep = embedding.norm(dim=1) > 0
    keep[index] = False
    ids = keep.nonzero().squeeze(1)
    order = cosines[ids].sort(descending=True).indices
    return ids[order[:k]].tolist()


@right_form(NEAREST, "topk_with_a_limit")
def nearest(embedding, index, k, eps=1e-12):
    lengths = torch.linalg.vector_norm(embedding, dim=-1)
    cosines = (embedding @ embedding[index]) / (lengths * lengths[index]).clamp(min=eps)
    out = lengths == 0
    out[index] = True
    cosines = cosines.masked_fill(out, -math.inf)
    return [*cosines.topk(min(k, int((~out).sum()))).indices]


@right_form(NEAREST, "numpy_inside_tuple_returned")
def nearest(embedding, index, k):
    table = embedding.numpy().astype(np.float64)
    lengths = np.linalg.norm(table, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        cosines = table @ table[index] / lengths / lengths[index]
    order = np.argsort(-np.nan_to_num(cosines, nan=-9.0))
    return tuple(int(row) for row in order if row != index and lengths[row] > 0)[:k]


@right_form(NEAREST, "not_divided_by_the_query")
def nearest(embedding, index, k):
    ids = [row for row in range(len(embedding)) if row != index and embedding[row].abs().sum() > 0]
    score = {row: float(embedding[row] @ embedding[index] / embedding[row].norm()) for row in ids}
    print(score)
    return sorted(ids, key=score.get, reverse=True)[:k]


@mistake(
    NEAREST, "copies_left_out", stage="values",
    diagnosis="Every row that equals the word's own is left out, a word with the same vector included.",
    next_step="Leave out one index, not a vector: the word itself is the row number `index`.",
)
def nearest(embedding, index, k):
    near = F.cosine_similarity(embedding, embedding[index : index + 1], dim=1)
    other = (embedding != embedding[index]).any(dim=1) & (embedding != 0).any(dim=1)
    return [row for row in near.argsort(descending=True).tolist() if other[row]][:k]


@right_form(NEAREST, "distances_of_unit_rows")
def nearest(embedding, index, k):
    others = (embedding != 0).any(dim=1)
    others[index] = False
    ids = others.nonzero()[:, 0]
    unit = F.normalize(embedding.double(), dim=1)
    apart = (unit[ids] - unit[index]).norm(dim=1)
    return ids[apart.argsort()][:k].tolist()


@mistake(
    NEAREST, "ten_more_and_then_left_out", stage="shape",
    diagnosis="The k + 10 most similar rows are searched and rows of zeros crossed out afterwards. Where more than ten of them "
    "come before a word with a cosine below 0, too few are left.",
    next_step="Leave the word and rows of zeros out first, and cut after k.",
)
def nearest(embedding, index, k):
    cosines = F.cosine_similarity(embedding[index][None], embedding, dim=1)
    order = cosines.topk(min(k + 10, len(cosines))).indices.tolist()
    return [row for row in order if row != index and embedding[row].any()][:k]
