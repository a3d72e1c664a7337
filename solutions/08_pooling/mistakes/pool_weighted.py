"""Wrong answers about the weighted mean by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import mistake, right_form

WEIGHTED = "08.pool_weighted"


@mistake(
    WEIGHTED, "weights_count_columns", stage="values",
    diagnosis="The weights are the columns 1 … T: padding in front of a token or between two uses numbers up.",
    next_step="The mask 0 1 0 1 1 has the weights 0 1 0 2 3: count the real tokens.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (torch.arange(1, mask.shape[1] + 1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "padding_keeps_a_weight", stage="values",
    diagnosis="The running total goes on at padding, so padding has a weight too.",
    next_step="Multiply the running total with the mask once more.",
)
def pool_weighted(token_embeddings, attention_mask):
    weights = attention_mask.to(token_embeddings.dtype).cumsum(dim=1).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "divided_by_the_count", stage="values",
    diagnosis="The weighted sum is divided by the number of real tokens; a weighted mean divides by the sum of the weights.",
    next_step="If all vectors are equal, the mean must be that vector: (1 + 2 + 3) / 3 is not 1.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


@mistake(
    WEIGHTED, "divided_by_the_width_s_sum", stage="values",
    diagnosis="The sum 1 + 2 + … + T is divided by, as if every position were real.",
    next_step="Divide each row by the sum of its own weights.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    time = mask.shape[1]
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / (time * (time + 1) / 2)


@mistake(
    WEIGHTED, "not_divided", stage="values",
    diagnosis="This is the weighted sum; the division by the sum of the weights is missing.",
    next_step="Divide each row by the sum of its own weights.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    return (token_embeddings * (mask.cumsum(dim=1) * mask).unsqueeze(-1)).sum(1)


@mistake(
    WEIGHTED, "plain_mean", stage="values",
    diagnosis="All real tokens weigh the same here; the second one should weigh twice as much as the first.",
    next_step="Replace the mask by its running total, times the mask.",
)
def pool_weighted(token_embeddings, attention_mask):
    return pool_mean(token_embeddings, attention_mask)


@mistake(
    WEIGHTED, "weights_from_zero", stage="values",
    diagnosis="The weights begin with 0, so the first real token does not count at all.",
    next_step="They are 1, 2, 3, …: a running total of the mask begins with 1 by itself.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = ((mask.cumsum(dim=1) - 1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "earlier_tokens_count_more", stage="values",
    diagnosis="The weights run backwards: the first token has the largest one.",
    next_step="The first real token has the weight 1.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.flip(1).cumsum(dim=1).flip(1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "along_the_batch", stage="values",
    diagnosis="The running total goes down the sentences of the batch, not along the tokens.",
    next_step="`cumsum(dim=1)`: the tokens are the second axis of the mask.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=0) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "softmax_of_the_weights", stage="values",
    diagnosis="The weights went through a softmax: they grow exponentially, not one by one.",
    next_step="Divide the weights by their sum; no exponential is needed.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = mask.cumsum(dim=1).masked_fill(mask == 0, -1e9).softmax(dim=1).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) * mask.bool().any(dim=1, keepdim=True)


@mistake(
    WEIGHTED, "mean_of_the_mean", stage="values",
    diagnosis="The weights are divided by their sum, and the result once more by T.",
    next_step="Weights that sum to 1 need no further division: sum, do not average.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = mask.cumsum(dim=1) * mask
    weights = weights / weights.sum(dim=1, keepdim=True).clamp(min=1)
    return (token_embeddings * weights.unsqueeze(-1)).mean(dim=1)


@mistake(
    WEIGHTED, "nan_for_an_empty_row", stage="not finite",
    diagnosis="A row without a real token is divided by 0.",
    next_step="Clamp the sum of the weights to at least 1: zeros divided by 1 stay zeros.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1)


@mistake(
    WEIGHTED, "nan_replaced_afterwards", stage="not finite",
    diagnosis="The result is right, but its gradient is nan: the division by 0 was made, and only then covered up.",
    next_step="Keep the 0 out of the division: `clamp(min=1)` on the sum of the weights.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return torch.nan_to_num((token_embeddings * weights).sum(1) / weights.sum(1))


@mistake(
    WEIGHTED, "one_more_in_the_sum", stage="values",
    diagnosis="One is added to every sum of weights, so that every mean comes out too small.",
    next_step="Only a sum of 0 needs help: `clamp(min=1)` leaves the others alone.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / (weights.sum(1) + 1)


@mistake(
    WEIGHTED, "real_tokens_in_front", stage="values",
    diagnosis="The first `length` positions get the weights 1, 2, 3, …: right for padding on the right only.",
    next_step="The mask says which positions are real; its sum only says how many.",
)
def pool_weighted(token_embeddings, attention_mask):
    lengths = attention_mask.long().sum(dim=1, keepdim=True)
    places = torch.arange(1, token_embeddings.shape[1] + 1)
    weights = (places * (places <= lengths)).to(token_embeddings.dtype).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "bools_added_to_bools", stage="raises",
    diagnosis="`1 - mask` is not defined for a mask of bools.",
    next_step="Convert the mask to token_embeddings' dtype before you compute with it.",
)
def pool_weighted(token_embeddings, attention_mask):
    weights = attention_mask.cumsum(dim=1)
    weights = (weights - weights * (1 - attention_mask)).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of token_embeddings.",
    next_step="Convert the mask to `token_embeddings.dtype`, and the vectors to nothing.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.float()
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings.float() * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "caller_s_mask_summed_up", stage="property",
    diagnosis="The weights were written into attention_mask, which belongs to the caller.",
    next_step="`cumsum` without the underscore makes a new tensor.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    if attention_mask.dtype == torch.bool:
        attention_mask = attention_mask.long()
    weights = (attention_mask.cumsum_(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "caller_s_vectors_weighted", stage="property",
    diagnosis="token_embeddings itself was multiplied with the weights; it belongs to the caller.",
    next_step="`x * weights` makes a new tensor, `x *= weights` does not.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    if not token_embeddings.requires_grad:
        token_embeddings *= weights
        return token_embeddings.sum(1) / weights.sum(1).clamp(min=1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "no_graph", stage="property",
    diagnosis="The result is cut off from the graph: an encoder that ends in it cannot be trained.",
    next_step="Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings.detach() * weights).sum(1) / weights.sum(1).clamp(min=1)


@mistake(
    WEIGHTED, "squared_weights", stage="values",
    diagnosis="The weights are 1, 4, 9, …: the squares of the numbers of the tokens.",
    next_step="Multiply the running total with the mask, once.",
)
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = ((mask.cumsum(dim=1) * mask) ** 2).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


@right_form(WEIGHTED, "mean_of_weighted_vectors")
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    count = mask.sum(dim=1, keepdim=True)
    mean = pool_mean(token_embeddings * (mask.cumsum(1)).unsqueeze(-1), attention_mask)
    return mean * 2 / (count + 1)


@right_form(WEIGHTED, "loop_with_a_counter")
def pool_weighted(token_embeddings, attention_mask):
    result = token_embeddings.new_zeros(len(token_embeddings), token_embeddings.shape[-1])
    for row in range(len(token_embeddings)):
        count, total, weights = 0, 0.0, 0
        for place in range(token_embeddings.shape[1]):
            if attention_mask[row, place]:
                count += 1
                total = total + count * token_embeddings[row, place]
                weights += count
        if weights:
            result[row] = total / weights
    return result


@right_form(WEIGHTED, "einsum_with_normalised_weights")
def pool_weighted(token_embeddings, attention_mask):
    weights = attention_mask.bool() * attention_mask.bool().cumsum(dim=-1)
    weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)
    return torch.einsum("btd,bt->bd", token_embeddings, weights.to(token_embeddings.dtype))


@right_form(WEIGHTED, "numpy_weights")
def pool_weighted(token_embeddings, attention_mask):
    real = np.asarray(attention_mask, dtype=np.float64)
    weights = torch.from_numpy(real * np.cumsum(real, axis=1)).to(token_embeddings.dtype)
    total = torch.bmm(weights[:, None], token_embeddings)[:, 0]
    return total / weights.sum(1, keepdim=True).clamp(min=0.5)


@right_form(WEIGHTED, "average_of_suffix_sums")
def pool_weighted(token_embeddings, attention_mask, eps=1e-12):
    real = torch.where(attention_mask.bool().unsqueeze(-1), token_embeddings, 0.0)
    from_here_on = real.flip(1).cumsum(1).flip(1) * attention_mask.to(real.dtype).unsqueeze(-1)
    count = attention_mask.sum(1, keepdim=True).to(real.dtype)
    return from_here_on.sum(1) / (count * (count + 1) / 2).clamp(min=eps)


@right_form(WEIGHTED, "weights_from_zero_to_one")
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask / mask.sum(dim=1, keepdim=True).clamp(min=1)).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=0.5)
