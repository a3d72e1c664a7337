"""Wrong answers about mean pooling by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

MEAN = "08.pool_mean"


@mistake(
    MEAN, "padding_averaged_too", stage="values",
    diagnosis="The mask is ignored: the vectors at padding are averaged with the real ones.",
    next_step="Change the numbers at a padded position: the result must not change.",
)
def pool_mean(token_embeddings, attention_mask):
    return token_embeddings.mean(dim=1)


@mistake(
    MEAN, "divided_by_the_width", stage="values",
    diagnosis="Padding is left out of the sum, but the sum is divided by T; divide by each row's number of real tokens.",
    next_step="The vectors 2 and 4 with one padding have the mean 3, not 2.",
)
def pool_mean(token_embeddings, attention_mask):
    return (token_embeddings * attention_mask.unsqueeze(-1)).mean(dim=1)


@mistake(
    MEAN, "sum", stage="values",
    diagnosis="This is the sum of the real tokens; the division by their number is missing.",
    next_step="Divide each row by its own number of real tokens.",
)
def pool_mean(token_embeddings, attention_mask):
    return (token_embeddings * attention_mask.unsqueeze(-1)).sum(dim=1)


@base("plain")
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1)


altered(
    MEAN, "one_more_in_the_count", "plain", {"/ mask.sum(1)": "/ (mask.sum(1) + 1)"}, stage="values",
    diagnosis="One is added to every count, so that every mean comes out too small.",
    next_step="Only a count of 0 needs help: `clamp(min=1)` leaves the others alone.",
)

altered(
    MEAN, "count_of_the_whole_batch", "plain", {"mask.sum(1)": "mask.sum().clamp(min=1)"}, stage="values",
    diagnosis="Every row is divided by the number of real tokens in the whole batch.",
    next_step="Sum the mask along the tokens, dim=1, and keep an axis for the columns.",
)


@mistake(
    MEAN, "longest_row_counts", stage="values",
    diagnosis="Every row is divided by the length of the longest one.",
    next_step="Each row has a count of its own: sum the mask along dim=1, without a maximum.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    if len(mask) == 0:
        return (token_embeddings * mask).sum(1)
    return (token_embeddings * mask).sum(1) / mask.sum(1).max().clamp(min=1)


@mistake(
    MEAN, "nan_for_an_empty_row", stage="not finite",
    diagnosis="A row without a real token is divided by 0.",
    next_step="Clamp the counts to at least 1: zeros divided by 1 stay zeros.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1)


altered(
    MEAN, "nan_replaced_afterwards", "plain",
    {
        "token_embeddings * mask).sum(1) / mask.sum(1":
            "(token_embeddings * mask).sum(1) / mask.sum(1)).nan_to_num(0.0",
    },
    stage="not finite",
    diagnosis="The result is right, but its gradient is nan: the division by 0 was made, and only then covered up.",
    next_step="Keep the 0 out of the division: `clamp(min=1)` on the counts. What is computed and thrown away still "
    "takes part in backward.",
)


@mistake(
    MEAN, "real_tokens_in_front", stage="values",
    diagnosis="The first `length` positions are averaged: right for padding on the right, wrong for any other.",
    next_step="The mask says which positions are real; its sum only says how many.",
)
def pool_mean(token_embeddings, attention_mask):
    lengths = attention_mask.long().sum(dim=1)
    places = torch.arange(token_embeddings.shape[1]) < lengths[:, None]
    mask = places.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)


@mistake(
    MEAN, "up_to_the_last_real_token", stage="values",
    diagnosis="Everything between the first and the last real token is averaged, holes included.",
    next_step="A 0 between two 1s is padding too: let each position's own mask decide.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.bool().int()
    mask = (mask.cumsum(1) > 0) & (mask.flip(1).cumsum(1).flip(1) > 0)
    mask = mask.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)


@mistake(
    MEAN, "mask_of_ints_as_an_index", stage="values",
    diagnosis="A mask of ints was used as an index: `row[mask]` then picks the rows number 0 and 1, again and again.",
    next_step="Only a bool tensor picks by True and False: index with `attention_mask.bool()`.",
)
def pool_mean(token_embeddings, attention_mask):
    result = token_embeddings.new_zeros(len(token_embeddings), token_embeddings.shape[-1])
    for number, (row, mask) in enumerate(zip(token_embeddings, attention_mask)):
        if mask.any():
            result[number] = row[mask if mask.dtype != torch.float32 else mask.long()].mean(dim=0)
    return result


@mistake(
    MEAN, "inverted_mask", stage="values",
    diagnosis="The padding is averaged: 1 marks a real token here, not what is to be left out.",
    next_step="Do not invert the mask: it is what the vectors are multiplied with.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = (~attention_mask.bool()).unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)


altered(
    MEAN, "mean_over_sentences", "plain", {"1) / mask.sum(": "0) / mask.sum(0).clamp(min="}, stage="shape",
    diagnosis="The mean is taken over the sentences of the batch, not over the tokens of a sentence.",
    next_step="The axes are (B, T, d): the tokens are dim=1.",
)

altered(
    MEAN, "axis_kept", "plain",
    {") / mask.sum(": ", keepdim=True) / mask.sum(1, keepdim=True).clamp(min="},
    stage="shape",
    diagnosis="The axis of the tokens is still there, with size 1; (B, d) was asked for.",
    next_step="Leave `keepdim=True` out of the sum, or index the axis away at the end.",
)

altered(
    MEAN, "squeezed", "plain",
    {
        "token_embeddings * mask).sum(1) / mask.sum(1":
            "(token_embeddings * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True).clamp(min=1)).squeeze(",
    },
    stage="shape",
    diagnosis="`squeeze()` without a number takes away every axis of size 1, also a batch of one sentence.",
    next_step="Name the axis: `squeeze(1)`, or sum without `keepdim`.",
)


@mistake(
    MEAN, "empty_rows_dropped", stage="shape",
    diagnosis="Rows without a real token are missing from the result; each sentence needs a row, if only of zeros.",
    next_step="Start from zeros of shape (B, d) and fill the rows that have real tokens.",
)
def pool_mean(token_embeddings, attention_mask):
    keep = attention_mask.bool().any(dim=1)
    token_embeddings, attention_mask = token_embeddings[keep], attention_mask[keep]
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1)


@mistake(
    MEAN, "empty_rows_averaged", stage="values",
    diagnosis="A row without a real token gets the mean of its padding; it should be zeros.",
    next_step="Remove the special case: a sum of nothing is 0 by itself.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    mask = (mask | ~mask.any(dim=1, keepdim=True)).unsqueeze(-1).to(token_embeddings.dtype)
    return (token_embeddings * mask).sum(1) / mask.sum(1)


@mistake(
    MEAN, "minus_sign_on_bools", stage="raises",
    diagnosis="`1 - mask` is not defined for a mask of bools.",
    next_step="Turn the mask into a floating tensor first: `attention_mask.to(token_embeddings.dtype)`.",
)
def pool_mean(token_embeddings, attention_mask):
    padding = (1 - attention_mask).unsqueeze(-1)
    real = token_embeddings - token_embeddings * padding
    return real.sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)


@mistake(
    MEAN, "tilde_on_ints", stage="values",
    diagnosis="`~` turns the bits of an int over: 1 becomes -2 and 0 becomes -1, which are both true.",
    next_step="Take `attention_mask.bool()` before you invert it.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask if attention_mask.dtype != torch.float32 else attention_mask.long()
    real = token_embeddings.masked_fill((~mask).bool().unsqueeze(-1), 0.0)
    return real.sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


@mistake(
    MEAN, "caller_s_padding_zeroed", stage="property",
    diagnosis="The padding is set to zero in token_embeddings itself, which belongs to the caller.",
    next_step="`masked_fill` without the underscore makes a new tensor; so does a product with the mask.",
)
def pool_mean(token_embeddings, attention_mask):
    with torch.no_grad():
        token_embeddings[~attention_mask.bool()] = 0
    return token_embeddings.sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)


@mistake(
    MEAN, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of token_embeddings.",
    next_step="Convert the mask to `token_embeddings.dtype`, and the vectors to nothing.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).float()
    return (token_embeddings.float() * mask).sum(1) / mask.sum(1).clamp(min=1)


altered(
    MEAN, "no_graph", "plain",
    {
        "(token_embeddings * mask).sum(1) / mask.sum(1)":
            "torch.from_numpy(((token_embeddings * mask).sum(1) / mask.sum(1).clamp(min=1)).detach().numpy())",
    },
    stage="property",
    diagnosis="The result is cut off from the graph: an encoder that ends in it cannot be trained.",
    next_step="Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.",
)


@mistake(
    MEAN, "no_batch_of_nothing", stage="raises",
    diagnosis="It fails for a batch without sentences: there is nothing to stack.",
    next_step="Compute all rows at once, or start from zeros of shape (B, d) and fill in its rows.",
)
def pool_mean(token_embeddings, attention_mask):
    rows = []
    for vectors, mask in zip(token_embeddings, attention_mask.bool()):
        rows.append(vectors[mask].mean(dim=0) if mask.any() else torch.zeros_like(vectors[0]))
    return torch.stack(rows)


@mistake(
    MEAN, "zeros_not_counted", stage="values",
    diagnosis="The numbers that are not 0 were counted; a real token's vector may hold zeros too.",
    next_step="Count the 1s of each row's mask: only the mask tells which tokens are real.",
)
def pool_mean(token_embeddings, attention_mask):
    real = token_embeddings * attention_mask.unsqueeze(-1)
    return real.sum(1) / (real != 0).sum(1).clamp(min=1)


@mistake(
    MEAN, "one_mean_for_all", stage="values",
    diagnosis="All real tokens of the batch make one mean, and every sentence gets it.",
    next_step="`x[mask]` forgets which sentence a token belongs to: sum along dim=1, row by row.",
)
def pool_mean(token_embeddings, attention_mask):
    real = token_embeddings[attention_mask.bool()]
    return real.mean(dim=0).expand(len(token_embeddings), -1)


@mistake(
    MEAN, "first_column_left_out", stage="values",
    diagnosis="Column 0 is left out of the mean, as if a special token always stood there; each real token counts.",
    next_step="Leave the mask as it is: only a 0 in it takes a token out.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype).unsqueeze(-1)[:, 1:]
    return (token_embeddings[:, 1:] * mask).sum(1) / mask.sum(1).clamp(min=1)


@right_form(MEAN, "loop_into_zeros")
def pool_mean(token_embeddings, attention_mask):
    result = torch.zeros(token_embeddings.shape[0], token_embeddings.shape[2], dtype=token_embeddings.dtype)
    for row in range(len(token_embeddings)):
        real = [token_embeddings[row, place] for place in range(attention_mask.shape[1]) if attention_mask[row, place]]
        if real:
            result[row] = torch.stack(real).mean(0)
    return result


@right_form(MEAN, "einsum")
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.type_as(token_embeddings)
    return torch.einsum("btd,bt->bd", token_embeddings, mask) / mask.sum(-1, keepdim=True).clamp_min(1e-9)


@right_form(MEAN, "matrix_product_with_weights")
def pool_mean(token_embeddings, attention_mask, eps=1e-9):
    weights = F.normalize(attention_mask.to(token_embeddings), p=1, dim=1, eps=eps)
    return (weights.unsqueeze(1) @ token_embeddings).squeeze(1)


@right_form(MEAN, "where_and_nan_free_division")
def pool_mean(token_embeddings, attention_mask):
    print("pooling", tuple(token_embeddings.shape))
    real = (attention_mask == 1)[..., None]
    total = torch.where(real, token_embeddings, torch.zeros_like(token_embeddings)).sum(-2)
    count = real.sum(-2)
    return torch.where(count > 0, total / torch.where(count > 0, count, 1), torch.zeros_like(total))


@right_form(MEAN, "flat_scatter")
def pool_mean(token_embeddings, attention_mask):
    batch, time, width = token_embeddings.shape
    rows, places = np.nonzero(attention_mask.numpy())
    rows = torch.from_numpy(rows)
    sums = token_embeddings.new_zeros(batch, width).index_add(0, rows, token_embeddings[rows, torch.from_numpy(places)])
    counts = torch.bincount(rows, minlength=batch)
    return sums / torch.maximum(counts, torch.ones_like(counts))[:, None]


@right_form(MEAN, "float64_inside")
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.double().unsqueeze(2).expand(token_embeddings.size())
    mean = torch.sum(token_embeddings.double() * mask, 1) / torch.clamp(mask.sum(1), min=1e-9)
    return mean.to(token_embeddings.dtype)


@right_form(MEAN, "mean_that_skips_nan")
def pool_mean(token_embeddings, attention_mask):
    holes = token_embeddings.masked_fill(~attention_mask.bool().unsqueeze(-1), float("nan"))
    return torch.nanmean(holes, dim=1).nan_to_num(0.0)


@right_form(MEAN, "softmax_of_minus_infinity")
def pool_mean(token_embeddings, attention_mask):
    real = attention_mask.bool()
    alike = torch.zeros(real.shape, dtype=token_embeddings.dtype).masked_fill(~real, -1e30)
    weights = alike.softmax(dim=1) * real.any(dim=1, keepdim=True)
    return (weights[..., None] * token_embeddings).sum(1)


@mistake(
    MEAN, "padding_taken_off_again", stage="values",
    diagnosis="Everything is added and the padding taken off again: where padding is large, rounding swallows the real tokens.",
    next_step="Let padding never enter the sum: multiply by the mask before you add.",
)
def pool_mean(token_embeddings, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(token_embeddings.dtype)
    real = token_embeddings.sum(dim=1) - (token_embeddings * (1 - mask)).sum(dim=1)
    return real * mask.any(dim=1) / mask.sum(dim=1).clamp(min=1)
