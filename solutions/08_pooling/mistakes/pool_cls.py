# exercise 08.pool_cls
import numpy as np
import torch


# mistake column_zero (values)
# Column 0 is taken; with padding on the left no real token stands there.
# Next: Find the first 1 of each row's mask, and take the vector at that position.
def pool_cls(token_embeddings, attention_mask):
    return token_embeddings[:, 0]


# mistake column_zero_masked (values), from column_zero
# Column 0 is taken, or zeros when it is padding; the first real token stands further to the right then.
# Next: Find the first 1 of each row's mask, and take the vector at that position.
#   token_embeddings[:, 0] => token_embeddings[:, 0] * attention_mask[:, :1]

# mistake column_zero_unless_empty (values), from column_zero
# Empty rows are zeros, but all others give column 0, whatever their mask says of it.
# Next: Find the first 1 of each row's mask, and take the vector at that position.
#   token_embeddings[:, 0] => token_embeddings[:, 0] * attention_mask.bool().any(dim=1, keepdim=True)


# base plain
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    first = mask.int().argmax(dim=1)
    return token_embeddings[torch.arange(len(mask)), first] * mask.any(dim=1, keepdim=True)


# mistake counts_the_padding_for_the_place (values), from plain
# The first real token is looked for behind all of the padding: right only when all of it is on the left.
# Next: The number of zeros says nothing about where they stand: look for the first 1 itself.
#   -    first = mask.int().argmax(dim=1)
#   +    first = torch.where(mask[:, 0], 0, mask.shape[1] - mask.sum(dim=1))
#   +    first = first.clamp(max=mask.shape[1] - 1)

# mistake counts_the_padding (values), from plain
# `T - sum` is the first real token only when all padding is on the left; in an empty row it is no column at all.
# Next: The number of zeros does not say where they stand: look for the first 1 itself.
#   first = mask.int().argmax(dim=1) => first = mask.shape[1] - mask.sum(dim=1)

# mistake same_place_for_all (values), from plain
# One position is used for the whole batch: the first one that is real in any sentence.
# Next: Find the position row by row: `argmax(dim=1)`.
#   first = mask.int().argmax(dim=1) => place = int(mask.any(dim=0).int().argmax()) if len(mask) else 0
#   torch.arange(len(mask)), first => :, place

# mistake place_of_the_first_row (values), from plain
# The position of the first sentence's first token is used for all sentences.
# Next: Every row needs a position of its own: `argmax(dim=1)` gives B of them.
#   first = mask.int().argmax(dim=1) => place = int(mask[0].int().argmax()) if len(mask) else 0
#   torch.arange(len(mask)), first => :, place

# mistake empty_row_gives_its_padding (values), from column_zero
# In a row without a 1 argmax says position 0, and the padding there is returned; it should be zeros.
# Next: Multiply with, or choose by, `attention_mask.bool().any(dim=1)`.
#   :, 0 => torch.arange(len(attention_mask)), attention_mask.int().argmax(dim=1)

# mistake last_instead (values), from plain
# This is the last real token.
# Next: The first real token has the smallest position whose mask is 1.
#   first = mask.int().argmax(dim=1) => last = (torch.arange(mask.shape[1]) * mask).argmax(dim=1)
#   torch.arange(len(mask)), first => torch.arange(len(mask)), last

# mistake first_padding (values), from plain
# The first position whose mask is 0 is taken: `argmin`, or an inverted mask.
# Next: 1 marks a real token: look for the first 1, not for the first 0.
#   mask.int().argmax => mask.int().argmin

# mistake second_real_token (values), from plain
# The position is one too far to the right.
# Next: `argmax` counts from 0: nothing is to be added.
#   mask.int().argmax(dim=1) => (mask.int().argmax(dim=1) + 1).clamp(max=mask.shape[1] - 1)

# mistake picked_for_every_row (shape), from column_zero
# Every position is picked for every sentence: the result has three axes.
# Next: Index with two tensors at once, row indices and positions: `x[torch.arange(B), first]`.
#   0 => attention_mask.int().argmax(dim=1)

# mistake all_real_tokens (shape), from column_zero
# All real tokens of the batch come back in one list; one a sentence was asked for.
# Next: `x[mask]` no longer tells which sentence a token came from. Look for the first 1 of each row.
#   :, 0 => attention_mask.bool()


# mistake axis_kept (shape)
# The axis of the tokens is still there, with size 1; (B, d) was asked for.
# Next: Index the axis away, or `squeeze(1)` what gather returned.
def pool_cls(token_embeddings, attention_mask):
    first = attention_mask.int().argmax(dim=1)[:, None, None].expand(-1, 1, token_embeddings.shape[-1])
    return token_embeddings.gather(1, first)


# mistake squeezed (shape)
# `squeeze()` without a number takes away every axis of size 1, also a batch of one sentence.
# Next: Name the axis: `squeeze(1)`.
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    first = mask.int().argmax(dim=1)[:, None, None].expand(-1, 1, token_embeddings.shape[-1])
    return (token_embeddings.gather(1, first) * mask.any(dim=1)[:, None, None]).squeeze()


# mistake argmax_of_bools (raises)
# torch has no `argmax` for bools.
# Next: Turn the mask into ints first: `attention_mask.int()`.
def pool_cls(token_embeddings, attention_mask):
    first = attention_mask.argmax(dim=1)
    return token_embeddings[torch.arange(len(first)), first] * attention_mask.any(dim=1, keepdim=True)


# mistake no_first_in_an_empty_row (raises)
# A row without a real token has no first one: indexing the empty list of its positions fails.
# Next: Start from zeros of shape (B, d), and fill in only rows that have a real token.
def pool_cls(token_embeddings, attention_mask):
    result = torch.zeros_like(token_embeddings[:, 0])
    for row, mask in enumerate(attention_mask):
        result[row] = token_embeddings[row, mask.nonzero()[0].item()]
    return result


# mistake no_first_in_an_empty_list (raises)
# A row without a real token has no first one: indexing nothing fails.
# Next: Return zeros for such a row; and start from zeros of shape (B, d), so that a batch may be empty.
def pool_cls(token_embeddings, attention_mask):
    return torch.stack([vectors[mask.bool()][0] for vectors, mask in zip(token_embeddings, attention_mask)])


# mistake always_float32 (dtype)
# The result is float32 whatever comes in; it should have the dtype of token_embeddings.
# Next: Make the zeros with `token_embeddings.new_zeros`, or multiply with a mask that has its dtype.
def pool_cls(token_embeddings, attention_mask):
    result = torch.zeros(len(token_embeddings), token_embeddings.shape[-1])
    for row, mask in enumerate(attention_mask):
        if mask.any():
            result[row] = token_embeddings[row, mask.nonzero()[0].item()]
    return result


# mistake caller_s_rows_zeroed (property)
# Padding is set to zero in token_embeddings itself, which belongs to the caller.
# Next: Pick the vectors first; then treat empty rows in the result.
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    with torch.no_grad():
        token_embeddings[~mask] = 0
    return token_embeddings[torch.arange(len(mask)), mask.int().argmax(dim=1)]


# mistake no_graph (property)
# The result is cut off from the graph: an encoder that ends in it cannot be trained.
# Next: Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    return token_embeddings.data[torch.arange(len(mask)), mask.int().argmax(dim=1)] * mask.any(dim=1, keepdim=True)


# mistake mean_instead (values)
# This is the mean of the real tokens.
# Next: Pick one vector a sentence: the first whose mask is 1.
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)[:, :, None]
    return (token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)


# mistake first_vector_that_is_not_zero (values)
# The first vector that is not zeros is taken; a real token's vector may be zeros.
# Next: Look for the first 1 in the mask: the numbers in the vectors say nothing of padding.
def pool_cls(token_embeddings, attention_mask):
    real = token_embeddings * attention_mask.unsqueeze(-1)
    first = (real != 0).any(dim=-1).int().argmax(dim=1)
    return real[torch.arange(len(first)), first]


# mistake while_the_count_is_one (values), from column_zero
# All positions are added up at which the running total is 1: the first real token, and padding behind it.
# Next: The running total stays at 1 until the next real token: ask for the mask to be 1 too.
#   token_embeddings[:, 0] => (token_embeddings * (attention_mask.cumsum(dim=1) == 1).unsqueeze(-1)).sum(dim=1)


# right form first_by_running_total
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    first = mask * (mask.cumsum(dim=1) == 1)
    return torch.einsum("bt,btd->bd", first, token_embeddings)


# right form loop_with_break
def pool_cls(token_embeddings, attention_mask):
    result = token_embeddings.new_zeros((token_embeddings.shape[0], token_embeddings.shape[2]))
    for row in range(attention_mask.shape[0]):
        for place in range(attention_mask.shape[1]):
            if attention_mask[row, place]:
                result[row] = token_embeddings[row, place]
                break
    return result


# right form extra_column_of_zeros
def pool_cls(token_embeddings, attention_mask):
    batch, time, width = token_embeddings.shape
    padded = torch.cat([token_embeddings, token_embeddings.new_zeros(batch, 1, width)], dim=1)
    places = torch.where(attention_mask.bool(), torch.arange(time), time).min(dim=1).values
    return padded.gather(1, places.view(-1, 1, 1).expand(-1, 1, width))[:, 0]


# right form numpy_places
def pool_cls(token_embeddings, attention_mask):
    places = np.argmax(np.asarray(attention_mask) != 0, axis=1)
    rows = token_embeddings[range(len(places)), places.tolist()] if len(places) else token_embeddings[:, 0]
    return torch.where(attention_mask.sum(1, keepdim=True) > 0, rows, torch.zeros_like(rows))


# right form stable_sort_to_the_front
def pool_cls(token_embeddings, attention_mask, descending=True):
    order = attention_mask.int().argsort(dim=1, descending=descending, stable=True)
    sorted_vectors = torch.take_along_dim(token_embeddings, order.unsqueeze(-1), dim=1)
    return sorted_vectors[:, 0] * attention_mask.bool().any(1).to(token_embeddings.dtype).unsqueeze(1)
