# exercise 09.recall_at_k
import numpy as np
import torch


# mistake precision (values)
# The hits are divided by k as well: that is precision. With one right column a row's recall is 0 or 1.
# Next: Divide the number of hits by the number of rows alone.
def recall_at_k(similarity, relevant, k):
    top = similarity.topk(min(k, similarity.shape[1]), dim=1).indices
    return (top == relevant[:, None]).double().mean().item()


# mistake divided_by_columns (values), from precision
# The hits are divided by the number of columns; it is a fraction of the rows.
# Next: Divide by N, the number of rows.
#   (top == relevant[:, None]).double().mean().item() => (top == relevant[:, None]).sum().item() / similarity.shape[1]

# mistake number_of_hits (values), from precision
# The hits are counted, not averaged over the rows.
# Next: Take the mean over the rows.
#   (top == relevant[:, None]).double().mean().item() => float((top == relevant[:, None]).any(dim=1).sum())

# mistake per_cent (values), from precision
# This is in per cent; a fraction lies between 0 and 1.
# Next: Leave the factor 100 out.
#   (top == relevant[:, None]).double().mean().item() => 100 * (top == relevant[:, None]).any(dim=1).double().mean().item()


# mistake the_first_place_only (values)
# Only the most similar column is looked at, whatever k is.
# Next: Use k: any of the first k ranks counts.
def recall_at_k(similarity, relevant, k):
    return (similarity.argmax(dim=1) == relevant).double().mean().item()


# mistake the_least_similar (values)
# The right columns are hardly ever among these k: argsort alone puts the least similar first.
# Next: Sort with `descending=True`, or use topk.
def recall_at_k(similarity, relevant, k):
    top = similarity.argsort(dim=1)[:, :k]
    return (top == relevant[:, None]).any(dim=1).double().mean().item()


# base plain
def recall_at_k(similarity, relevant, k):
    own = similarity.gather(1, relevant[:, None])
    return ((similarity > own).sum(dim=1) < k).double().mean().item()


# mistake one_place_too_many (values), from plain
# The rank k + 1 still counts.
# Next: The right column is found when fewer than k columns are more similar.
#   (similarity > own).sum(dim=1) < k => (similarity > own).sum(dim=1) <= k

# mistake one_place_too_few (values), from plain
# The rank k no longer counts.
# Next: The right column is found when fewer than k columns are more similar; it is not more similar than itself.
#   similarity > own => similarity >= own


# mistake down_the_columns (values, raises)
# The search runs down each column; each row is a query.
# Next: Use `dim=1` in topk.
def recall_at_k(similarity, relevant, k):
    top = similarity.topk(min(k, len(similarity)), dim=0).indices.T
    return (top[: len(relevant)] == relevant[: len(top), None]).any(dim=1).double().mean().item()


# mistake right_column_on_the_diagonal (values), from precision
# Row i's right column is taken to be column i; `relevant` says which it is.
# Next: Compare with `relevant[:, None]`.
#   (top == relevant[:, None]).double => (top == torch.arange(len(similarity))[:, None]).any(dim=1).double

# mistake right_for_any_row (values), from precision
# A column counts when it is right for any row of the table; each row has its own.
# Next: Compare row with row: `relevant[:, None]`.
#   (top == relevant[:, None]).double => torch.isin(top, relevant).any(dim=1).double

# mistake broadcast_the_wrong_way (raises), from precision
# `top == relevant` lines the rows' right columns up with the k columns found.
# Next: Give `relevant` a second axis: `relevant[:, None]`.
#   (top == relevant[:, None]).double => (top == relevant).any(dim=1).double

# mistake k_must_fit (raises), from precision
# topk refuses a k above the number of columns.
# Next: Ask for min(k, M).
#   min(k, similarity.shape[1]) => k
#   (top == relevant[:, None]).double => (top == relevant[:, None]).any(dim=1).double

# mistake squeeze_loses_the_places (values), from precision
# `squeeze()` removes every axis of length 1: with k = 1 each row is compared with the answers of all rows.
# Next: Leave `squeeze()` out.
#   indices => indices.squeeze()
#   (top == relevant[:, None]).double => (top == relevant[:, None]).any(dim=1).double


# mistake above_a_threshold (values)
# Only similarities above 0 count as found; the rank decides, not the size.
# Next: Compare ranks, or similarities within one row.
def recall_at_k(similarity, relevant, k):
    values, top = similarity.topk(min(k, similarity.shape[1]), dim=1)
    return ((top == relevant[:, None]) & (values > 0)).any(dim=1).double().mean().item()


# mistake rounds_to_float32 (values), from plain
# Similarities that differ in the tenth digit count as equal, in float32 or by a tolerance.
# Next: Compare as they come in: without `.float()`, and without adding anything.
#    def recall_at_k(similarity, relevant, k):
#   +    similarity = similarity.float()

# mistake top_k_of_float32 (values), from precision
# topk of float32 values picks any of those that differ in the tenth digit only.
# Next: Leave `.float()` out: compare in the type that comes in.
#   similarity.topk => similarity.float().topk
#   (top == relevant[:, None]).double => (top == relevant[:, None]).any(dim=1).double

# mistake yes_or_no_for_each_row (shape), from precision
# A yes or no for each row comes back; their mean was asked for.
# Next: Convert to floating numbers and take the mean.
#   (top == relevant[:, None]).double().mean().item() => (top == relevant[:, None]).any(dim=1)


# mistake one_number_in_a_row (shape), from plain
# The result has the shape (1,); a single number has no axis.
# Next: Take the mean without `keepdim`, or return `[0]` of what you have.
#   -    return ((similarity > own).sum(dim=1) < k).double().mean().item()
#   +    return ((similarity > own).sum(dim=1) < k).double().mean(dim=0, keepdim=True)


# mistake reciprocal_rank (values)
# A hit counts 1 / rank: that is the reciprocal rank, cut at k. Here every hit counts 1.
# Next: Within the first k ranks the rank does not matter.
def recall_at_k(similarity, relevant, k):
    own = similarity.gather(1, relevant[:, None])
    rank = 1 + (similarity > own).sum(dim=1)
    return torch.where(rank <= k, 1 / rank.double(), 0.0).mean().item()


# mistake blanks_out_in_place (property)
# The caller's similarities are overwritten while the best columns are taken out one by one.
# Next: Work on a clone, or use topk.
def recall_at_k(similarity, relevant, k):
    rows = torch.arange(len(similarity))
    found = torch.zeros(len(similarity), dtype=torch.bool)
    for _ in range(min(k, similarity.shape[1])):
        best = similarity.argmax(dim=1)
        found |= best == relevant
        similarity[rows, best] = -float("inf")
    return found.double().mean().item()


# mistake best_of_the_whole_table (values)
# The N * k most similar entries of the whole table are taken; each row has k best columns of its own.
# Next: topk along `dim=1`, without flattening.
def recall_at_k(similarity, relevant, k):
    n, m = similarity.shape
    best = similarity.flatten().topk(n * min(k, m)).indices
    return torch.isin(torch.arange(n) * m + relevant, best).double().mean().item()


# mistake equal_columns_count_once (values)
# Equal similarities count as one rank: a set of them has lost how many columns there are.
# Next: Count the columns that are more similar than the right one, equal ones each by itself.
def recall_at_k(similarity, relevant, k):
    hits = 0
    for row, column in zip(similarity.tolist(), relevant.tolist()):
        hits += sorted(set(row), reverse=True).index(row[column]) < k
    return hits / len(relevant)


# mistake only_the_last_of_the_k_places (values)
# Only the place number k counts; every place from 1 to k does.
# Next: Ask whether the relevant column is any of the first k.
def recall_at_k(similarity, relevant, k):
    order = similarity.argsort(dim=1, descending=True)
    return (order[:, min(k, order.shape[1]) - 1] == relevant).double().mean().item()


# mistake first_place_skipped (values)
# The most similar column is skipped, as if it were the query itself; here it is a candidate like any other.
# Next: Take the first k places from place 0 on.
def recall_at_k(similarity, relevant, k):
    order = similarity.argsort(dim=1, descending=True)[:, 1 : k + 1]
    return (order == relevant[:, None]).any(dim=1).double().mean().item()


# right form loop_of_lists
def recall_at_k(similarity, relevant, k):
    hits = 0
    for row, right in zip(similarity.tolist(), relevant.tolist()):
        order = sorted(range(len(row)), key=row.__getitem__, reverse=True)
        hits += right in order[:k]
    return hits / len(relevant)


# right form counting_the_better_ones
def recall_at_k(similarity, relevant, k, verbose=False):
    own = similarity[torch.arange(len(similarity)), relevant].unsqueeze(-1)
    return ((similarity > own).sum(-1) < k).float().mean()


# right form numpy_inside
def recall_at_k(similarity, relevant, k):
    order = np.argsort(-similarity.numpy(), axis=1)[:, :k]
    return np.mean(np.any(order == relevant.numpy()[:, None], axis=1))


# right form argsort_and_position
def recall_at_k(similarity, relevant, k):
    order = torch.argsort(similarity, dim=-1, descending=True)
    position = (order == relevant.view(-1, 1)).int().argmax(dim=1)
    print(position)
    return torch.mean((position < k).to(torch.float64))


# right form zero_dimensional_sum
def recall_at_k(similarity, relevant, k):
    top = torch.topk(similarity, min(k, similarity.size(1))).indices
    return sum((top[i] == relevant[i]).any().float() for i in range(len(relevant))) / len(relevant)
