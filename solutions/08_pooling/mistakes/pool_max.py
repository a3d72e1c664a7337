"""Wrong answers about max pooling by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import mistake, right_form

MAX = "08.pool_max"


@mistake(
    MAX, "padding_takes_part", stage="values",
    diagnosis="The mask is ignored: numbers at padding can be the largest.",
    next_step="Put padding to minus infinity before you take the maximum.",
)
def pool_max(token_embeddings, attention_mask):
    return token_embeddings.max(dim=1).values


@mistake(
    MAX, "padding_counts_as_zero", stage="values",
    diagnosis="Padding was multiplied to 0, and 0 is larger than every negative number.",
    next_step="A column whose real numbers are -3 and -1 should give -1: fill padding with minus infinity instead.",
)
def pool_max(token_embeddings, attention_mask):
    return (token_embeddings * attention_mask.unsqueeze(-1)).amax(dim=1)


@mistake(
    MAX, "not_below_zero", stage="values",
    diagnosis="The result is kept from falling below zero; the largest of negative numbers is negative.",
    next_step="Only rows without a real token become zeros: ask the mask, not the sign.",
)
def pool_max(token_embeddings, attention_mask):
    filled = token_embeddings.masked_fill(~attention_mask.bool().unsqueeze(-1), float("-inf"))
    return filled.amax(dim=1).clamp(min=0)


@mistake(
    MAX, "small_constant", stage="values",
    diagnosis="Padding is filled with a constant that real numbers can be smaller than.",
    next_step="Use `float('-inf')`, or the smallest number of the dtype: `torch.finfo(dtype).min`.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    largest = token_embeddings.masked_fill(~mask.unsqueeze(-1), -1000.0).amax(dim=1)
    return largest * mask.any(dim=1, keepdim=True)


@mistake(
    MAX, "thousand_taken_off", stage="values",
    diagnosis="A thousand is taken off the padding, which may still be larger than a real number then.",
    next_step="Replace the numbers at padding instead of lowering them: `masked_fill` with minus infinity.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype).unsqueeze(-1)
    largest = (token_embeddings - 1000 * (1 - mask)).amax(dim=1)
    return torch.where(mask.sum(dim=1) > 0, largest, torch.zeros_like(largest))


@mistake(
    MAX, "constant_for_an_empty_row", stage="values",
    diagnosis="A row without a real token shows the constant that padding was filled with; it should be zeros.",
    next_step="Ask with `mask.any(dim=1)` which rows have a real token, and fill the others with zeros.",
)
def pool_max(token_embeddings, attention_mask):
    return token_embeddings.masked_fill(~attention_mask.bool().unsqueeze(-1), -1e9).amax(dim=1)


@mistake(
    MAX, "minus_infinity_for_an_empty_row", stage="not finite",
    diagnosis="A row without a real token comes out as -inf; it should be zeros.",
    next_step="Ask with `mask.any(dim=1)` which rows have a real token, and fill the others with zeros.",
)
def pool_max(token_embeddings, attention_mask):
    return token_embeddings.masked_fill(~attention_mask.bool().unsqueeze(-1), float("-inf")).amax(dim=1)


@mistake(
    MAX, "infinity_times_zero", stage="not finite",
    diagnosis="-inf times 0 is nan: an empty row cannot be multiplied to zeros.",
    next_step="Choose with `torch.where`, or `masked_fill` the empty rows once more.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    largest = token_embeddings.masked_fill(~mask.unsqueeze(-1), float("-inf")).amax(dim=1)
    return largest * mask.any(dim=1, keepdim=True)


@mistake(
    MAX, "empty_row_keeps_its_padding", stage="values",
    diagnosis="A row without a real token gets the largest of its padding; it should be zeros.",
    next_step="Treat empty rows after the maximum: zeros where `mask.any(dim=1)` is False.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    hidden = ~mask & mask.any(dim=1, keepdim=True)
    return token_embeddings.masked_fill(hidden.unsqueeze(-1), float("-inf")).amax(dim=1)


@mistake(
    MAX, "real_tokens_in_front", stage="values",
    diagnosis="The first `length` positions are looked at: right for padding on the right, wrong for any other.",
    next_step="The mask says which positions are real; its sum only says how many.",
)
def pool_max(token_embeddings, attention_mask):
    result = token_embeddings.new_zeros(len(token_embeddings), token_embeddings.shape[-1])
    for row, length in enumerate(attention_mask.long().sum(dim=1).tolist()):
        if length:
            result[row] = token_embeddings[row, :length].amax(dim=0)
    return result


@mistake(
    MAX, "holes_ignored", stage="values",
    diagnosis="Everything between the first and the last real token takes part, holes included.",
    next_step="A 0 between two 1s is padding too: let each position's own mask decide.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().int()
    between = (mask.cumsum(1) > 0) & (mask.flip(1).cumsum(1).flip(1) > 0)
    largest = token_embeddings.masked_fill(~between.unsqueeze(-1), float("-inf")).amax(dim=1)
    return largest.masked_fill(~between.any(dim=1, keepdim=True), 0.0)


@mistake(
    MAX, "longest_vector", stage="values",
    diagnosis="The real token with the greatest norm is picked; each column has a maximum of its own.",
    next_step="`amax(dim=1)` goes along the tokens and treats every column by itself.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    norms = token_embeddings.norm(dim=-1).masked_fill(~mask, -1.0)
    best = token_embeddings[torch.arange(len(mask)), norms.argmax(dim=1)]
    return best * mask.any(dim=1, keepdim=True)


@mistake(
    MAX, "largest_in_size", stage="values",
    diagnosis="The numbers are compared without their signs: -3 is picked before 2.",
    next_step="Compare the numbers themselves.",
)
def pool_max(token_embeddings, attention_mask):
    hidden = ~attention_mask.bool().unsqueeze(-1)
    place = token_embeddings.abs().masked_fill(hidden, -1.0).argmax(dim=1, keepdim=True)
    return token_embeddings.masked_fill(hidden, 0.0).gather(1, place).squeeze(1)


@mistake(
    MAX, "smallest", stage="values",
    diagnosis="This is the smallest number of each column.",
    next_step="Fill padding with -inf and take `amax`, not `amin`.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    smallest = token_embeddings.masked_fill(~mask, float("inf")).amin(dim=1)
    return smallest.masked_fill(~mask.any(dim=1), 0.0)


@mistake(
    MAX, "inverted_mask", stage="values",
    diagnosis="The real tokens were filled and the padding kept: 1 marks a real token, and masked_fill fills where True.",
    next_step="Invert the bool mask before `masked_fill`.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    largest = token_embeddings.masked_fill(mask, float("-inf")).amax(dim=1)
    return largest.masked_fill(mask.all(dim=1), 0.0)


@mistake(
    MAX, "tilde_on_ints", stage="values",
    diagnosis="`~` turns the bits of an int over: 1 becomes -2 and 0 becomes -1, which are both true.",
    next_step="Take `attention_mask.bool()` before you invert it.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask if attention_mask.dtype != torch.float32 else attention_mask.long()
    largest = token_embeddings.masked_fill((~mask).bool().unsqueeze(-1), -1e9).amax(dim=1)
    return largest.masked_fill(largest == -1e9, 0.0)


@mistake(
    MAX, "lost_in_a_large_number", stage="values",
    diagnosis="A large number is added to the real tokens and taken off again; float32 keeps seven digits, and the vectors are "
    "not among them.",
    next_step="Change the padding and leave the real tokens as they are: `masked_fill` with minus infinity.",
)
def pool_max(token_embeddings, attention_mask):
    largest = (token_embeddings + 1e9 * attention_mask.to(token_embeddings.dtype)[:, :, None]).amax(dim=1) - 1e9
    return largest * attention_mask.bool().any(dim=1, keepdim=True)


@mistake(
    MAX, "minus_sign_on_bools", stage="raises",
    diagnosis="`1 - mask` is not defined for a mask of bools.",
    next_step="Turn the mask into one type first: `attention_mask.bool()`, and `~` to invert that.",
)
def pool_max(token_embeddings, attention_mask):
    hidden = (1 - attention_mask).unsqueeze(-1)
    largest = (token_embeddings - 1e9 * hidden).amax(dim=1)
    return largest * (attention_mask.sum(dim=1, keepdim=True) > 0)


@mistake(
    MAX, "values_and_places", stage="type",
    diagnosis="`max` with a dim returns two things, the largest numbers and their positions.",
    next_step="Take `.values`, or use `amax`.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    return token_embeddings.masked_fill(~mask, float("-inf")).max(dim=1)


@mistake(
    MAX, "over_the_columns", stage="shape",
    diagnosis="The maximum is taken over the columns, one number for each token.",
    next_step="The axes are (B, T, d): the tokens are dim=1.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    return token_embeddings.amax(dim=-1).masked_fill(~mask, 0.0)


@mistake(
    MAX, "squeezed", stage="shape",
    diagnosis="`squeeze()` without a number takes away every axis of size 1, also a batch of one sentence.",
    next_step="Name the axis: `squeeze(1)`, or take the maximum without `keepdim`.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    largest = token_embeddings.masked_fill(~mask, float("-inf")).amax(dim=1, keepdim=True)
    return torch.where(mask.any(dim=1, keepdim=True), largest, torch.zeros_like(largest)).squeeze()


@mistake(
    MAX, "caller_s_padding_filled", stage="property",
    diagnosis="Padding is filled in token_embeddings itself, which belongs to the caller.",
    next_step="`masked_fill` without the underscore makes a new tensor.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    with torch.no_grad():
        token_embeddings[~mask] = -1e9
    return token_embeddings.amax(dim=1) * mask.any(dim=1, keepdim=True)


@mistake(
    MAX, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of token_embeddings.",
    next_step="Leave the vectors in the type in which they came.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    largest = token_embeddings.float().masked_fill(~mask.unsqueeze(-1), -1e9).amax(dim=1)
    return largest * mask.any(dim=1, keepdim=True)


@mistake(
    MAX, "no_graph", stage="property",
    diagnosis="The result is cut off from the graph: an encoder that ends in it cannot be trained.",
    next_step="Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().numpy()[:, :, None]
    largest = np.where(mask, token_embeddings.detach().numpy(), -np.inf).max(axis=1)
    return torch.from_numpy(np.where(mask.any(axis=1), largest, 0)).to(token_embeddings.dtype)


@mistake(
    MAX, "smooth_maximum", stage="values",
    diagnosis="A smooth maximum was computed, which is larger than the largest number.",
    next_step="Use `amax`: its gradient goes to the largest number alone.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool().unsqueeze(-1)
    smooth = token_embeddings.masked_fill(~mask, -1e9).logsumexp(dim=1)
    return smooth.masked_fill(~mask.any(dim=1), 0.0)


@mistake(
    MAX, "zero_taken_for_padding", stage="values",
    diagnosis="Every 0 is taken for padding; a real token's vector may hold zeros too.",
    next_step="Fill where the mask is 0, not where the product with the mask is 0.",
)
def pool_max(token_embeddings, attention_mask):
    real = token_embeddings * attention_mask.unsqueeze(-1)
    largest = real.masked_fill(real == 0, float("-inf")).amax(dim=1)
    return largest.masked_fill(largest.isinf(), 0.0)


@mistake(
    MAX, "positions_of_the_largest", stage="dtype",
    diagnosis="The positions of the largest numbers come back, not the numbers.",
    next_step="`max` with a dim returns (values, indices): take the first, or use `amax`.",
)
def pool_max(token_embeddings, attention_mask):
    filled = token_embeddings.masked_fill(~attention_mask.bool()[..., None], float("-inf"))
    return filled.max(dim=1).indices


@mistake(
    MAX, "padding_counts_as_minus_1", stage="values",
    diagnosis="Padding was filled with -1, and -1 is larger than many a negative number.",
    next_step="Fill with something below every number: `float(\"-inf\")`, or `torch.finfo(dtype).min`.",
)
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    filled = token_embeddings.masked_fill(~mask[..., None], -1.0)
    return filled.amax(dim=1) * mask.any(dim=1, keepdim=True)


@right_form(MAX, "loop_into_zeros")
def pool_max(token_embeddings, attention_mask):
    result = torch.zeros_like(token_embeddings[:, 0])
    for row, mask in enumerate(attention_mask):
        if mask.sum() > 0:
            result[row] = token_embeddings[row][mask > 0].max(dim=0)[0]
    return result


@right_form(MAX, "added_constant")
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)[:, :, None]
    largest = (token_embeddings + (1 - mask) * torch.finfo(token_embeddings.dtype).min / 2).max(1).values
    return largest * (mask.sum(1) > 0)


@right_form(MAX, "nan_to_num_at_the_end")
def pool_max(token_embeddings, attention_mask):
    hidden = (attention_mask == 0).unsqueeze(2).expand_as(token_embeddings)
    return token_embeddings.masked_fill(hidden, -float("inf")).amax(1).nan_to_num(neginf=0.0)


@right_form(MAX, "padding_repeats_a_real_token")
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    rows, first = torch.arange(len(mask)), mask.float().argmax(dim=1)
    stand_in = token_embeddings[rows, first].unsqueeze(1)
    largest = torch.where(mask.unsqueeze(-1), token_embeddings, stand_in).max(dim=1).values
    return torch.where(mask.any(dim=1).unsqueeze(-1), largest, largest.new_zeros(()))


@right_form(MAX, "sorted_and_the_first_taken")
def pool_max(token_embeddings, attention_mask, reverse=True):
    mask = attention_mask.bool()[..., None]
    lowest = token_embeddings.masked_fill(~mask, torch.finfo(token_embeddings.dtype).min)
    return lowest.sort(dim=1, descending=reverse).values[:, 0] * mask.any(dim=1)


@right_form(MAX, "adaptive_pooling")
def pool_max(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    if len(mask) == 0:
        return token_embeddings.sum(dim=1)
    filled = token_embeddings.masked_fill(~mask.unsqueeze(-1), -1e9).transpose(1, 2)
    return F.adaptive_max_pool1d(filled, 1).squeeze(-1).masked_fill(~mask.any(1, keepdim=True), 0)


@right_form(MAX, "filled_by_index_and_cleared")
def pool_max(token_embeddings, attention_mask):
    filled = token_embeddings.clone()
    filled[attention_mask == 0] = -1e9
    largest = torch.max(filled, 1)[0]
    largest[largest == -1e9] = 0
    return largest
