# exercise 08.pool_weighted
import numpy as np
import torch


# base plain
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


# mistake weights_count_columns (values), from plain
# The weights are the columns 1 … T: padding in front of a token or between two uses numbers up.
# Next: The mask 0 1 0 1 1 has the weights 0 1 0 2 3: count the real tokens.
#   mask.cumsum(dim=1) => torch.arange(1, mask.shape[1] + 1)


# mistake padding_keeps_a_weight (values)
# The running total goes on at padding, so padding has a weight too.
# Next: Multiply the running total with the mask once more.
def pool_weighted(token_embeddings, attention_mask):
    weights = attention_mask.to(token_embeddings.dtype).cumsum(dim=1).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


# mistake divided_by_the_count (values), from plain
# The weighted sum is divided by the number of real tokens; a weighted mean divides by the sum of the weights.
# Next: If all vectors are equal, the mean must be that vector: (1 + 2 + 3) / 3 is not 1.
#   weights.sum(1) => mask.sum(1, keepdim=True)


# mistake divided_by_the_width_s_sum (values)
# The sum 1 + 2 + … + T is divided by, as if every position were real.
# Next: Divide each row by the sum of its own weights.
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    time = mask.shape[1]
    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / (time * (time + 1) / 2)


# mistake not_divided (values)
# This is the weighted sum; the division by the sum of the weights is missing.
# Next: Divide each row by the sum of its own weights.
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    return (token_embeddings * (mask.cumsum(dim=1) * mask).unsqueeze(-1)).sum(1)


# mistake plain_mean (values)
# All real tokens weigh the same here; the second one should weigh twice as much as the first.
# Next: Replace the mask by its running total, times the mask.
def pool_weighted(token_embeddings, attention_mask):
    return pool_mean(token_embeddings, attention_mask)


# mistake weights_from_zero (values), from plain
# The weights begin with 0, so the first real token does not count at all.
# Next: They are 1, 2, 3, …: a running total of the mask begins with 1 by itself.
#   (mask.cumsum(dim=1) * mask).unsqueeze => ((mask.cumsum(dim=1) - 1) * mask).unsqueeze

# mistake earlier_tokens_count_more (values), from plain
# The weights run backwards: the first token has the largest one.
# Next: The first real token has the weight 1.
#   mask.cumsum(dim=1) => mask.flip(1).cumsum(dim=1).flip(1)

# mistake along_the_batch (values), from plain
# The running total goes down the sentences of the batch, not along the tokens.
# Next: `cumsum(dim=1)`: the tokens are the second axis of the mask.
#   dim=1 => dim=0


# mistake softmax_of_the_weights (values)
# The weights went through a softmax: they grow exponentially, not one by one.
# Next: Divide the weights by their sum; no exponential is needed.
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = mask.cumsum(dim=1).masked_fill(mask == 0, -1e9).softmax(dim=1).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) * mask.bool().any(dim=1, keepdim=True)


# mistake mean_of_the_mean (values)
# The weights are divided by their sum, and the result once more by T.
# Next: Weights that sum to 1 need no further division: sum, do not average.
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    weights = mask.cumsum(dim=1) * mask
    weights = weights / weights.sum(dim=1, keepdim=True).clamp(min=1)
    return (token_embeddings * weights.unsqueeze(-1)).mean(dim=1)


# mistake nan_for_an_empty_row (not finite), from plain
# A row without a real token is divided by 0.
# Next: Clamp the sum of the weights to at least 1: zeros divided by 1 stay zeros.
#   weights.sum(1).clamp(min=1) => weights.sum(1)

# mistake nan_replaced_afterwards (not finite), from plain
# The result is right, but its gradient is nan: the division by 0 was made, and only then covered up.
# Next: Keep the 0 out of the division: `clamp(min=1)` on the sum of the weights.
#   -    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)
#   +    return torch.nan_to_num((token_embeddings * weights).sum(1) / weights.sum(1))

# mistake one_more_in_the_sum (values), from plain
# One is added to every sum of weights, so that every mean comes out too small.
# Next: Only a sum of 0 needs help: `clamp(min=1)` leaves the others alone.
#   -    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)
#   +    return (token_embeddings * weights).sum(1) / (weights.sum(1) + 1)


# mistake real_tokens_in_front (values)
# The first `length` positions get the weights 1, 2, 3, …: right for padding on the right only.
# Next: The mask says which positions are real; its sum only says how many.
def pool_weighted(token_embeddings, attention_mask):
    lengths = attention_mask.long().sum(dim=1, keepdim=True)
    places = torch.arange(1, token_embeddings.shape[1] + 1)
    weights = (places * (places <= lengths)).to(token_embeddings.dtype).unsqueeze(-1)
    return (token_embeddings * weights).sum(1) / weights.sum(1).clamp(min=1)


# mistake bools_added_to_bools (raises), from plain
# `1 - mask` is not defined for a mask of bools.
# Next: Convert the mask to token_embeddings' dtype before you compute with it.
#   mask = attention_mask.to(token_embeddings.dtype) => weights = attention_mask.cumsum(dim=1)
#   mask.cumsum(dim=1) * mask => weights - weights * (1 - attention_mask)

# mistake always_float32 (dtype), from plain
# The result is float32 whatever comes in; it should have the dtype of token_embeddings.
# Next: Convert the mask to `token_embeddings.dtype`, and the vectors to nothing.
#   attention_mask.to(token_embeddings.dtype) => attention_mask.float()
#   token_embeddings * weights => token_embeddings.float() * weights

# mistake caller_s_mask_summed_up (property), from plain
# The weights were written into attention_mask, which belongs to the caller.
# Next: `cumsum` without the underscore makes a new tensor.
#   -    weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
#   +    if attention_mask.dtype == torch.bool:
#   +        attention_mask = attention_mask.long()
#   +    weights = (attention_mask.cumsum_(dim=1) * mask).unsqueeze(-1)

# mistake caller_s_vectors_weighted (property), from plain
# token_embeddings itself was multiplied with the weights; it belongs to the caller.
# Next: `x * weights` makes a new tensor, `x *= weights` does not.
#        weights = (mask.cumsum(dim=1) * mask).unsqueeze(-1)
#   +    if not token_embeddings.requires_grad:
#   +        token_embeddings *= weights
#   +        return token_embeddings.sum(1) / weights.sum(1).clamp(min=1)

# mistake no_graph (property), from plain
# The result is cut off from the graph: an encoder that ends in it cannot be trained.
# Next: Stay in torch, without `.detach()`, `.data`, `.numpy()` and `torch.tensor(...)` on the way.
#   token_embeddings * weights => token_embeddings.detach() * weights

# mistake squared_weights (values), from plain
# The weights are 1, 4, 9, …: the squares of the numbers of the tokens.
# Next: Multiply the running total with the mask, once.
#   (mask.cumsum(dim=1) * mask).unsqueeze => ((mask.cumsum(dim=1) * mask) ** 2).unsqueeze


# right form mean_of_weighted_vectors
def pool_weighted(token_embeddings, attention_mask):
    mask = attention_mask.to(token_embeddings.dtype)
    count = mask.sum(dim=1, keepdim=True)
    mean = pool_mean(token_embeddings * (mask.cumsum(1)).unsqueeze(-1), attention_mask)
    return mean * 2 / (count + 1)


# right form loop_with_a_counter
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


# right form einsum_with_normalised_weights
def pool_weighted(token_embeddings, attention_mask):
    weights = attention_mask.bool() * attention_mask.bool().cumsum(dim=-1)
    weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)
    return torch.einsum("btd,bt->bd", token_embeddings, weights.to(token_embeddings.dtype))


# right form numpy_weights
def pool_weighted(token_embeddings, attention_mask):
    real = np.asarray(attention_mask, dtype=np.float64)
    weights = torch.from_numpy(real * np.cumsum(real, axis=1)).to(token_embeddings.dtype)
    total = torch.bmm(weights[:, None], token_embeddings)[:, 0]
    return total / weights.sum(1, keepdim=True).clamp(min=0.5)


# right form average_of_suffix_sums
def pool_weighted(token_embeddings, attention_mask, eps=1e-12):
    real = torch.where(attention_mask.bool().unsqueeze(-1), token_embeddings, 0.0)
    from_here_on = real.flip(1).cumsum(1).flip(1) * attention_mask.to(real.dtype).unsqueeze(-1)
    count = attention_mask.sum(1, keepdim=True).to(real.dtype)
    return from_here_on.sum(1) / (count * (count + 1) / 2).clamp(min=eps)


# right form weights_from_zero_to_one, from plain
#   mask.cumsum(dim=1) * mask => mask.cumsum(dim=1) * mask / mask.sum(dim=1, keepdim=True).clamp(min=1)
#   min=1 => min=0.5
