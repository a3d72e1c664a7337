# exercise 08.pool_last
import numpy as np
import torch


# mistake last_column (values)
# The last column is taken; with padding on the right no real token stands there.
# Next: Find the last 1 of each row's mask, and take the vector at that position.
def pool_last(token_embeddings, attention_mask):
    return token_embeddings[:, -1]


# mistake last_column_unless_empty (values)
# Empty rows are zeros, but all others give the last column, whatever their mask says of it.
# Next: Find the last 1 of each row's mask, and take the vector at that position.
def pool_last(token_embeddings, attention_mask):
    return token_embeddings[:, -1] * attention_mask.bool().any(dim=1, keepdim=True)


# mistake last_column_masked (values)
# The last column is taken, or zeros when it is padding; the last real token stands further to the left then.
# Next: Find the last 1 of each row's mask, and take the vector at that position.
def pool_last(token_embeddings, attention_mask):
    return token_embeddings[:, -1] * attention_mask[:, -1:]


# mistake length_minus_one (values)
# The position `length - 1` is taken: right for padding on the right, wrong for any other.
# Next: The sum of the mask says how many tokens are real, not where the last one stands.
def pool_last(token_embeddings, attention_mask):
    lengths = attention_mask.long().sum(dim=1)
    last = token_embeddings[torch.arange(len(lengths)), (lengths - 1).clamp(min=0)]
    return last * (lengths > 0)[:, None]


# mistake length_minus_one_wraps (values)
# The position `length - 1` is taken, which is -1 for an empty row, the last column; and it is right for padding on the right
# only.
# Next: The sum of the mask says how many tokens are real, not where the last one stands; an empty row has none.
def pool_last(token_embeddings, attention_mask):
    lengths = attention_mask.long().sum(dim=1)
    return token_embeddings[torch.arange(len(lengths)), lengths - 1]


# mistake left_or_right_only (values)
# It tells padding on the left from padding on the right, and no other pattern.
# Next: Look for the last 1 itself: then no side needs a case of its own.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    lengths = mask.sum(dim=1)
    place = torch.where(mask[:, -1], mask.shape[1] - 1, (lengths - 1).clamp(min=0))
    return token_embeddings[torch.arange(len(mask)), place] * mask.any(dim=1, keepdim=True)


# mistake whole_batch_on_one_side (values)
# One look at the last column decides for the whole batch on which side the padding is.
# Next: Find the last 1 of every row by itself.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    if len(mask) and mask[:, -1].all():
        return token_embeddings[:, -1] * 1
    lengths = mask.sum(dim=1)
    last = token_embeddings[torch.arange(len(mask)), (lengths - 1).clamp(min=0)]
    return last * mask.any(dim=1, keepdim=True)


# mistake before_the_first_hole (values)
# The token before the first padding is taken; behind a hole there may be more real ones.
# Next: Search from the other end: the last real token has the largest position whose mask is 1.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    padding = (~mask).int()
    first = torch.where(padding.any(dim=1), padding.argmax(dim=1), mask.shape[1])
    last = token_embeddings[torch.arange(len(mask)), first - 1]
    return last * mask.any(dim=1, keepdim=True)


# mistake flipped_and_not_turned_back (values)
# The position was found in the mask read backwards, and used in the vectors read forwards.
# Next: A position p from the end is the position T - 1 - p; or flip the vectors too.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    place = mask.flip(1).int().argmax(dim=1)
    return token_embeddings[torch.arange(len(mask)), place] * mask.any(dim=1, keepdim=True)


# mistake one_off_from_the_end (values, raises)
# The position is counted from the end and comes out one too small: T - 2 - p for T - 1 - p.
# Next: For a mask that ends in 1 the flipped argmax is 0, and the position is T - 1.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    place = mask.shape[1] - 2 - mask.flip(1).int().argmax(dim=1)
    return token_embeddings[torch.arange(len(mask)), place] * mask.any(dim=1, keepdim=True)


# mistake one_place_too_far (values)
# The position is counted from the end and comes out one too large: T - p for T - 1 - p.
# Next: For a mask that ends in 1 the flipped argmax is 0, and the position is T - 1.
def pool_last(token_embeddings, attention_mask):
    width = attention_mask.shape[1]
    last = (width - attention_mask.int().flip(1).argmax(dim=1)).clamp(max=width - 1)
    return token_embeddings[torch.arange(len(last)), last] * attention_mask.bool().any(dim=1, keepdim=True)


# mistake argmax_of_the_mask (values)
# The argmax of a mask of 0 and 1 is the first 1, not the last one.
# Next: Multiply the mask with the positions 0 … T-1 first, or read it from the other end.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    return token_embeddings[torch.arange(len(mask)), mask.int().argmax(dim=1)] * mask.any(dim=1, keepdim=True)


# mistake empty_row_gives_its_padding (values)
# A row without a real token gives the padding at position 0; it should be zeros.
# Next: Multiply with, or choose by, `attention_mask.bool().any(dim=1)`.
def pool_last(token_embeddings, attention_mask):
    places = torch.arange(attention_mask.shape[1]) * attention_mask
    return token_embeddings[torch.arange(len(places)), places.argmax(dim=1)]


# mistake first_token_taken_for_empty (values)
# A row whose only real token stands at position 0 is taken for an empty one: position 0 counts too.
# Next: Ask the mask whether a row is empty: `mask.any(dim=1)`.
def pool_last(token_embeddings, attention_mask):
    places = (torch.arange(attention_mask.shape[1]) * attention_mask.long()).amax(dim=1)
    return token_embeddings[torch.arange(len(places)), places] * (places > 0)[:, None]


# mistake same_place_for_all (values)
# One position is used for the whole batch: the last one that is real in any sentence.
# Next: Find the position row by row, along dim=1.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    columns = mask.any(dim=0).nonzero()
    place = int(columns[-1]) if len(columns) else 0
    return token_embeddings[:, place] * mask.any(dim=1, keepdim=True)


# mistake one_maximum_for_the_batch (values, raises)
# One position is used for all rows: the maximum is taken over the whole batch.
# Next: Find the position row by row: multiply the columns 0 … T-1 with the mask, and take `argmax(dim=1)`.
def pool_last(token_embeddings, attention_mask):
    return token_embeddings[torch.arange(len(token_embeddings)), attention_mask.nonzero()[:, 1].max()]


# mistake picked_for_every_row (shape)
# Every position is picked for every sentence: the result has three axes.
# Next: Index with two tensors at once, row indices and positions: `x[torch.arange(B), last]`.
def pool_last(token_embeddings, attention_mask):
    places = torch.arange(attention_mask.shape[1]) * attention_mask
    return token_embeddings[:, places.argmax(dim=1)]


# mistake axis_kept (shape)
# The axis of the tokens is still there, with size 1; (B, d) was asked for.
# Next: Index the axis away, or `squeeze(1)` what gather returned.
def pool_last(token_embeddings, attention_mask):
    places = (torch.arange(attention_mask.shape[1]) * attention_mask).argmax(dim=1)
    return token_embeddings.gather(1, places[:, None, None].expand(-1, 1, token_embeddings.shape[-1]))


# mistake pair_for_a_position (raises)
# `max` with a dim returns two things, the largest numbers and where they stand: that pair cannot be an index.
# Next: Take its `.indices`, or use `argmax(dim=1)`: these are whole numbers for a mask of any type.
def pool_last(token_embeddings, attention_mask):
    last = (torch.arange(attention_mask.shape[1]) * attention_mask).max(1)
    return token_embeddings[torch.arange(len(token_embeddings)), last] * attention_mask.bool().any(dim=1, keepdim=True)


# mistake no_last_in_an_empty_row (raises)
# A row without a real token has no last one: indexing the empty list of its positions fails.
# Next: Start from zeros of shape (B, d), and fill in only rows that have a real token.
def pool_last(token_embeddings, attention_mask):
    result = torch.zeros_like(token_embeddings[:, 0])
    for row, mask in enumerate(attention_mask):
        result[row] = token_embeddings[row, mask.nonzero()[-1].item()]
    return result


# mistake no_last_in_an_empty_list (raises)
# A row without a real token has no last one: indexing nothing fails.
# Next: Return zeros for such a row; and start from zeros of shape (B, d), so that a batch may be empty.
def pool_last(token_embeddings, attention_mask):
    return torch.stack([vectors[mask.bool()][-1] for vectors, mask in zip(token_embeddings, attention_mask)])


# mistake always_float32 (dtype)
# The result is float32 whatever comes in; it should have the dtype of token_embeddings.
# Next: Make the zeros with `token_embeddings.new_zeros`.
def pool_last(token_embeddings, attention_mask):
    result = torch.zeros(len(token_embeddings), token_embeddings.shape[-1])
    for row, mask in enumerate(attention_mask):
        if mask.any():
            result[row] = token_embeddings[row, mask.nonzero()[-1].item()]
    return result


# mistake caller_s_padding_zeroed (property)
# Padding is set to zero in token_embeddings itself, which belongs to the caller.
# Next: Pick the vectors first; then treat empty rows in the result.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    with torch.no_grad():
        token_embeddings[~mask] = 0
    places = torch.arange(mask.shape[1]) * mask
    return token_embeddings[torch.arange(len(mask)), places.argmax(dim=1)]


# mistake no_graph (property)
# The result is cut off from the graph: an encoder that ends in it cannot be trained.
# Next: Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    places = torch.arange(mask.shape[1]) * mask
    return token_embeddings.data[torch.arange(len(mask)), places.argmax(dim=1)] * mask.any(dim=1, keepdim=True)


# mistake last_vector_that_is_not_zero (values)
# The last vector that is not zeros is taken; a real token's vector may be zeros.
# Next: Look for the last 1 in the mask: the numbers in the vectors say nothing of padding.
def pool_last(token_embeddings, attention_mask):
    real = token_embeddings * attention_mask.unsqueeze(-1)
    last = ((real != 0).any(dim=-1) * torch.arange(real.shape[1])).argmax(dim=1)
    return real[torch.arange(len(last)), last]


# mistake whole_count_reached (values)
# All positions are added up at which the running total has reached its end: the last real token, and the padding behind it.
# Next: The running total stays where it is at padding: ask for the mask to be 1 too.
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.long()
    reached = mask.cumsum(dim=1) == mask.sum(dim=1, keepdim=True)
    return (token_embeddings * reached.unsqueeze(-1)).sum(dim=1) * mask.any(dim=1, keepdim=True)


# right form the_first_from_the_other_end
def pool_last(token_embeddings, attention_mask):
    return pool_cls(token_embeddings.flip(1), attention_mask.flip(1))


# right form loop_that_overwrites
def pool_last(token_embeddings, attention_mask):
    result = token_embeddings.new_zeros(token_embeddings.shape[0], token_embeddings.shape[-1])
    for place in range(token_embeddings.shape[1]):
        real = attention_mask[:, place].bool().unsqueeze(1)
        result = torch.where(real, token_embeddings[:, place], result)
    return result


# right form largest_place_by_running_total
def pool_last(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    left = mask.flip(1).cumsum(1).flip(1)
    return ((left == 1).to(mask.dtype) * mask).unsqueeze(1).matmul(token_embeddings).squeeze(1)


# right form numpy_from_the_end
def pool_last(token_embeddings, attention_mask):
    mask = np.asarray(attention_mask).astype(bool)
    rows = []
    for vectors, real in zip(token_embeddings, mask):
        places = np.flatnonzero(real)
        rows.append(vectors[int(places[-1])] if places.size else torch.zeros_like(vectors[0]))
    return torch.stack(rows) if rows else token_embeddings[:, 0]


# right form max_place_or_minus_one
def pool_last(token_embeddings, attention_mask, nowhere=-1):
    time = token_embeddings.size(1)
    place = torch.arange(time).expand(len(attention_mask), time).masked_fill(attention_mask == 0, nowhere).amax(1)
    picked = torch.gather(token_embeddings, 1, place.clamp(min=0).reshape(-1, 1, 1).repeat(1, 1, token_embeddings.size(2)))
    return picked.squeeze(1).masked_fill((place == nowhere)[:, None], 0)
