# exercise 11.bag_of_tokens
"""Wrong answers about the bag of tokens by name, and unusual right ones."""

from collections import Counter

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
def bag_of_tokens(table, ids, weights=None):
    sums = table.new_zeros(len(ids), table.shape[1])
    for number, text in enumerate(ids):
        tokens = torch.tensor(text, dtype=torch.int64)
        rows = table[tokens]
        if weights is not None:
            rows = rows * weights[tokens][:, None]
        sums[number] = rows.sum(dim=0)
    return F.normalize(sums, dim=1)


# mistake not_normalised (values), from plain
# The sums come back as they are; each should have length 1.
# Next: Divide each sum by its length: `F.normalize(sums, dim=1)`.
#   F.normalize(sums, dim=1) => sums

# mistake mean_of_the_rows (values)
# The mean of the rows comes back; a mean points where the sum points, but its length is not 1.
# Next: Divide by the length of the sum, not by the number of tokens.
def bag_of_tokens(table, ids, weights=None):
    means = table.new_zeros(len(ids), table.shape[1])
    for number, text in enumerate(ids):
        if len(text):
            rows = table[text] if weights is None else table[text] * weights[text][:, None]
            means[number] = rows.mean(dim=0)
    return means


# mistake rows_normalised_first (values), from plain
# The tokens' rows are scaled to length 1 before they are added: a long row then counts as much as a short one.
# Next: Add the rows as they are in the table, and normalise the sum alone.
#   table[tokens] => F.normalize(table[tokens], dim=1)

# mistake weighted_rows_normalised_first (values), from plain
# The weighted rows are scaled to length 1 before they are added, so the sizes of the weights have no effect.
# Next: Add the weighted rows as they are, and normalise the sum alone.
#   rows.sum(dim=0) => F.normalize(rows, dim=1).sum(dim=0)

# mistake columns_normalised (values), from plain
# The columns are scaled to length 1, across the texts; each text's own row should be.
# Next: Use `dim=1`: one length for each text.
#   F.normalize(sums, dim=1) => F.normalize(sums, dim=0)

# mistake one_length_for_all (values), from plain
# All texts are divided by one length, that of the whole table of sums.
# Next: Each row has its own length: norm over `dim=1` with `keepdim=True`.
#   F.normalize(sums, dim=1) => sums / sums.norm().clamp(min=1e-12)

# mistake sum_of_absolute_values (values), from plain
# Each row is divided by the sum of its absolute values, its 1-norm.
# Next: The length is the root of the sum of squares, the 2-norm.
#   F.normalize(sums, dim=1) => F.normalize(sums, p=1, dim=1)

# mistake squared_length (values), from plain
# Each row is divided by its squared length: the root is missing.
# Next: Take the square root of the sum of squares before you divide.
#   F.normalize(sums, dim=1) => sums / (sums**2).sum(dim=1, keepdim=True).clamp(min=1e-12)

# mistake repeats_count_once (values), from plain
# A token that occurs several times counts once.
# Next: Keep every occurrence: no `set`, no `unique`. In a table of counts add 1 for each, as `torch.bincount` does.
#   torch.tensor(text, dtype=torch.int64) => torch.tensor(list(dict.fromkeys(text)), dtype=torch.int64)

# mistake weights_ignored (values), from plain
# The weights are never used.
# Next: Multiply each row by the weight of its token before you add.
#   -        if weights is not None:
#   -            rows = rows * weights[tokens][:, None]

# mistake weights_by_position (values, raises), from plain
# The first weights of the vocabulary are used for the first tokens of the text; a weight belongs to a token, not to a place.
# Next: Look the weights up with the same ids: `weights[text]`.
#   weights[tokens][:, None] => weights[: len(tokens)][:, None]

# mistake weights_without_their_sign (values), from plain
# Negative weights count as positive ones.
# Next: Leave `abs` out: a negative weight subtracts the row.
#   weights[tokens][:, None] => weights[tokens].abs()[:, None]

# mistake negative_weights_cut_off (values), from plain
# Negative weights are replaced by 0.
# Next: Leave the clamp out: a negative weight subtracts the row.
#   weights[tokens][:, None] => weights[tokens].clamp(min=0)[:, None]

# mistake softmax_of_the_weights (values), from plain
# A softmax is taken of the text's weights; they are to be used as they are.
# Next: Multiply each row by `weights[token]` itself.
#   weights[tokens][:, None] => weights[tokens].softmax(dim=0)[:, None]

# mistake weights_for_columns (values, raises), from plain
# The weights multiply columns: without a second axis they are spread along the rows' numbers.
# Next: Write `weights[tokens][:, None]`: one number for each row.
#   weights[tokens][:, None] => weights[tokens]

# mistake weights_squared (values), from plain
# Each weight is applied twice.
# Next: Multiply the rows by the weights once.
#   weights[tokens][:, None] => weights[tokens][:, None] ** 2

# mistake weighted_mean (values), from plain
# The sum is divided by the sum of the weights, which turns it round where that is negative and fails where it is 0.
# Next: Leave that division out: the length is 1 in the end, whatever the weights add up to.
#   -        sums[number] = rows.sum(dim=0)
#   +        total = len(text) if weights is None else weights[tokens].sum()
#   +        sums[number] = rows.sum(dim=0) / (total if total else 1)

# mistake weights_added (values), from plain
# The weights are added to the rows; they should multiply them.
# Next: Write `rows * weights[tokens][:, None]`.
#   rows * weights[tokens][:, None] => rows + weights[tokens][:, None]

# mistake the_largest_of_each_column (values), from plain
# The largest number of each column is taken; the rows are to be added.
# Next: Use `sum(dim=0)`.
#   rows.sum(dim=0) => rows.amax(dim=0) if len(text) else 0.0

# mistake the_last_token_alone (values), from plain
# Each token overwrites the one before, so only the last one counts.
# Next: Add to the sum: `+=`.
#   rows.sum(dim=0) => rows[-1] if len(text) else 0.0

# mistake rows_added_up_one_by_one (raises), from plain
# The numbers of each row are added up, which leaves one number for each token.
# Next: Add along the tokens: `sum(dim=0)`.
#   rows.sum(dim=0) => rows.sum(dim=1)

# mistake id_0_left_out (values), from plain
# The id 0 is left out as if it were padding.
# Next: Every id is a token here, 0 too.
#   torch.tensor(text, dtype=torch.int64) => torch.tensor([token for token in text if token], dtype=torch.int64)

# mistake padded_with_0 (values)
# Shorter texts are filled up with the id 0, and its row is added too.
# Next: Add only the rows of the text's own tokens.
def bag_of_tokens(table, ids, weights=None):
    longest = max(map(len, ids), default=0)
    tokens = torch.tensor([[*text, *[0] * (longest - len(text))] for text in ids], dtype=torch.int64).reshape(-1, longest)
    rows = table[tokens] if weights is None else table[tokens] * weights[tokens][..., None]
    return F.normalize(rows.sum(dim=1), dim=1)


# mistake texts_as_one_rectangle (raises)
# All texts go into one tensor, which fails unless they are equally long.
# Next: Work on one text after the other.
def bag_of_tokens(table, ids, weights=None):
    tokens = torch.tensor(ids, dtype=torch.int64)
    rows = table[tokens] if weights is None else table[tokens] * weights[tokens][..., None]
    return F.normalize(rows.sum(dim=1), dim=1)


# mistake empty_text_is_nan (not finite), from plain
# A sum of zeros is divided by its length 0, which is nan.
# Next: Bound the lengths from below, as by `clamp(min=1e-12)`, or use `F.normalize`.
#   F.normalize(sums, dim=1) => sums / sums.norm(dim=1, keepdim=True)

# mistake mean_of_nothing (not finite), from plain
# The mean of an empty text is a mean of nothing, nan.
# Next: Use `sum`; the length is 1 in the end anyway, and a sum of nothing is 0.
#   rows.sum(dim=0) => rows.mean(dim=0)

# mistake empty_text_raises (raises), from plain
# `torch.tensor([])` is a float32 tensor and cannot be an index, so an empty text raises.
# Next: Give it `dtype=torch.int64`, or index with the list itself.
#   torch.tensor(text, dtype=torch.int64) => torch.tensor(text)

# mistake empty_texts_left_out (shape), from plain
# Texts without tokens are left out of the result, so all later rows move up.
# Next: Every text has a row; that of an empty one is zeros.
#   -    sums = table.new_zeros(len(ids), table.shape[1])
#   +    ids = [text for text in ids if text]
#   +    sums = table.new_zeros(len(ids), table.shape[1])

# mistake no_texts_raises (raises)
# `torch.stack` of no rows raises.
# Next: Begin with `table.new_zeros(len(ids), table.shape[1])`, which may have no rows.
def bag_of_tokens(table, ids, weights=None):
    scales = table.new_ones(len(table)) if weights is None else weights
    return F.normalize(torch.stack([scales[text] @ table[text] for text in ids]), dim=1)


# mistake no_columns_for_no_texts (shape)
# Without texts the result has the shape (0,); it should have no rows and d columns.
# Next: Begin with `table.new_zeros(len(ids), table.shape[1])`.
def bag_of_tokens(table, ids, weights=None):
    if not ids:
        return table.new_zeros(0)
    scales = table.new_ones(len(table)) if weights is None else weights
    return F.normalize(torch.stack([scales[text] @ table[text] for text in ids]), dim=1)


# mistake all_texts_together (shape), from plain
# One vector comes back for all texts together.
# Next: Return a row for each text.
#   F.normalize(sums, dim=1) => F.normalize(sums.sum(dim=0), dim=0)

# mistake a_list_comes_back (type), from plain
# A list of vectors comes back; one tensor was asked for.
# Next: Put the rows into one (N, d) tensor.
#   F.normalize(sums, dim=1) => list(F.normalize(sums, dim=1))

# mistake always_float32 (dtype), from plain
# The sums are float32 whatever the table is.
# Next: Make them with `table.new_zeros(...)`, which takes the table's dtype.
#   table.new_zeros(len(ids), table.shape[1]) => torch.zeros(len(ids), table.shape[1])

# mistake table_weighted_in_place (property), from plain
# The caller's table is multiplied by the weights.
# Next: Write `table = table * weights[:, None]`: a new tensor, not `*=`.
#   -    sums = table.new_zeros(len(ids), table.shape[1])
#   +    sums = table.new_zeros(len(ids), table.shape[1])
#   +    if weights is not None:
#   +        table *= weights[:, None]
#   -        if weights is not None:
#   -            rows = rows * weights[tokens][:, None]

# mistake truth_of_the_weights (raises), from plain
# `if weights:` asks for the truth of a whole tensor, which raises.
# Next: Write `if weights is not None`.
#   weights is not None => weights


# right form counts_times_table
def bag_of_tokens(table, ids, weights=None):
    counts = table.new_zeros(len(ids), len(table))
    for number, text in enumerate(ids):
        for token, count in Counter(text).items():
            counts[number, token] = count
    if weights is not None:
        counts = counts * weights
    return F.normalize(counts @ table, dim=1)


# right form embedding_bag
def bag_of_tokens(table, ids, weights=None):
    tokens = torch.tensor([token for text in ids for token in text], dtype=torch.int64)
    starts = torch.tensor([0, *(len(text) for text in ids)]).cumsum(0)[:-1]
    if not ids:
        return table.new_zeros(0, table.shape[1])
    scales = None if weights is None else weights[tokens]
    return F.normalize(F.embedding_bag(tokens, table.contiguous(), starts, mode="sum", per_sample_weights=scales), dim=1)


# right form numpy_in_float64
def bag_of_tokens(table, ids, weights=None):
    rows = table.numpy().astype(np.float64)
    scales = np.ones(len(rows)) if weights is None else weights.numpy().astype(np.float64)
    sums = np.zeros((len(ids), rows.shape[1]))
    for number, text in enumerate(ids):
        for token in text:
            sums[number] += scales[token] * rows[token]
    lengths = np.sqrt((sums**2).sum(axis=1, keepdims=True))
    return torch.from_numpy(sums / np.where(lengths > 0, lengths, 1)).to(table.dtype)


# right form padded_with_a_mask
def bag_of_tokens(table, ids, weights=None):
    longest = max([1, *map(len, ids)])
    tokens = torch.zeros(len(ids), longest, dtype=torch.int64)
    mask = table.new_zeros(len(ids), longest)
    for number, text in enumerate(ids):
        tokens[number, : len(text)] = torch.as_tensor(text, dtype=torch.int64)
        mask[number, : len(text)] = 1
    if weights is not None:
        mask = mask * weights[tokens]
    sums = torch.einsum("nt,ntd->nd", mask, table[tokens])
    return sums / (sums.norm(dim=1, keepdim=True) + 1e-12)


# right form index_add
def bag_of_tokens(table, ids, weights=None):
    owners = torch.repeat_interleave(torch.arange(len(ids)), torch.tensor([len(text) for text in ids], dtype=torch.int64))
    tokens = torch.tensor(sum(map(list, ids), []), dtype=torch.int64)
    scaled = table if weights is None else table * weights.unsqueeze(1)
    sums = torch.zeros(len(ids), table.shape[1], dtype=table.dtype).index_add_(0, owners, scaled[tokens])
    return nn.functional.normalize(sums)


# right form mean_and_a_tiny_number
def bag_of_tokens(table, ids, weights=None):
    rows = table if weights is None else table * weights[:, None]
    found = table.new_zeros(len(ids), table.shape[1])
    for number, text in enumerate(ids):
        if len(text):
            mean = torch.stack([rows[token] for token in text]).mean(dim=0)
            found[number] = mean / (mean.norm() + 1e-8)
    return found
