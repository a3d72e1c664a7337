"""Wrong answers about recall by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import altered, mistake, right_form

RECALL = "09.recall_at_k"


@mistake(
    RECALL, "precision", stage="values",
    diagnosis="The hits are divided by k as well: that is precision. With one right column a row's recall is 0 or 1.",
    next_step="Divide the number of hits by the number of rows alone.",
)
def recall_at_k(similarity, relevant, k):
    top = similarity.topk(min(k, similarity.shape[1]), dim=1).indices
    return (top == relevant[:, None]).double().mean().item()


altered(
    RECALL, "divided_by_columns", "precision",
    {"double().mean().item()": "sum().item() / similarity.shape[1]"},
    stage="values",
    diagnosis="The hits are divided by the number of columns; it is a fraction of the rows.",
    next_step="Divide by N, the number of rows.",
)

altered(
    RECALL, "number_of_hits", "precision",
    {"(top == relevant[:, None]).double().mean().item()": "float((top == relevant[:, None]).any(dim=1).sum())"},
    stage="values",
    diagnosis="The hits are counted, not averaged over the rows.",
    next_step="Take the mean over the rows.",
)

altered(
    RECALL, "per_cent", "precision",
    {"(top == relevant[:, None])": "100 * (top == relevant[:, None]).any(dim=1)"},
    stage="values",
    diagnosis="This is in per cent; a fraction lies between 0 and 1.",
    next_step="Leave the factor 100 out.",
)


@mistake(
    RECALL, "the_first_place_only", stage="values",
    diagnosis="Only the most similar column is looked at, whatever k is.",
    next_step="Use k: any of the first k ranks counts.",
)
def recall_at_k(similarity, relevant, k):
    return (similarity.argmax(dim=1) == relevant).double().mean().item()


@mistake(
    RECALL, "the_least_similar", stage="values",
    diagnosis="The right columns are hardly ever among these k: argsort alone puts the least similar first.",
    next_step="Sort with `descending=True`, or use topk.",
)
def recall_at_k(similarity, relevant, k):
    top = similarity.argsort(dim=1)[:, :k]
    return (top == relevant[:, None]).any(dim=1).double().mean().item()


@mistake(
    RECALL, "one_place_too_many", stage="values",
    diagnosis="The rank k + 1 still counts.",
    next_step="The right column is found when fewer than k columns are more similar.",
)
def recall_at_k(similarity, relevant, k):
    own = similarity.gather(1, relevant[:, None])
    return ((similarity > own).sum(dim=1) <= k).double().mean().item()


@mistake(
    RECALL, "one_place_too_few", stage="values",
    diagnosis="The rank k no longer counts.",
    next_step="The right column is found when fewer than k columns are more similar; it is not more similar than itself.",
)
def recall_at_k(similarity, relevant, k):
    own = similarity.gather(1, relevant[:, None])
    return ((similarity >= own).sum(dim=1) < k).double().mean().item()


@mistake(
    RECALL, "down_the_columns", stage=("values", "raises"),
    diagnosis="The search runs down each column; each row is a query.",
    next_step="Use `dim=1` in topk.",
)
def recall_at_k(similarity, relevant, k):
    top = similarity.topk(min(k, len(similarity)), dim=0).indices.T
    return (top[: len(relevant)] == relevant[: len(top), None]).any(dim=1).double().mean().item()


altered(
    RECALL, "right_column_on_the_diagonal", "precision",
    {"relevant[:, None]": "torch.arange(len(similarity))[:, None]).any(dim=1"},
    stage="values",
    diagnosis="Row i's right column is taken to be column i; `relevant` says which it is.",
    next_step="Compare with `relevant[:, None]`.",
)

altered(
    RECALL, "right_for_any_row", "precision",
    {"(top == relevant[:, None])": "torch.isin(top, relevant).any(dim=1)"},
    stage="values",
    diagnosis="A column counts when it is right for any row of the table; each row has its own.",
    next_step="Compare row with row: `relevant[:, None]`.",
)

altered(
    RECALL, "broadcast_the_wrong_way", "precision", {"[:, None]": ").any(dim=1"}, stage="raises",
    diagnosis="`top == relevant` lines the rows' right columns up with the k columns found.",
    next_step="Give `relevant` a second axis: `relevant[:, None]`.",
)


@mistake(
    RECALL, "k_must_fit", stage="raises",
    diagnosis="topk refuses a k above the number of columns.",
    next_step="Ask for min(k, M).",
)
def recall_at_k(similarity, relevant, k):
    top = similarity.topk(k, dim=1).indices
    return (top == relevant[:, None]).any(dim=1).double().mean().item()


@mistake(
    RECALL, "squeeze_loses_the_places", stage="values",
    diagnosis="`squeeze()` removes every axis of length 1: with k = 1 each row is compared with the answers of all rows.",
    next_step="Leave `squeeze()` out.",
)
def recall_at_k(similarity, relevant, k):
    top = similarity.topk(min(k, similarity.shape[1]), dim=1).indices.squeeze()
    return (top == relevant[:, None]).any(dim=1).double().mean().item()


@mistake(
    RECALL, "above_a_threshold", stage="values",
    diagnosis="Only similarities above 0 count as found; the rank decides, not the size.",
    next_step="Compare ranks, or similarities within one row.",
)
def recall_at_k(similarity, relevant, k):
    values, top = similarity.topk(min(k, similarity.shape[1]), dim=1)
    return ((top == relevant[:, None]) & (values > 0)).any(dim=1).double().mean().item()


@mistake(
    RECALL, "rounds_to_float32", stage="values",
    diagnosis="Similarities that differ in the tenth digit count as equal, in float32 or by a tolerance.",
    next_step="Compare as they come in: without `.float()`, and without adding anything.",
)
def recall_at_k(similarity, relevant, k):
    similarity = similarity.float()
    own = similarity.gather(1, relevant[:, None])
    return ((similarity > own).sum(dim=1) < k).double().mean().item()


@mistake(
    RECALL, "top_k_of_float32", stage="values",
    diagnosis="topk of float32 values picks any of those that differ in the tenth digit only.",
    next_step="Leave `.float()` out: compare in the type that comes in.",
)
def recall_at_k(similarity, relevant, k):
    top = similarity.float().topk(min(k, similarity.shape[1]), dim=1).indices
    return (top == relevant[:, None]).any(dim=1).double().mean().item()


altered(
    RECALL, "yes_or_no_for_each_row", "precision", {".double().mean().item()": ".any(dim=1)"}, stage="shape",
    diagnosis="A yes or no for each row comes back; their mean was asked for.",
    next_step="Convert to floating numbers and take the mean.",
)


@mistake(
    RECALL, "reciprocal_rank", stage="values",
    diagnosis="A hit counts 1 / rank: that is the reciprocal rank, cut at k. Here every hit counts 1.",
    next_step="Within the first k ranks the rank does not matter.",
)
def recall_at_k(similarity, relevant, k):
    own = similarity.gather(1, relevant[:, None])
    rank = 1 + (similarity > own).sum(dim=1)
    return torch.where(rank <= k, 1 / rank.double(), 0.0).mean().item()


@mistake(
    RECALL, "blanks_out_in_place", stage="property",
    diagnosis="The caller's similarities are overwritten while the best columns are taken out one by one.",
    next_step="Work on a clone, or use topk.",
)
def recall_at_k(similarity, relevant, k):
    rows = torch.arange(len(similarity))
    found = torch.zeros(len(similarity), dtype=torch.bool)
    for _ in range(min(k, similarity.shape[1])):
        best = similarity.argmax(dim=1)
        found |= best == relevant
        similarity[rows, best] = -float("inf")
    return found.double().mean().item()


@mistake(
    RECALL, "best_of_the_whole_table", stage="values",
    diagnosis="The N * k most similar entries of the whole table are taken; each row has k best columns of its own.",
    next_step="topk along `dim=1`, without flattening.",
)
def recall_at_k(similarity, relevant, k):
    n, m = similarity.shape
    best = similarity.flatten().topk(n * min(k, m)).indices
    return torch.isin(torch.arange(n) * m + relevant, best).double().mean().item()


@mistake(
    RECALL, "equal_columns_count_once", stage="values",
    diagnosis="Equal similarities count as one rank: a set of them has lost how many columns there are.",
    next_step="Count the columns that are more similar than the right one, equal ones each by itself.",
)
def recall_at_k(similarity, relevant, k):
    hits = 0
    for row, column in zip(similarity.tolist(), relevant.tolist()):
        hits += sorted(set(row), reverse=True).index(row[column]) < k
    return hits / len(relevant)


@mistake(
    RECALL, "only_the_last_of_the_k_places", stage="values",
    diagnosis="Only the place number k counts; every place from 1 to k does.",
    next_step="Ask whether the relevant column is any of the first k.",
)
def recall_at_k(similarity, relevant, k):
    order = similarity.argsort(dim=1, descending=True)
    return (order[:, min(k, order.shape[1]) - 1] == relevant).double().mean().item()


@mistake(
    RECALL, "first_place_skipped", stage="values",
    diagnosis="The most similar column is skipped, as if it were the query itself; here it is a candidate like any other.",
    next_step="Take the first k places from place 0 on.",
)
def recall_at_k(similarity, relevant, k):
    order = similarity.argsort(dim=1, descending=True)[:, 1 : k + 1]
    return (order == relevant[:, None]).any(dim=1).double().mean().item()


@right_form(RECALL, "loop_of_lists")
def recall_at_k(similarity, relevant, k):
    hits = 0
    for row, right in zip(similarity.tolist(), relevant.tolist()):
        order = sorted(range(len(row)), key=row.__getitem__, reverse=True)
        hits += right in order[:k]
    return hits / len(relevant)


@right_form(RECALL, "counting_the_better_ones")
def recall_at_k(similarity, relevant, k, verbose=False):
    own = similarity[torch.arange(len(similarity)), relevant].unsqueeze(-1)
    return ((similarity > own).sum(-1) < k).float().mean()


@right_form(RECALL, "numpy_inside")
def recall_at_k(similarity, relevant, k):
    order = np.argsort(-similarity.numpy(), axis=1)[:, :k]
    return np.mean(np.any(order == relevant.numpy()[:, None], axis=1))


@right_form(RECALL, "argsort_and_position")
def recall_at_k(similarity, relevant, k):
    order = torch.argsort(similarity, dim=-1, descending=True)
    position = (order == relevant.view(-1, 1)).int().argmax(dim=1)
    print(position)
    return torch.mean((position < k).to(torch.float64))


@right_form(RECALL, "zero_dimensional_sum")
def recall_at_k(similarity, relevant, k):
    top = torch.topk(similarity, min(k, similarity.size(1))).indices
    return sum((top[i] == relevant[i]).any().float() for i in range(len(relevant))) / len(relevant)
