"""Wrong answers about the first real token by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import mistake, right_form

CLS = "08.pool_cls"


@mistake(
    CLS, "column_zero", stage="values",
    diagnosis="Column 0 is taken; with padding on the left no real token stands there.",
    next_step="Find the first 1 of each row's mask, and take the vector at that position.",
)
def pool_cls(token_embeddings, attention_mask):
    return token_embeddings[:, 0]


@mistake(
    CLS, "column_zero_masked", stage="values",
    diagnosis="Column 0 is taken, or zeros when it is padding; the first real token stands further to the right then.",
    next_step="Find the first 1 of each row's mask, and take the vector at that position.",
)
def pool_cls(token_embeddings, attention_mask):
    return token_embeddings[:, 0] * attention_mask[:, :1]


@mistake(
    CLS, "column_zero_unless_empty", stage="values",
    diagnosis="Empty rows are zeros, but all others give column 0, whatever their mask says of it.",
    next_step="Find the first 1 of each row's mask, and take the vector at that position.",
)
def pool_cls(token_embeddings, attention_mask):
    return token_embeddings[:, 0] * attention_mask.bool().any(dim=1, keepdim=True)


@mistake(
    CLS, "counts_the_padding_for_the_place", stage="values",
    diagnosis="The first real token is looked for behind all of the padding: right only when all of it is on the left.",
    next_step="The number of zeros says nothing about where they stand: look for the first 1 itself.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    first = torch.where(mask[:, 0], 0, mask.shape[1] - mask.sum(dim=1))
    first = first.clamp(max=mask.shape[1] - 1)
    return token_embeddings[torch.arange(len(mask)), first] * mask.any(dim=1, keepdim=True)


@mistake(
    CLS, "same_place_for_all", stage="values",
    diagnosis="One position is used for the whole batch: the first one that is real in any sentence.",
    next_step="Find the position row by row: `argmax(dim=1)`.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    place = int(mask.any(dim=0).int().argmax()) if len(mask) else 0
    return token_embeddings[:, place] * mask.any(dim=1, keepdim=True)


@mistake(
    CLS, "place_of_the_first_row", stage="values",
    diagnosis="The position of the first sentence's first token is used for all sentences.",
    next_step="Every row needs a position of its own: `argmax(dim=1)` gives B of them.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    place = int(mask[0].int().argmax()) if len(mask) else 0
    return token_embeddings[:, place] * mask.any(dim=1, keepdim=True)


@mistake(
    CLS, "empty_row_gives_its_padding", stage="values",
    diagnosis="In a row without a 1 argmax says position 0, and the padding there is returned; it should be zeros.",
    next_step="Multiply with, or choose by, `attention_mask.bool().any(dim=1)`.",
)
def pool_cls(token_embeddings, attention_mask):
    return token_embeddings[torch.arange(len(attention_mask)), attention_mask.int().argmax(dim=1)]


@mistake(
    CLS, "last_instead", stage="values",
    diagnosis="This is the last real token.",
    next_step="The first real token has the smallest position whose mask is 1.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    last = (torch.arange(mask.shape[1]) * mask).argmax(dim=1)
    return token_embeddings[torch.arange(len(mask)), last] * mask.any(dim=1, keepdim=True)


@mistake(
    CLS, "first_padding", stage="values",
    diagnosis="The first position whose mask is 0 is taken: `argmin`, or an inverted mask.",
    next_step="1 marks a real token: look for the first 1, not for the first 0.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    first = mask.int().argmin(dim=1)
    return token_embeddings[torch.arange(len(mask)), first] * mask.any(dim=1, keepdim=True)


@mistake(
    CLS, "second_real_token", stage="values",
    diagnosis="The position is one too far to the right.",
    next_step="`argmax` counts from 0: nothing is to be added.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    first = (mask.int().argmax(dim=1) + 1).clamp(max=mask.shape[1] - 1)
    return token_embeddings[torch.arange(len(mask)), first] * mask.any(dim=1, keepdim=True)


@mistake(
    CLS, "picked_for_every_row", stage="shape",
    diagnosis="Every position is picked for every sentence: the result has three axes.",
    next_step="Index with two tensors at once, row indices and positions: `x[torch.arange(B), first]`.",
)
def pool_cls(token_embeddings, attention_mask):
    return token_embeddings[:, attention_mask.int().argmax(dim=1)]


@mistake(
    CLS, "all_real_tokens", stage="shape",
    diagnosis="All real tokens of the batch come back in one list; one a sentence was asked for.",
    next_step="`x[mask]` no longer tells which sentence a token came from. Look for the first 1 of each row.",
)
def pool_cls(token_embeddings, attention_mask):
    return token_embeddings[attention_mask.bool()]


@mistake(
    CLS, "axis_kept", stage="shape",
    diagnosis="The axis of the tokens is still there, with size 1; (B, d) was asked for.",
    next_step="Index the axis away, or `squeeze(1)` what gather returned.",
)
def pool_cls(token_embeddings, attention_mask):
    first = attention_mask.int().argmax(dim=1)[:, None, None].expand(-1, 1, token_embeddings.shape[-1])
    return token_embeddings.gather(1, first)


@mistake(
    CLS, "squeezed", stage="shape",
    diagnosis="`squeeze()` without a number takes away every axis of size 1, also a batch of one sentence.",
    next_step="Name the axis: `squeeze(1)`.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    first = mask.int().argmax(dim=1)[:, None, None].expand(-1, 1, token_embeddings.shape[-1])
    return (token_embeddings.gather(1, first) * mask.any(dim=1)[:, None, None]).squeeze()


@mistake(
    CLS, "argmax_of_bools", stage="raises",
    diagnosis="torch has no `argmax` for bools.",
    next_step="Turn the mask into ints first: `attention_mask.int()`.",
)
def pool_cls(token_embeddings, attention_mask):
    first = attention_mask.argmax(dim=1)
    return token_embeddings[torch.arange(len(first)), first] * attention_mask.any(dim=1, keepdim=True)


@mistake(
    CLS, "no_first_in_an_empty_row", stage="raises",
    diagnosis="A row without a real token has no first one: indexing the empty list of its positions fails.",
    next_step="Start from zeros of shape (B, d), and fill in only rows that have a real token.",
)
def pool_cls(token_embeddings, attention_mask):
    result = torch.zeros_like(token_embeddings[:, 0])
    for row, mask in enumerate(attention_mask):
        result[row] = token_embeddings[row, mask.nonzero()[0].item()]
    return result


@mistake(
    CLS, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of token_embeddings.",
    next_step="Make the zeros with `token_embeddings.new_zeros`, or multiply with a mask that has its dtype.",
)
def pool_cls(token_embeddings, attention_mask):
    result = torch.zeros(len(token_embeddings), token_embeddings.shape[-1])
    for row, mask in enumerate(attention_mask):
        if mask.any():
            result[row] = token_embeddings[row, mask.nonzero()[0].item()]
    return result


@mistake(
    CLS, "caller_s_rows_zeroed", stage="property",
    diagnosis="Padding is set to zero in token_embeddings itself, which belongs to the caller.",
    next_step="Pick the vectors first; then treat empty rows in the result.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    with torch.no_grad():
        token_embeddings[~mask] = 0
    return token_embeddings[torch.arange(len(mask)), mask.int().argmax(dim=1)]


@mistake(
    CLS, "no_graph", stage="property",
    diagnosis="The result is cut off from the graph: an encoder that ends in it cannot be trained.",
    next_step="Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    return token_embeddings.data[torch.arange(len(mask)), mask.int().argmax(dim=1)] * mask.any(dim=1, keepdim=True)


@mistake(
    CLS, "mean_instead", stage="values",
    diagnosis="This is the mean of the real tokens.",
    next_step="Pick one vector a sentence: the first whose mask is 1.",
)
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)[:, :, None]
    return (token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)


@mistake(
    CLS, "first_vector_that_is_not_zero", stage="values",
    diagnosis="The first vector that is not zeros is taken; a real token's vector may be zeros.",
    next_step="Look for the first 1 in the mask: the numbers in the vectors say nothing of padding.",
)
def pool_cls(token_embeddings, attention_mask):
    real = token_embeddings * attention_mask.unsqueeze(-1)
    first = (real != 0).any(dim=-1).int().argmax(dim=1)
    return real[torch.arange(len(first)), first]


@mistake(
    CLS, "while_the_count_is_one", stage="values",
    diagnosis="All positions are added up at which the running total is 1: the first real token, and padding behind it.",
    next_step="The running total stays at 1 until the next real token: ask for the mask to be 1 too.",
)
def pool_cls(token_embeddings, attention_mask):
    return (token_embeddings * (attention_mask.cumsum(dim=1) == 1).unsqueeze(-1)).sum(dim=1)


@right_form(CLS, "first_by_running_total")
def pool_cls(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    first = mask * (mask.cumsum(dim=1) == 1)
    return torch.einsum("bt,btd->bd", first, token_embeddings)


@right_form(CLS, "loop_with_break")
def pool_cls(token_embeddings, attention_mask):
    result = token_embeddings.new_zeros((token_embeddings.shape[0], token_embeddings.shape[2]))
    for row in range(attention_mask.shape[0]):
        for place in range(attention_mask.shape[1]):
            if attention_mask[row, place]:
                result[row] = token_embeddings[row, place]
                break
    return result


@right_form(CLS, "extra_column_of_zeros")
def pool_cls(token_embeddings, attention_mask):
    batch, time, width = token_embeddings.shape
    padded = torch.cat([token_embeddings, token_embeddings.new_zeros(batch, 1, width)], dim=1)
    places = torch.where(attention_mask.bool(), torch.arange(time), time).min(dim=1).values
    return padded.gather(1, places.view(-1, 1, 1).expand(-1, 1, width))[:, 0]


@right_form(CLS, "numpy_places")
def pool_cls(token_embeddings, attention_mask):
    places = np.argmax(np.asarray(attention_mask) != 0, axis=1)
    rows = token_embeddings[range(len(places)), places.tolist()] if len(places) else token_embeddings[:, 0]
    return torch.where(attention_mask.sum(1, keepdim=True) > 0, rows, torch.zeros_like(rows))


@right_form(CLS, "stable_sort_to_the_front")
def pool_cls(token_embeddings, attention_mask, descending=True):
    order = attention_mask.int().argsort(dim=1, descending=descending, stable=True)
    sorted_vectors = torch.take_along_dim(token_embeddings, order.unsqueeze(-1), dim=1)
    return sorted_vectors[:, 0] * attention_mask.bool().any(1).to(token_embeddings.dtype).unsqueeze(1)
