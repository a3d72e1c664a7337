# exercise 08.pool_max
import numpy as np
import torch
import torch.nn.functional as F


# mistake padding_takes_part (values)
# The mask is ignored: numbers at padding can be the largest.
# Next: Put padding to minus infinity before you take the maximum.
def pool_max(token_embeddings, attention_mask):
    return token_embeddings.max(dim=1).values


# mistake padding_counts_as_zero (values)
# Padding was multiplied to 0, and 0 is larger than every negative number.
# Next: A column whose real numbers are -3 and -1 should give -1: fill padding with minus infinity instead.
def pool_max(token_embeddings, attention_mask):
    return (token_embeddings * attention_mask.unsqueeze(-1)).amax(dim=1)


# mistake not_below_zero (values)
# The result is kept from falling below zero; the largest of negative numbers is negative.
# Next: Only rows without a real token become zeros: ask the mask, not the sign.
def pool_max(token_embeddings, attention_mask):
    filled = token_embeddings.masked_fill(~attention_mask.bool().unsqueeze(-1), float("-inf"))
    return filled.amax(dim=1).clamp(min=0)


# mistake small_constant (values)
# Padding is filled with a constant that real numbers can be smaller than.
# Next: Use `float('-inf')`, or the smallest number of the dtype: `torch.finfo(dtype).min`.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    largest = token_embeddings.masked_fill(~mask.unsqueeze(-1), -1000.0).amax(dim=1)
    return largest * mask.any(dim=1, keepdim=True)


# mistake thousand_taken_off (values)
# A thousand is taken off the padding, which may still be larger than a real number then.
# Next: Replace the numbers at padding instead of lowering them: `masked_fill` with minus infinity.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype).unsqueeze(-1)
    largest = (token_embeddings - 1000 * (1 - mask)).amax(dim=1)
    return torch.where(mask.sum(dim=1) > 0, largest, torch.zeros_like(largest))


# mistake constant_for_an_empty_row (values)
# A row without a real token shows the constant that padding was filled with; it should be zeros.
# Next: Ask with `mask.any(dim=1)` which rows have a real token, and fill the others with zeros.
def pool_max(token_embeddings, attention_mask):
    return token_embeddings.masked_fill(~attention_mask.bool().unsqueeze(-1), -1e9).amax(dim=1)


# mistake minus_infinity_for_an_empty_row (not finite)
# A row without a real token comes out as -inf; it should be zeros.
# Next: Ask with `mask.any(dim=1)` which rows have a real token, and fill the others with zeros.
def pool_max(token_embeddings, attention_mask):
    return token_embeddings.masked_fill(~attention_mask.bool().unsqueeze(-1), float("-inf")).amax(dim=1)


# mistake infinity_times_zero (not finite), from small_constant
# -inf times 0 is nan: an empty row cannot be multiplied to zeros.
# Next: Choose with `torch.where`, or `masked_fill` the empty rows once more.
#   -1000.0 => float("-inf")


# mistake empty_row_keeps_its_padding (values)
# A row without a real token gets the largest of its padding; it should be zeros.
# Next: Treat empty rows after the maximum: zeros where `mask.any(dim=1)` is False.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    hidden = ~mask & mask.any(dim=1, keepdim=True)
    return token_embeddings.masked_fill(hidden.unsqueeze(-1), float("-inf")).amax(dim=1)


# mistake real_tokens_in_front (values)
# The first `length` positions are looked at: right for padding on the right, wrong for any other.
# Next: The mask says which positions are real; its sum only says how many.
def pool_max(token_embeddings, attention_mask):
    result = token_embeddings.new_zeros(len(token_embeddings), token_embeddings.shape[-1])
    for row, length in enumerate(attention_mask.long().sum(dim=1).tolist()):
        if length:
            result[row] = token_embeddings[row, :length].amax(dim=0)
    return result


# mistake holes_ignored (values)
# Everything between the first and the last real token takes part, holes included.
# Next: A 0 between two 1s is padding too: let each position's own mask decide.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().int()
    between = (mask.cumsum(1) > 0) & (mask.flip(1).cumsum(1).flip(1) > 0)
    largest = token_embeddings.masked_fill(~between.unsqueeze(-1), float("-inf")).amax(dim=1)
    return largest.masked_fill(~between.any(dim=1, keepdim=True), 0.0)


# mistake longest_vector (values)
# The real token with the greatest norm is picked; each column has a maximum of its own.
# Next: `amax(dim=1)` goes along the tokens and treats every column by itself.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    norms = token_embeddings.norm(dim=-1).masked_fill(~mask, -1.0)
    best = token_embeddings[torch.arange(len(mask)), norms.argmax(dim=1)]
    return best * mask.any(dim=1, keepdim=True)


# mistake largest_in_size (values)
# The numbers are compared without their signs: -3 is picked before 2.
# Next: Compare the numbers themselves.
def pool_max(token_embeddings, attention_mask):
    hidden = ~attention_mask.bool().unsqueeze(-1)
    place = token_embeddings.abs().masked_fill(hidden, -1.0).argmax(dim=1, keepdim=True)
    return token_embeddings.masked_fill(hidden, 0.0).gather(1, place).squeeze(1)


# mistake smallest (values)
# This is the smallest number of each column.
# Next: Fill padding with -inf and take `amax`, not `amin`.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    smallest = token_embeddings.masked_fill(~mask, float("inf")).amin(dim=1)
    return smallest.masked_fill(~mask.any(dim=1), 0.0)


# mistake inverted_mask (values)
# The real tokens were filled and the padding kept: 1 marks a real token, and masked_fill fills where True.
# Next: Invert the bool mask before `masked_fill`.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    largest = token_embeddings.masked_fill(mask, float("-inf")).amax(dim=1)
    return largest.masked_fill(mask.all(dim=1), 0.0)


# mistake tilde_on_ints (values)
# `~` turns the bits of an int over: 1 becomes -2 and 0 becomes -1, which are both true.
# Next: Take `attention_mask.bool()` before you invert it.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask if attention_mask.dtype != torch.float32 else attention_mask.long()
    largest = token_embeddings.masked_fill((~mask).bool().unsqueeze(-1), -1e9).amax(dim=1)
    return largest.masked_fill(largest == -1e9, 0.0)


# mistake lost_in_a_large_number (values)
# A large number is added to the real tokens and taken off again; float32 keeps seven digits, and the vectors are not among
# them.
# Next: Change the padding and leave the real tokens as they are: `masked_fill` with minus infinity.
def pool_max(token_embeddings, attention_mask):
    largest = (token_embeddings + 1e9 * attention_mask.to(token_embeddings.dtype)[:, :, None]).amax(dim=1) - 1e9
    return largest * attention_mask.bool().any(dim=1, keepdim=True)


# mistake minus_sign_on_bools (raises)
# `1 - mask` is not defined for a mask of bools.
# Next: Turn the mask into one type first: `attention_mask.bool()`, and `~` to invert that.
def pool_max(token_embeddings, attention_mask):
    hidden = (1 - attention_mask).unsqueeze(-1)
    largest = (token_embeddings - 1e9 * hidden).amax(dim=1)
    return largest * (attention_mask.sum(dim=1, keepdim=True) > 0)


# mistake values_and_places (type)
# `max` with a dim returns two things, the largest numbers and their positions.
# Next: Take `.values`, or use `amax`.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    return token_embeddings.masked_fill(~mask, float("-inf")).max(dim=1)


# mistake over_the_columns (shape)
# The maximum is taken over the columns, one number for each token.
# Next: The axes are (B, T, d): the tokens are dim=1.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    return token_embeddings.amax(dim=-1).masked_fill(~mask, 0.0)


# mistake squeezed (shape)
# `squeeze()` without a number takes away every axis of size 1, also a batch of one sentence.
# Next: Name the axis: `squeeze(1)`, or take the maximum without `keepdim`.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    largest = token_embeddings.masked_fill(~mask, float("-inf")).amax(dim=1, keepdim=True)
    return torch.where(mask.any(dim=1, keepdim=True), largest, torch.zeros_like(largest)).squeeze()


# mistake caller_s_padding_filled (property)
# Padding is filled in token_embeddings itself, which belongs to the caller.
# Next: `masked_fill` without the underscore makes a new tensor.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    with torch.no_grad():
        token_embeddings[~mask] = -1e9
    return token_embeddings.amax(dim=1) * mask.any(dim=1, keepdim=True)


# mistake always_float32 (dtype), from small_constant
# The result is float32 whatever comes in; it should have the dtype of token_embeddings.
# Next: Leave the vectors in the type in which they came.
#   masked_fill(~mask.unsqueeze(-1), -1000.0 => float().masked_fill(~mask.unsqueeze(-1), -1e9


# mistake no_graph (property)
# The result is cut off from the graph: an encoder that ends in it cannot be trained.
# Next: Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().numpy()[:, :, None]
    largest = np.where(mask, token_embeddings.detach().numpy(), -np.inf).max(axis=1)
    return torch.from_numpy(np.where(mask.any(axis=1), largest, 0)).to(token_embeddings.dtype)


# mistake smooth_maximum (values)
# A smooth maximum was computed, which is larger than the largest number.
# Next: Use `amax`: its gradient goes to the largest number alone.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    smooth = token_embeddings.masked_fill(~mask, -1e9).logsumexp(dim=1)
    return smooth.masked_fill(~mask.any(dim=1), 0.0)


# mistake zero_taken_for_padding (values)
# Every 0 is taken for padding; a real token's vector may hold zeros too.
# Next: Fill where the mask is 0, not where the product with the mask is 0.
def pool_max(token_embeddings, attention_mask):
    real = token_embeddings * attention_mask.unsqueeze(-1)
    largest = real.masked_fill(real == 0, float("-inf")).amax(dim=1)
    return largest.masked_fill(largest.isinf(), 0.0)


# mistake positions_of_the_largest (dtype)
# The positions of the largest numbers come back, not the numbers.
# Next: `max` with a dim returns (values, indices): take the first, or use `amax`.
def pool_max(token_embeddings, attention_mask):
    filled = token_embeddings.masked_fill(~attention_mask.bool()[..., None], float("-inf"))
    return filled.max(dim=1).indices


# mistake padding_counts_as_minus_1 (values)
# Padding was filled with -1, and -1 is larger than many a negative number.
# Next: Fill with something below every number: `float("-inf")`, or `torch.finfo(dtype).min`.
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    filled = token_embeddings.masked_fill(~mask[..., None], -1.0)
    return filled.amax(dim=1) * mask.any(dim=1, keepdim=True)


# right form loop_into_zeros
def pool_max(token_embeddings, attention_mask):
    result = torch.zeros_like(token_embeddings[:, 0])
    for row, mask in enumerate(attention_mask):
        if mask.sum() > 0:
            result[row] = token_embeddings[row][mask > 0].max(dim=0)[0]
    return result


# right form added_constant
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)[:, :, None]
    largest = (token_embeddings + (1 - mask) * torch.finfo(token_embeddings.dtype).min / 2).max(1).values
    return largest * (mask.sum(1) > 0)


# right form nan_to_num_at_the_end
def pool_max(token_embeddings, attention_mask):
    hidden = (attention_mask == 0).unsqueeze(2).expand_as(token_embeddings)
    return token_embeddings.masked_fill(hidden, -float("inf")).amax(1).nan_to_num(neginf=0.0)


# right form padding_repeats_a_real_token
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    rows, first = torch.arange(len(mask)), mask.float().argmax(dim=1)
    stand_in = token_embeddings[rows, first].unsqueeze(1)
    largest = torch.where(mask.unsqueeze(-1), token_embeddings, stand_in).max(dim=1).values
    return torch.where(mask.any(dim=1).unsqueeze(-1), largest, largest.new_zeros(()))


# right form sorted_and_the_first_taken
def pool_max(token_embeddings, attention_mask, reverse=True):
    mask = attention_mask.bool()[..., None]
    lowest = token_embeddings.masked_fill(~mask, torch.finfo(token_embeddings.dtype).min)
    return lowest.sort(dim=1, descending=reverse).values[:, 0] * mask.any(dim=1)


# right form adaptive_pooling
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    if len(mask) == 0:
        return token_embeddings.sum(dim=1)
    filled = token_embeddings.masked_fill(~mask.unsqueeze(-1), -1e9).transpose(1, 2)
    return F.adaptive_max_pool1d(filled, 1).squeeze(-1).masked_fill(~mask.any(1, keepdim=True), 0)


# right form filled_by_index_and_cleared
def pool_max(token_embeddings, attention_mask):
    filled = token_embeddings.clone()
    filled[attention_mask == 0] = -1e9
    largest = torch.max(filled, 1)[0]
    largest[largest == -1e9] = 0
    return largest
