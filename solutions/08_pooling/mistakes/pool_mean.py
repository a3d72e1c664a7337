# exercise 08.pool_mean
import numpy as np
import torch
import torch.nn.functional as F


# mistake padding_averaged_too (values)
# The mask is ignored: the vectors at padding are averaged with the real ones.
# Next: Change the numbers at a padded position: the result must not change.
def pool_mean(token_embeddings, attention_mask):
    return token_embeddings.mean(dim=1)


# mistake divided_by_the_width (values)
# Padding is left out of the sum, but the sum is divided by T; divide by each row's number of real tokens.
# Next: The vectors 2 and 4 with one padding have the mean 3, not 2.
def pool_mean(token_embeddings, attention_mask):
    return (token_embeddings * attention_mask.unsqueeze(-1)).mean(dim=1)


# mistake sum (values)
# This is the sum of the real tokens; the division by their number is missing.
# Next: Divide each row by its own number of real tokens.
def pool_mean(token_embeddings, attention_mask):
    return (token_embeddings * attention_mask.unsqueeze(-1)).sum(dim=1)


# mistake one_more_in_the_count (values)
# One is added to every count, so that every mean comes out too small.
# Next: Only a count of 0 needs help: `clamp(min=1)` leaves the others alone.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / (mask.sum(1) + 1)


# mistake count_of_the_whole_batch (values)
# Every row is divided by the number of real tokens in the whole batch.
# Next: Sum the mask along the tokens, dim=1, and keep an axis for the columns.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum().clamp(min=1)


# mistake longest_row_counts (values)
# Every row is divided by the length of the longest one.
# Next: Each row has a count of its own: sum the mask along dim=1, without a maximum.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    if len(mask) == 0:
        return (token_embeddings * mask).sum(1)
    return (token_embeddings * mask).sum(1) / mask.sum(1).max().clamp(min=1)


# mistake nan_for_an_empty_row (not finite)
# A row without a real token is divided by 0.
# Next: Clamp the counts to at least 1: zeros divided by 1 stay zeros.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1)


# mistake nan_replaced_afterwards (not finite), from nan_for_an_empty_row
# The result is right, but its gradient is nan: the division by 0 was made, and only then covered up.
# Next: Keep the 0 out of the division: `clamp(min=1)` on the counts. What is computed and thrown away still takes part in
# backward.
#   (token_embeddings * mask).sum(1) / mask.sum(1) => ((token_embeddings * mask).sum(1) / mask.sum(1)).nan_to_num(0.0)


# mistake real_tokens_in_front (values)
# The first `length` positions are averaged: right for padding on the right, wrong for any other.
# Next: The mask says which positions are real; its sum only says how many.
def pool_mean(token_embeddings, attention_mask):
    lengths = attention_mask.long().sum(dim=1)
    places = torch.arange(token_embeddings.shape[1]) < lengths[:, None]
    mask = places.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)


# mistake up_to_the_last_real_token (values)
# Everything between the first and the last real token is averaged, holes included.
# Next: A 0 between two 1s is padding too: let each position's own mask decide.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.bool().int()
    mask = (mask.cumsum(1) > 0) & (mask.flip(1).cumsum(1).flip(1) > 0)
    mask = mask.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)


# mistake mask_of_ints_as_an_index (values)
# A mask of ints was used as an index: `row[mask]` then picks the rows number 0 and 1, again and again.
# Next: Only a bool tensor picks by True and False: index with `attention_mask.bool()`.
def pool_mean(token_embeddings, attention_mask):
    result = token_embeddings.new_zeros(len(token_embeddings), token_embeddings.shape[-1])
    for number, (row, mask) in enumerate(zip(token_embeddings, attention_mask)):
        if mask.any():
            result[number] = row[mask if mask.dtype != torch.float32 else mask.long()].mean(dim=0)
    return result


# mistake inverted_mask (values), from nan_for_an_empty_row
# The padding is averaged: 1 marks a real token here, not what is to be left out.
# Next: Do not invert the mask: it is what the vectors are multiplied with.
#   attention_mask.unsqueeze => (~attention_mask.bool()).unsqueeze
#   mask.sum(1) => mask.sum(1).clamp(min=1)

# mistake padding_summed_and_words_counted (values), from nan_for_an_empty_row
# The padding is summed: `1 - mask` is 1 at padding, and here 1 marks a real token.
# Next: Do not invert the mask: multiply the vectors with it as it is.
#   token_embeddings * mask => token_embeddings * (1 - mask)
#   / mask.sum(1) => / mask.sum(1).clamp(min=1)

# mistake a_little_added_to_the_count (values), from nan_for_an_empty_row
# The count is a little too large, so every mean is a little too small.
# Next: Clamp the count, `clamp(min=1)`, instead of adding to it.
#   / mask.sum(1) => / (mask.sum(1) + 1e-3)

# mistake mean_of_no_tokens (not finite, raises)
# A row without a real token has no mean: `mean` of nothing is nan.
# Next: Return zeros for such a row.
def pool_mean(token_embeddings, attention_mask):
    rows = [vectors[mask.bool()].mean(dim=0) for vectors, mask in zip(token_embeddings, attention_mask)]
    return torch.stack(rows)


# mistake mean_over_sentences (shape), from nan_for_an_empty_row
# The mean is taken over the sentences of the batch, not over the tokens of a sentence.
# Next: The axes are (B, T, d): the tokens are dim=1.
#   (token_embeddings * mask).sum(1) / mask.sum(1) => (token_embeddings * mask).sum(0) / mask.sum(0).clamp(min=1)

# mistake axis_kept (shape), from nan_for_an_empty_row
# The axis of the tokens is still there, with size 1; (B, d) was asked for.
# Next: Leave `keepdim=True` out of the sum, or index the axis away at the end.
#   ) / mask.sum( => , keepdim=True) / mask.sum(1, keepdim=True).clamp(min=

# mistake squeezed (shape), from nan_for_an_empty_row
# `squeeze()` without a number takes away every axis of size 1, also a batch of one sentence.
# Next: Name the axis: `squeeze(1)`, or sum without `keepdim`.
#   -    return (token_embeddings * mask).sum(1) / mask.sum(1)
#   +    return ((token_embeddings * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True).clamp(min=1)).squeeze()

# mistake empty_rows_dropped (shape), from nan_for_an_empty_row
# Rows without a real token are missing from the result; each sentence needs a row, if only of zeros.
# Next: Start from zeros of shape (B, d) and fill the rows that have real tokens.
#    def pool_mean(token_embeddings, attention_mask):
#   +    keep = attention_mask.bool().any(dim=1)
#   +    token_embeddings, attention_mask = token_embeddings[keep], attention_mask[keep]


# mistake empty_rows_averaged (values)
# A row without a real token gets the mean of its padding; it should be zeros.
# Next: Remove the special case: a sum of nothing is 0 by itself.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    mask = (mask | ~mask.any(dim=1, keepdim=True)).unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1)


# mistake minus_sign_on_bools (raises)
# `1 - mask` is not defined for a mask of bools.
# Next: Turn the mask into a floating tensor first: `attention_mask.to(token_embeddings.dtype)`.
def pool_mean(token_embeddings, attention_mask):
    padding = (1 - attention_mask).unsqueeze(-1)
    real = token_embeddings - token_embeddings * padding
    return real.sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)


# mistake tilde_on_ints (values)
# `~` turns the bits of an int over: 1 becomes -2 and 0 becomes -1, which are both true.
# Next: Take `attention_mask.bool()` before you invert it.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask if attention_mask.dtype != torch.float32 else attention_mask.long()
    real = token_embeddings.masked_fill((~mask).bool().unsqueeze(-1), 0.0)
    return real.sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


# mistake caller_s_padding_zeroed (property)
# The padding is set to zero in token_embeddings itself, which belongs to the caller.
# Next: `masked_fill` without the underscore makes a new tensor; so does a product with the mask.
def pool_mean(token_embeddings, attention_mask):
    with torch.no_grad():
        token_embeddings[~attention_mask.bool()] = 0
    return token_embeddings.sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)


# mistake always_float32 (dtype)
# The result is float32 whatever comes in; it should have the dtype of token_embeddings.
# Next: Convert the mask to `token_embeddings.dtype`, and the vectors to nothing.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).float()
    return (token_embeddings.float() * mask).sum(1) / mask.sum(1).clamp(min=1)


# mistake no_graph (property), from nan_for_an_empty_row
# The result is cut off from the graph: an encoder that ends in it cannot be trained.
# Next: Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.
#   -    return (token_embeddings * mask).sum(1) / mask.sum(1)
#   +    return torch.from_numpy(((token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)).detach().numpy())


# mistake no_batch_of_nothing (raises)
# It fails for a batch without sentences: there is nothing to stack.
# Next: Compute all rows at once, or start from zeros of shape (B, d) and fill in its rows.
def pool_mean(token_embeddings, attention_mask):
    rows = []
    for vectors, mask in zip(token_embeddings, attention_mask.bool()):
        rows.append(vectors[mask].mean(dim=0) if mask.any() else torch.zeros_like(vectors[0]))
    return torch.stack(rows)


# mistake zeros_not_counted (values)
# The numbers that are not 0 were counted; a real token's vector may hold zeros too.
# Next: Count the 1s of each row's mask: only the mask tells which tokens are real.
def pool_mean(token_embeddings, attention_mask):
    real = token_embeddings * attention_mask.unsqueeze(-1)
    return real.sum(1) / (real != 0).sum(1).clamp(min=1)


# mistake one_mean_for_all (values)
# All real tokens of the batch make one mean, and every sentence gets it.
# Next: `x[mask]` forgets which sentence a token belongs to: sum along dim=1, row by row.
def pool_mean(token_embeddings, attention_mask):
    real = token_embeddings[attention_mask.bool()]
    return real.mean(dim=0).expand(len(token_embeddings), -1)


# mistake first_column_left_out (values)
# Column 0 is left out of the mean, as if a special token always stood there; each real token counts.
# Next: Leave the mask as it is: only a 0 in it takes a token out.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype).unsqueeze(-1)[:, 1:]
    return (token_embeddings[:, 1:] * mask).sum(1) / mask.sum(1).clamp(min=1)


# right form loop_into_zeros
def pool_mean(token_embeddings, attention_mask):
    result = torch.zeros(token_embeddings.shape[0], token_embeddings.shape[2], dtype=token_embeddings.dtype)
    for row in range(len(token_embeddings)):
        real = [token_embeddings[row, place] for place in range(attention_mask.shape[1]) if attention_mask[row, place]]
        if real:
            result[row] = torch.stack(real).mean(0)
    return result


# right form einsum
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.type_as(token_embeddings)
    return torch.einsum("btd,bt->bd", token_embeddings, mask) / mask.sum(-1, keepdim=True).clamp_min(1e-9)


# right form matrix_product_with_weights
def pool_mean(token_embeddings, attention_mask, eps=1e-9):
    weights = F.normalize(attention_mask.to(token_embeddings), p=1, dim=1, eps=eps)
    return (weights.unsqueeze(1) @ token_embeddings).squeeze(1)


# right form where_and_nan_free_division
def pool_mean(token_embeddings, attention_mask):
    print("pooling", tuple(token_embeddings.shape))
    real = (attention_mask == 1)[..., None]
    total = torch.where(real, token_embeddings, torch.zeros_like(token_embeddings)).sum(-2)
    count = real.sum(-2)
    return torch.where(count > 0, total / torch.where(count > 0, count, 1), torch.zeros_like(total))


# right form flat_scatter
def pool_mean(token_embeddings, attention_mask):
    batch, time, width = token_embeddings.shape
    rows, places = np.nonzero(attention_mask.numpy())
    rows = torch.from_numpy(rows)
    sums = token_embeddings.new_zeros(batch, width).index_add(0, rows, token_embeddings[rows, torch.from_numpy(places)])
    counts = torch.bincount(rows, minlength=batch)
    return sums / torch.maximum(counts, torch.ones_like(counts))[:, None]


# right form float64_inside
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.double().unsqueeze(2).expand(token_embeddings.size())
    mean = torch.sum(token_embeddings.double() * mask, 1) / torch.clamp(mask.sum(1), min=1e-9)
    return mean.to(token_embeddings.dtype)


# right form mean_that_skips_nan
def pool_mean(token_embeddings, attention_mask):
    holes = token_embeddings.masked_fill(~attention_mask.bool().unsqueeze(-1), float("nan"))
    return torch.nanmean(holes, dim=1).nan_to_num(0.0)


# right form softmax_of_minus_infinity
def pool_mean(token_embeddings, attention_mask):
    real = attention_mask.bool()
    alike = torch.zeros(real.shape, dtype=token_embeddings.dtype).masked_fill(~real, -1e30)
    weights = alike.softmax(dim=1) * real.any(dim=1, keepdim=True)
    return (weights[..., None] * token_embeddings).sum(1)


# mistake padding_taken_off_again (values)
# Everything is added and the padding taken off again: where padding is large, rounding swallows the real tokens.
# Next: Let padding never enter the sum: multiply by the mask before you add.
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    real = token_embeddings.sum(dim=1) - (token_embeddings * (1 - mask)).sum(dim=1)
    return real * mask.any(dim=1) / mask.sum(dim=1).clamp(min=1)
