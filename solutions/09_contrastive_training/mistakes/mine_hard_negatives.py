# exercise 09.mine_hard_negatives
import numpy as np
import torch
import torch.nn.functional as F


# base plain
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives[:, None])
    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


# mistake only_the_positive_left_out (values), from plain
# Only the positive is left out; columns more similar than it are taken as negatives.
# Next: Leave out every column that is not strictly below the positive.
#   -    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
#   +    out = F.one_hot(positives, similarity.shape[1]).bool()
#   +    if margin > 0:
#   +        out = out | (similarity >= own - margin)
#   qualified.topk => similarity.masked_fill(out, float("-inf")).topk


# mistake plain_top_k (values)
# These are the most similar columns of all, the positive among them.
# Next: First leave out what is not strictly below the positive.
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    columns = similarity.topk(min(k, similarity.shape[1]), dim=1).indices
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)


# mistake margin_ignored (values), from plain
# The margin is never used.
# Next: The threshold is the positive's similarity minus the margin.
#   own - margin => own

# mistake margin_added (values), from plain
# The margin is added to the positive's similarity, so that more columns qualify, not fewer.
# Next: Subtract it: negatives must stay further below.
#   -    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
#   +    out = (similarity >= own + margin) | F.one_hot(positives, similarity.shape[1]).bool()
#   qualified.topk => similarity.masked_fill(out, float("-inf")).topk

# mistake margin_as_a_share (values), from plain
# The margin is taken as a fraction of the positive's similarity; it is an amount to subtract.
# Next: The threshold is the positive's similarity minus the margin.
#   similarity.gather(1, positives[:, None]) => similarity.gather(1, positives[:, None]) * (1 - margin)
#   own - margin => own

# mistake at_the_threshold_too (values), from plain
# A column exactly at the threshold is taken; strictly below was asked for.
# Next: Use `<`, not `<=`; the positive itself is then out in any case.
#   -    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
#   +    out = (similarity > own - margin) | F.one_hot(positives, similarity.shape[1]).bool()
#   qualified.topk => similarity.masked_fill(out, float("-inf")).topk

# mistake the_easiest_ones (values), from plain
# The least similar columns are taken: the easiest negatives, not the hardest.
# Next: Take the largest similarities among those that qualify.
#   -    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
#   +    distance = (-similarity).masked_fill(similarity >= own - margin, float("-inf"))
#   qualified.topk => distance.topk

# mistake near_the_positive_from_above (values), from plain
# The columns above the positive are taken; negatives are to lie below it.
# Next: A column qualifies when its similarity is strictly below the positive's.
#   similarity >= own - margin => similarity <= own + margin

# mistake positives_on_the_diagonal (values), from plain
# Row i's positive is taken to be column i; `positives` says which column it is.
# Next: Use `similarity[torch.arange(N), positives]`.
#   -    own = similarity.gather(1, positives[:, None])
#   +    n, m = similarity.shape
#   +    own = similarity[torch.arange(n), torch.arange(n) % m][:, None]
#   similarity.shape[1] => m

# mistake columns_of_the_positives (raises), from plain
# `similarity[:, positives]` picks whole columns, (N, N); each row has one positive.
# Next: Index with two tensors, `similarity[torch.arange(N), positives]`, or use `gather`.
#   similarity.gather(1, positives[:, None]) => similarity[:, positives]

# mistake one_threshold_for_all_rows (values), from plain
# All rows share one threshold, the least similar positive; each row has a positive of its own.
# Next: Keep the thresholds as a column, (N, 1).
#   similarity.gather(1, positives[:, None]) => similarity.gather(1, positives[:, None]).min()

# mistake missing_ones_filled_up (values), from plain
# Where too few columns qualify, others that do not are returned instead of -1.
# Next: Look at the values that topk returns beside the columns: -inf means that there is none.
#   -    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
#   -    columns = columns.masked_fill(values == float("-inf"), -1)
#   +    columns = qualified.topk(min(k, similarity.shape[1]), dim=1).indices


# mistake missing_ones_are_0 (values)
# Missing columns are filled with 0, which is a column; -1 was asked for.
# Next: Start from a tensor full of -1.
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = torch.zeros(len(similarity), k, dtype=torch.long)
    for row, own in enumerate(positives):
        order = similarity[row].argsort(descending=True)
        kept = order[similarity[row, order] < similarity[row, own] - margin][:k]
        found[row, : len(kept)] = kept
    return found


# mistake no_more_than_columns (raises), from plain
# topk refuses a k above the number of columns.
# Next: Ask for min(k, M), and fill up to k with -1.
#   min(k, similarity.shape[1]) => k
#   columns = columns.masked_fill(values == float("-inf"), -1) => return columns.masked_fill(values == float("-inf"), -1)
#   -    return F.pad(columns, (0, k - columns.shape[1]), value=-1)

# mistake narrow_when_k_is_large (shape), from plain
# With k above the number of columns the result has M columns; it always has k.
# Next: Fill up with -1.
#   -    columns = columns.masked_fill(values == float("-inf"), -1)
#   -    return F.pad(columns, (0, k - columns.shape[1]), value=-1)
#   +    return columns.masked_fill(values == float("-inf"), -1)


# mistake lists_of_different_lengths (type)
# A list of lists comes back, but the exercise asks for a tensor of shape (N, k), filled up with -1.
# Next: Write each row's columns into a tensor full of -1.
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = []
    for row, own in enumerate(positives):
        order = similarity[row].argsort(descending=True)
        found.append(order[similarity[row, order] < similarity[row, own] - margin][:k].tolist())
    return found


# mistake places_among_the_qualified (values)
# These are indices in the shortened row, after columns were dropped, but the exercise asks for column indices.
# Next: Blank columns out (-inf) instead of dropping them, or translate the indices back.
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = torch.full((len(similarity), k), -1)
    for row, own in enumerate(positives):
        kept = similarity[row][similarity[row] < similarity[row, own] - margin]
        places = kept.topk(min(k, len(kept))).indices
        found[row, : len(places)] = places
    return found


# mistake similarities_instead_of_columns (dtype), from plain
# The similarities come back, but the exercise asks for the columns where they stand.
# Next: topk returns values and indices: take the indices.
#   -    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
#   +    values = qualified.topk(min(k, similarity.shape[1]), dim=1).values
#   columns = columns.masked_fill(values == float("-inf"), -1) => values = values.masked_fill(values == float("-inf"), -1)
#   columns, (0, k - columns.shape[1]) => values, (0, k - values.shape[1])

# mistake blanked_out_with_0 (values), from plain
# Columns that do not qualify get the similarity 0, which beats every negative similarity.
# Next: Blank out with -inf.
#   similarity.masked_fill(similarity >= own - margin, float("-inf")) => similarity * (similarity < own - margin)
#   values == float("-inf") => values == 0

# mistake blanked_out_with_minus_one (values), from plain
# -1 is blanked in, as if all similarities were cosines well above it; some are lower.
# Next: Blank out with -inf.
#   -    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
#   +    qualified = similarity.masked_fill(similarity >= own - margin, -1.5)
#   values == float("-inf") => values == -1.5

# mistake along_the_columns (shape), from plain
# The search runs down each column; every row looks for its own negatives.
# Next: Use `dim=1` in topk.
#   columns = qualified.topk(min(k, similarity.shape[1]), dim=1 => rows = qualified.topk(min(k, len(similarity)), dim=0
#   columns = columns.masked_fill(values == float("-inf"), -1) => rows = rows.masked_fill(values == float("-inf"), -1)
#   columns, (0, k - columns.shape[1]) => rows.T, (0, k - rows.shape[0])

# mistake blanks_out_in_place (property), from plain
# -inf is written into the caller's similarities.
# Next: Use `masked_fill` without the underscore, or work on a clone.
#   -    qualified = similarity.masked_fill(similarity >= own - margin, float("-inf"))
#   +    similarity[similarity >= own - margin] = float("-inf")
#   qualified.topk => similarity.topk

# mistake rounds_to_float32 (values), from plain
# Similarities that differ in the tenth digit become equal in float32.
# Next: Leave `.float()` out: compare in the type that comes in.
#    def mine_hard_negatives(similarity, positives, k, margin=0.0):
#   +    similarity = similarity.float()

# mistake a_small_safety_distance (values), from plain
# A small number is subtracted from the threshold, so that columns just below the positive are lost.
# Next: Strictly below needs no safety distance: use `<`.
#   similarity >= own - margin => similarity > own - margin - 1e-6


# mistake all_that_is_sorted_behind_it (values)
# What the sort puts behind the positive is taken, also a column exactly as similar as it.
# Next: Compare the similarities themselves: strictly below the positive's.
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = torch.full((len(similarity), k), -1)
    for n, row in enumerate(similarity):
        order = row.argsort(descending=True).tolist()
        behind = order[order.index(positives[n].item()) + 1 :]
        if margin:
            behind = [column for column in behind if row[column] < row[positives[n]] - margin]
        found[n, : len(behind[:k])] = torch.tensor(behind[:k], dtype=torch.int64)
    return found


# mistake a_default_margin (values), from plain
# The default margin is not 0, so that columns just below the positive are lost where no margin was given.
# Next: Write `margin=0.0` into the signature, as in the task.
#   similarity, positives, k, margin=0.0 => similarity, positives, k, margin=0.05


# mistake looked_up_by_similarity (values)
# Columns are looked up by their similarity: of two equal ones the first is named twice.
# Next: Sort the indices of the columns by similarity, not the similarities alone.
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = []
    for row, own in zip(similarity.tolist(), positives.tolist()):
        below = sorted((value for value in row if value < row[own] - margin), reverse=True)[:k]
        found.append([row.index(value) for value in below] + [-1] * (k - len(below)))
    return torch.tensor(found)


# mistake a_dict_of_similarities (values)
# A dict with the similarities as keys holds one column for each: of two equal ones the first is lost.
# Next: Keep (similarity, column) pairs in a list.
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = []
    for row, own in zip(similarity.tolist(), positives.tolist()):
        columns = {value: column for column, value in enumerate(row) if value < row[own] - margin}
        best = [columns[value] for value in sorted(columns, reverse=True)][:k]
        found.append(best + [-1] * (k - len(best)))
    return torch.tensor(found)


# mistake the_positive_itself (values), from plain
# Only columns above the threshold are left out. The positive lies exactly on it, and comes back as a negative.
# Next: A column qualifies when it is strictly below: leave out with `>=`, not with `>`.
#   own = similarity.gather(1, positives[:, None]) => limit = similarity.gather(1, positives[:, None]) - margin
#   similarity >= own - margin => similarity > limit


# right form row_by_row_lists
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    found = []
    for scores, own in zip(similarity.tolist(), positives.tolist()):
        limit = scores[own] - margin
        below = sorted((j for j, score in enumerate(scores) if score < limit), key=lambda j: -scores[j])[:k]
        found.append(below + [-1] * (k - len(below)))
    return torch.tensor(found)


# right form weakest_first_missing_in_front
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    n, m = similarity.shape
    own = similarity[range(n), positives].unsqueeze(1)
    scores = torch.where(similarity < own - margin, similarity, torch.full_like(similarity, -torch.inf))
    scores = torch.cat([torch.full((n, k), -torch.inf, dtype=scores.dtype), scores], dim=1)
    order = scores.argsort(dim=1)[:, -k:]
    return torch.where(scores.gather(1, order).isinf(), -1, order - k)


# right form numpy_inside
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    s = similarity.numpy()
    limit = s[np.arange(len(s)), positives.numpy()] - margin
    found = np.full((len(s), k), -1, dtype=np.int64)
    for i, row in enumerate(s):
        order = np.argsort(-row)
        kept = order[row[order] < limit[i]][:k]
        found[i, : len(kept)] = kept
    return torch.from_numpy(found)


# right form everything_sorted
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    own = similarity.gather(1, positives.unsqueeze(1))
    fits = similarity < own - margin
    order = torch.where(fits, similarity.double(), -1e30).argsort(dim=1, descending=True)
    order = torch.where(fits.gather(1, order), order, -1)
    wide = torch.full((len(order), max(k, order.shape[1])), -1, dtype=torch.int64)
    wide[:, : order.shape[1]] = order
    return wide[:, :k]


# right form one_after_the_other
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


# mistake only_among_the_first (values)
# The k + 20 most similar columns are searched, and those that do not qualify crossed out afterwards. A positive further down
# leaves too few.
# Next: Put -inf where a column does not qualify, before you search.
def mine_hard_negatives(similarity, positives, k, margin=0.0):
    limit = similarity.gather(1, positives[:, None]) - margin
    found = torch.full((len(similarity), k), -1)
    for row, best in enumerate(similarity.argsort(dim=1, descending=True)[:, : k + 20]):
        below = best[similarity[row, best] < limit[row]][:k]
        found[row, : len(below)] = below
    return found
