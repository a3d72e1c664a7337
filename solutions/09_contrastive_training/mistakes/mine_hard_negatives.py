"""Wrong answers about hard negatives by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, mistake, right_form

MINE = "09.mine_hard_negatives"


@mistake(
    MINE, "only_the_positive_left_out", stage="values",
    diagnosis="Only the positive is left out; columns more similar than it are taken as negatives.",
    next_step="Leave out every column that is not strictly below the positive.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    out = F.one_hot(positives, similarity.shape[1]).bool()
    if margin > 0:
        out = out | (similarity >= own - margin)
    values, columns = similarity.masked_fill(out, float("-inf")).topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "plain_top_k", stage="values",
    diagnosis="These are the most similar columns of all, the positive among them.",
    next_step="First leave out what is not strictly below the positive.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    columns = similarity.topk(min(k, similarity.shape[1]), dim=1).indices
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "margin_ignored", stage="values",
    diagnosis="The margin is never used.",
    next_step="The threshold is the positive's similarity minus the margin.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    qualified = similarity.masked_fill(similarity >= own, float("-inf"))
    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "margin_added", stage="values",
    diagnosis="The margin is added to the positive's similarity, so that more columns qualify, not fewer.",
    next_step="Subtract it: negatives must stay further below.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    out = (similarity >= own + margin) | F.one_hot(positives, similarity.shape[1]).bool()
    values, columns = similarity.masked_fill(out, float("-inf")).topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


altered(
    MINE, "margin_as_a_share", "margin_ignored",
    {"(1, positives[:, None])": "(1, positives[:, None]) * (1 - margin)"},
    stage="values",
    diagnosis="The margin is taken as a fraction of the positive's similarity; it is an amount to subtract.",
    next_step="The threshold is the positive's similarity minus the margin.",
)


@mistake(
    MINE, "at_the_threshold_too", stage="values",
    diagnosis="A column exactly at the threshold is taken; strictly below was asked for.",
    next_step="Use `<`, not `<=`; the positive itself is then out in any case.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    out = (similarity > own - margin) | F.one_hot(positives, similarity.shape[1]).bool()
    values, columns = similarity.masked_fill(out, float("-inf")).topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "the_easiest_ones", stage="values",
    diagnosis="The least similar columns are taken: the easiest negatives, not the hardest.",
    next_step="Take the largest similarities among those that qualify.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    distance = (-similarity).masked_fill(similarity >= own - margin, float("-inf"))
    values, columns = distance.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


altered(
    MINE, "near_the_positive_from_above", "margin_ignored", {">= own": "<= own + margin"}, stage="values",
    diagnosis="The columns above the positive are taken; negatives are to lie below it.",
    next_step="A column qualifies when its similarity is strictly below the positive's.",
)


@mistake(
    MINE, "positives_on_the_diagonal", stage="values",
    diagnosis="Row i's positive is taken to be column i; `positives` says which column it is.",
    next_step="Use `similarity[torch.arange(N), positives]`.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    n, m = similarity.shape
    own = similarity[torch.arange(n), torch.arange(n) % m][:, None]
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values, columns = qualified.topk(min(k, m), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "columns_of_the_positives", stage="raises",
    diagnosis="`similarity[:, positives]` picks whole columns, (N, N); each row has one positive.",
    next_step="Index with two tensors, `similarity[torch.arange(N), positives]`, or use `gather`.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity[:, positives]
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "one_threshold_for_all_rows", stage="values",
    diagnosis="All rows share one threshold, the least similar positive; each row has a positive of its own.",
    next_step="Keep the thresholds as a column, (N, 1).",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None]).min()
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "missing_ones_filled_up", stage="values",
    diagnosis="Where too few columns qualify, others that do not are returned instead of -1.",
    next_step="Look at the values that topk returns beside the columns: -inf means that there is none.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    columns = qualified.topk(min(k, similarity.shape[1]), dim=1).indices
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "missing_ones_are_0", stage="values",
    diagnosis="Missing columns are filled with 0, which is a column; -1 was asked for.",
    next_step="Start from a tensor full of -1.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = torch.zeros(len(similarity), k, dtype=torch.long)
    for row, own in enumerate(positives):
        order = similarity[row].argsort(descending=True)
        kept = order[similarity[row, order] < similarity[row, own] - margin][:k]
        found[row, : len(kept)] = kept
    return found


@mistake(
    MINE, "no_more_than_columns", stage="raises",
    diagnosis="topk refuses a k above the number of columns.",
    next_step="Ask for min(k, M), and fill up to k with -1.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values, columns = qualified.topk(k, dim=1)
    return columns.masked_fill(values == float("-inf"), -1)


@mistake(
    MINE, "narrow_when_k_is_large", stage="shape",
    diagnosis="With k above the number of columns the result has M columns; it always has k.",
    next_step="Fill up with -1.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
    return columns.masked_fill(values == float("-inf"), -1)


@mistake(
    MINE, "lists_of_different_lengths", stage="type",
    diagnosis="A list of lists comes back; asked for is a tensor of shape (N, k), filled up with -1.",
    next_step="Write each row's columns into a tensor full of -1.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = []
    for row, own in enumerate(positives):
        order = similarity[row].argsort(descending=True)
        found.append(order[similarity[row, order] < similarity[row, own] - margin][:k].tolist())
    return found


@mistake(
    MINE, "places_among_the_qualified", stage="values",
    diagnosis="These are indices in the shortened row, after columns were dropped; asked for are column indices.",
    next_step="Blank columns out (-inf) instead of dropping them, or translate the indices back.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = torch.full((len(similarity), k), -1)
    for row, own in enumerate(positives):
        kept = similarity[row][similarity[row] < similarity[row, own] - margin]
        places = kept.topk(min(k, len(kept))).indices
        found[row, : len(places)] = places
    return found


@mistake(
    MINE, "similarities_instead_of_columns", stage="dtype",
    diagnosis="The similarities come back; asked for are the columns where they stand.",
    next_step="topk returns values and indices: take the indices.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values = qualified.topk(min(k, similarity.shape[1]), dim=1).values
    values = values.masked_fill(values == float("-inf"), -1)
    return F.pad(values, (0, k - values.shape[1]), value=-1)


altered(
    MINE, "blanked_out_with_0", "margin_ignored",
    {
        'similarity.masked_fill(similarity >= own, float("-inf"))': "similarity * (similarity < own - margin)",
        'float("-inf"),': "0,",
    },
    stage="values",
    diagnosis="Columns that do not qualify get the similarity 0, which beats every negative similarity.",
    next_step="Blank out with -inf.",
)

altered(
    MINE, "blanked_out_with_minus_one", "margin_ignored",
    {', float("-inf")': " - margin, -1.5", 'float("-inf"),': "-1.5,"},
    stage="values",
    diagnosis="-1 is blanked in, as if all similarities were cosines well above it; some are lower.",
    next_step="Blank out with -inf.",
)


@mistake(
    MINE, "along_the_columns", stage="shape",
    diagnosis="The search runs down each column; every row looks for its own negatives.",
    next_step="Use `dim=1` in topk.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values, rows = qualified.topk(min(k, len(similarity)), dim=0)
    rows = rows.masked_fill(values == float("-inf"), -1)
    return F.pad(rows.T, (0, k - rows.shape[0]), value=-1)


@mistake(
    MINE, "blanks_out_in_place", stage="property",
    diagnosis="-inf is written into the caller's similarities.",
    next_step="Use `masked_fill` without the underscore, or work on a clone.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    similarity[similarity >= own - margin] = float("-inf")
    values, columns = similarity.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@mistake(
    MINE, "rounds_to_float32", stage="values",
    diagnosis="Similarities that differ in the tenth digit become equal in float32.",
    next_step="Leave `.float()` out: compare in the type that comes in.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    similarity = similarity.float()
    own = similarity.gather(1, positives[:, None])
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


altered(
    MINE, "a_small_safety_distance", "margin_ignored", {"= own": " own - margin - 1e-6"}, stage="values",
    diagnosis="A small number is subtracted from the threshold, so that columns just below the positive are lost.",
    next_step="Strictly below needs no safety distance: use `<`.",
)


@mistake(
    MINE, "all_that_is_sorted_behind_it", stage="values",
    diagnosis="What the sort puts behind the positive is taken, also a column exactly as similar as it.",
    next_step="Compare the similarities themselves: strictly below the positive's.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = torch.full((len(similarity), k), -1)
    for n, row in enumerate(similarity):
        order = row.argsort(descending=True).tolist()
        behind = order[order.index(positives[n].item()) + 1 :]
        if margin:
            behind = [column for column in behind if row[column] < row[positives[n]] - margin]
        found[n, : len(behind[:k])] = torch.tensor(behind[:k], dtype=torch.int64)
    return found


altered(
    MINE, "a_default_margin", "margin_ignored",
    {"similarity, positives, k, margin=0.0):": "similarity, positives, k, margin=0.05):", "own,": "own - margin,"},
    stage="values",
    diagnosis="The default margin is not 0, so that columns just below the positive are lost where no margin was given.",
    next_step="Write `margin=0.0` into the signature, as in the task.",
)


@mistake(
    MINE, "looked_up_by_similarity", stage="values",
    diagnosis="Columns are looked up by their similarity: of two equal ones the first is named twice.",
    next_step="Sort the indices of the columns by similarity, not the similarities alone.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = []
    for row, own in zip(similarity.tolist(), positives.tolist()):
        below = sorted((value for value in row if value < row[own] - margin), reverse=True)[:k]
        found.append([row.index(value) for value in below] + [-1] * (k - len(below)))
    return torch.tensor(found)


@mistake(
    MINE, "a_dict_of_similarities", stage="values",
    diagnosis="A dict with the similarities as keys holds one column for each: of two equal ones the first is lost.",
    next_step="Keep (similarity, column) pairs in a list.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = []
    for row, own in zip(similarity.tolist(), positives.tolist()):
        columns = {value: column for column, value in enumerate(row) if value < row[own] - margin}
        best = [columns[value] for value in sorted(columns, reverse=True)][:k]
        found.append(best + [-1] * (k - len(best)))
    return torch.tensor(found)


@mistake(
    MINE, "the_positive_itself", stage="values",
    diagnosis="Only columns above the threshold are left out. The positive lies exactly on it, and comes back as a negative.",
    next_step="A column qualifies when it is strictly below: leave out with `>=`, not with `>`.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    limit = similarity.gather(1, positives[:, None]) - margin
    qualified = similarity.masked_fill(similarity > limit, float("-inf"))
    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


@right_form(MINE, "row_by_row_lists")
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = []
    for scores, own in zip(similarity.tolist(), positives.tolist()):
        limit = scores[own] - margin
        below = sorted((j for j, score in enumerate(scores) if score < limit), key=lambda j: -scores[j])[:k]
        found.append(below + [-1] * (k - len(below)))
    return torch.tensor(found)


@right_form(MINE, "weakest_first_missing_in_front")
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    n, m = similarity.shape
    own = similarity[range(n), positives].unsqueeze(1)
    scores = torch.where(similarity < own - margin, similarity, torch.full_like(similarity, -torch.inf))
    scores = torch.cat([torch.full((n, k), -torch.inf, dtype=scores.dtype), scores], dim=1)
    order = scores.argsort(dim=1)[:, -k:]
    return torch.where(scores.gather(1, order).isinf(), -1, order - k)


@right_form(MINE, "numpy_inside")
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    s = similarity.numpy()
    limit = s[np.arange(len(s)), positives.numpy()] - margin
    found = np.full((len(s), k), -1, dtype=np.int64)
    for i, row in enumerate(s):
        order = np.argsort(-row)
        kept = order[row[order] < limit[i]][:k]
        found[i, : len(kept)] = kept
    return torch.from_numpy(found)


@right_form(MINE, "everything_sorted")
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives.unsqueeze(1))
    fits = similarity < own - margin
    order = torch.where(fits, similarity.double(), -1e30).argsort(dim=1, descending=True)
    order = torch.where(fits.gather(1, order), order, -1)
    wide = torch.full((len(order), max(k, order.shape[1])), -1, dtype=torch.int64)
    wide[:, : order.shape[1]] = order
    return wide[:, :k]


@right_form(MINE, "one_after_the_other")
def mine_hard_negatives(similarity, positives, k, margin=0.0, *, quiet=True):
    rows = torch.arange(len(similarity))
    scores = similarity.clone().double()
    scores[similarity >= (similarity[rows, positives] - margin)[:, None]] = -float("inf")
    found = []
    for _ in range(k):
        best, column = scores.max(dim=1)
        found.append(torch.where(best > -float("inf"), column, torch.tensor(-1)))
        scores[rows, column] = -float("inf")
    return torch.stack(found, dim=1)


@mistake(
    MINE, "only_among_the_first", stage="values",
    diagnosis="The k + 20 most similar columns are searched, and those that do not qualify crossed out afterwards. A positive "
    "further down leaves too few.",
    next_step="Put -inf where a column does not qualify, before you search.",
)
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    limit = similarity.gather(1, positives[:, None]) - margin
    found = torch.full((len(similarity), k), -1)
    for row, best in enumerate(similarity.argsort(dim=1, descending=True)[:, : k + 20]):
        below = best[similarity[row, best] < limit[row]][:k]
        found[row, : len(below)] = below
    return found
