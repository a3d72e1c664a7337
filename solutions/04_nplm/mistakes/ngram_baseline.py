# exercise 04.ngram_baseline
from collections import Counter

import numpy as np
import torch
import torch.nn.functional as F


# mistake loses_repeats (values)
# A word or pair that occurs several times is counted once: indexed assignment writes each position once.
# Next: Count with `bincount`, `index_put_(..., accumulate=True)` or a loop.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.full((vocab_size,), float(alpha))
        counts[Y] += 1
        return counts / counts.sum()
    counts = torch.full((vocab_size, vocab_size), float(alpha))
    counts[X[:, -1], Y] += 1
    return counts / counts.sum(dim=1, keepdim=True)


# base plain
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(Y, minlength=vocab_size) + alpha
        return counts / counts.sum()
    counts = torch.full((vocab_size, vocab_size), float(alpha))
    for previous, following in zip(X[:, -1].tolist(), Y.tolist()):
        counts[previous, following] += 1
    return counts / counts.sum(dim=1, keepdim=True)


# mistake transposed (values), from plain
# The table is turned: its rows are the next words. The previous word should choose the row.
# Next: Count at `[previous, next]`, and divide each row by its own sum.
#   counts[previous, following] => counts[following, previous]

# mistake columns_sum_to_one (values), from plain
# Columns sum to 1 instead of rows: each count is divided by how often the next word occurs.
# Next: Sum over dim=1, with keepdim=True, before you divide.
#   dim=1 => dim=0

# mistake keepdim_missing (values), from plain
# The row sums stand in one axis, so entry (i, j) is divided by the sum of row j: the table is square, and nothing complains.
# Next: Add `keepdim=True` to the sum, then check that each row sums to 1.
#   dim=1, keepdim=True => dim=1


# mistake joint_probabilities (values)
# The whole table sums to 1: these are the probabilities of pairs. Asked for is the next word's, given the previous one.
# Next: Divide each row by its own sum.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(Y, minlength=vocab_size) + alpha
        return counts / counts.sum()
    counts = torch.bincount(X[:, -1] * vocab_size + Y, minlength=vocab_size**2).reshape(vocab_size, vocab_size) + alpha
    return counts / counts.sum()


# mistake first_column (values), from plain
# X's first column was taken for the previous word: that is the oldest word of the context.
# Next: The word right before the target stands in the last column, `X[:, -1]`.
#   :, -1 => :, 0

# mistake every_column_counts (values), from plain
# All words of the context are counted as previous words; only the last one is.
# Next: Use one column of X: `X[:, -1]`.
#   -    for previous, following in zip(X[:, -1].tolist(), Y.tolist()):
#   -        counts[previous, following] += 1
#   +    for row, following in zip(X.tolist(), Y.tolist()):
#   +        for previous in row:
#   +            counts[previous, following] += 1


# mistake alpha_added_once_below (values)
# alpha is added to each count but only once to the sum: the probabilities add up to more than 1.
# Next: V counts have each grown by alpha. By how much has their sum grown?
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(Y, minlength=vocab_size)
        return (counts + alpha) / (counts.sum() + alpha)
    counts = torch.bincount(X[:, -1] * vocab_size + Y, minlength=vocab_size**2).reshape(vocab_size, vocab_size)
    return (counts + alpha) / (counts.sum(dim=1, keepdim=True) + alpha)


# mistake not_smoothed (values, not finite), from joint_probabilities
# alpha is not used: words that were never seen get probability 0, and rows without a count 0 / 0.
# Next: Add alpha to every count, seen or not, before you divide.
#   torch.bincount(Y, minlength=vocab_size) + alpha => torch.bincount(Y, minlength=vocab_size).float()
#   , vocab_size) + alpha => , vocab_size).float()
#   -    return counts / counts.sum()
#   +    return counts / counts.sum(dim=1, keepdim=True)


# mistake only_seen_words_smoothed (values)
# alpha is added to the counts that are not 0; it is the others that need it.
# Next: Add alpha to the whole table, before or after counting.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(Y, minlength=vocab_size).float()
        counts[counts > 0] += alpha
        return counts / counts.sum().clamp(min=1e-9)
    counts = torch.bincount(X[:, -1] * vocab_size + Y, minlength=vocab_size**2).reshape(vocab_size, vocab_size).float()
    counts[counts > 0] += alpha
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1e-9)


# mistake smoothed_after_dividing (values)
# alpha is added to relative frequencies instead of counts: it weighs as much as if the text had a single word.
# Next: Count, add alpha, then divide once.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(Y, minlength=vocab_size).float()
        shares = counts / counts.sum().clamp(min=1) + alpha
        return shares / shares.sum()
    counts = torch.bincount(X[:, -1] * vocab_size + Y, minlength=vocab_size**2).reshape(vocab_size, vocab_size).float()
    shares = counts / counts.sum(dim=1, keepdim=True).clamp(min=1) + alpha
    return shares / shares.sum(dim=1, keepdim=True)


# mistake adds_one (values), from joint_probabilities
# 1 is added to each count, whatever alpha is.
# Next: Use the argument alpha.
#   torch.bincount(Y, minlength=vocab_size) + alpha => torch.bincount(Y, minlength=vocab_size) + 1
#   , vocab_size) + alpha => , vocab_size) + 1
#   -    return counts / counts.sum()
#   +    return counts / counts.sum(dim=1, keepdim=True)

# mistake context_words_counted (values), from joint_probabilities
# Order 1 counts the words of X as well: a word is counted once for each context that it stands in.
# Next: Each word of the text is a target once: count Y.
#   torch.bincount(Y, minlength=vocab_size) => torch.bincount(torch.cat([X.reshape(-1), Y]), minlength=vocab_size)
#   -    return counts / counts.sum()
#   +    return counts / counts.sum(dim=1, keepdim=True)

# mistake table_ends_at_the_largest_id (shape), from plain
# The result ends at the largest id that occurs; every word of the vocabulary has a position in it.
# Next: Give `bincount` its minlength, or start from a table of vocab_size.
#   Y, minlength=vocab_size => Y


# mistake always_a_table (shape)
# Order 1 returns a table (V, V); without a context there is one row, (V,).
# Next: For order 1 count the targets into a vector of V.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    counts = torch.full((vocab_size, vocab_size), float(alpha))
    for previous, following in zip(X[:, -1].tolist(), Y.tolist()):
        counts[previous if order == 2 else slice(None), following] += 1
    return counts / counts.sum(dim=1, keepdim=True)


# mistake counts_returned (values)
# These are smoothed counts, but the exercise asks for probabilities.
# Next: Divide by the sum: of everything for order 1, of each row for order 2.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        return torch.bincount(Y, minlength=vocab_size) + float(alpha)
    counts = torch.bincount(X[:, -1] * vocab_size + Y, minlength=vocab_size**2)
    return counts.reshape(vocab_size, vocab_size) + float(alpha)


# mistake a_little_added_below (values), from joint_probabilities
# Something is added to the sum to avoid 0 / 0: rows of few counts do not sum to 1.
# Next: Leave it out: alpha is larger than 0, so no sum is 0.
#   -        return counts / counts.sum()
#   +        return counts / (counts.sum() + 1e-8)
#   -    return counts / counts.sum()
#   +    return counts / (counts.sum(dim=1, keepdim=True) + 1e-8)


# mistake alpha_loses_its_fraction (values)
# The counts are kept in an integer tensor, where an alpha of 0.4 becomes 0.
# Next: Start the table as a floating tensor.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    shape = (vocab_size,) if order == 1 else (vocab_size, vocab_size)
    counts = torch.zeros(shape, dtype=torch.long) + torch.tensor(alpha).long()
    for previous, following in zip(X[:, -1].tolist(), Y.tolist()):
        counts[following if order == 1 else (previous, following)] += 1
    return counts / counts.sum(dim=-1, keepdim=True)


# mistake unseen_rows_are_zero (values)
# Rows of words that were never seen are set to 0; smoothed, they are equally likely everywhere.
# Next: Leave such rows alone: alpha / (V * alpha) is 1 / V.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(Y, minlength=vocab_size) + alpha
        return counts / counts.sum()
    counts = torch.bincount(X[:, -1] * vocab_size + Y, minlength=vocab_size**2).reshape(vocab_size, vocab_size)
    probabilities = (counts + alpha) / (counts + alpha).sum(dim=1, keepdim=True)
    probabilities[counts.sum(dim=1) == 0] = 0
    return probabilities


# mistake divided_by_the_targets (values)
# The pairs are divided by how often the previous word is a target, not by how often it stands before one.
# Next: count(u) is the sum of u's own row: take it from the table of pairs.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    V = vocab_size
    words = torch.bincount(Y, minlength=V)
    if order == 1:
        return (words + alpha) / (len(Y) + alpha * V)
    pairs = torch.bincount(X[:, -1] * V + Y, minlength=V * V).reshape(V, V)
    return (pairs + alpha) / (words[:, None] + alpha * V)


# mistake counted_in_half_precision (values)
# The counts are kept in half precision, which has no number between 2048 and 2050: one more is lost there.
# Next: Count in int64 or float32, or with `torch.bincount`.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    size = (vocab_size,) * order
    counts = torch.zeros(size, dtype=torch.float16)
    for row, target in zip(X.tolist(), Y.tolist()):
        counts[(row[-1], target) if order == 2 else target] += 1
    counts = counts.float() + alpha
    return counts / counts.sum(dim=-1, keepdim=True)


# right form one_hot_product
def ngram_baseline(X, Y, vocab_size, order, alpha):
    following = F.one_hot(Y, vocab_size).double()
    if order == 1:
        counts = following.sum(dim=0)
    else:
        counts = F.one_hot(X[:, -1], vocab_size).double().T @ following
    return (counts + alpha) / (counts.sum(dim=-1, keepdim=True) + alpha * vocab_size)


# right form loops_and_counter
def ngram_baseline(X, Y, vocab_size, order, alpha):
    words = range(vocab_size)
    if order == 1:
        seen = Counter(Y.tolist())
        total = sum(seen.values()) + alpha * vocab_size
        return torch.tensor([(seen[word] + alpha) / total for word in words])
    seen = Counter(zip(X[:, -1].tolist(), Y.tolist()))
    rows = []
    for previous in words:
        row = [seen[previous, word] + alpha for word in words]
        rows.append([count / sum(row) for count in row])
    return torch.tensor(rows)


# right form index_put_accumulate
def ngram_baseline(X, Y, vocab_size, order, alpha):
    counts = torch.full((vocab_size,) * order, float(alpha))
    places = (Y,) if order == 1 else (X[:, -1], Y)
    counts.index_put_(places, torch.ones(len(Y)), accumulate=True)
    return F.normalize(counts, p=1, dim=-1, eps=0.0)


# right form numpy_inside
def ngram_baseline(X, Y, vocab_size, order, alpha, dtype=np.float64):
    counts = np.full((vocab_size,) * order, alpha, dtype=dtype)
    if order == 1:
        np.add.at(counts, Y.numpy(), 1)
        return torch.from_numpy(counts / counts.sum())
    np.add.at(counts, (X.numpy()[:, -1], Y.numpy()), 1)
    return torch.from_numpy(counts / counts.sum(axis=1)[:, None])


# right form softmax_of_logs
def ngram_baseline(X, Y, vocab_size, order, alpha):
    counts = torch.zeros(vocab_size if order == 1 else vocab_size**2)
    places = Y if order == 1 else X[:, -1] * vocab_size + Y
    counts = counts.scatter_add(0, places, torch.ones(len(Y)))
    return torch.softmax((counts.reshape((vocab_size,) * order) + alpha).log(), dim=-1)


# right form sparse_tensor
def ngram_baseline(X, Y, vocab_size, order, alpha):
    places = Y[None] if order == 1 else torch.stack([X[:, -1], Y])
    counts = torch.sparse_coo_tensor(places, torch.ones(len(Y)), (vocab_size,) * order).to_dense()
    return F.normalize(counts + alpha, p=1, dim=-1)
