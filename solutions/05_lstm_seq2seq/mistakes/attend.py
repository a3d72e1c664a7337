# exercise 05.attend
import math

import torch
import torch.nn.functional as F


# base plain
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=1) * mask
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


# mistake scaled (values), from plain
# The scores are divided by the root of H; this attention has no scale.
# Next: Leave the division out.
#   (query.unsqueeze(1) * memory).sum(dim=-1) => (query.unsqueeze(1) * memory).sum(dim=-1) / math.sqrt(query.shape[1])

# mistake no_softmax (values), from plain
# The scores themselves are used as weights.
# Next: Put the scores through a softmax, so that they add up to 1.
#   -    scores = scores.masked_fill(~mask, -1e9)
#   scores.softmax(dim=1) => scores

# mistake softmax_over_the_batch (values), from plain
# The softmax runs over the batch: the weights of a row do not add up to 1.
# Next: Use `dim=1`, the words.
#   scores.softmax(dim=1) => scores.softmax(dim=0)

# mistake mask_ignored (values), from plain
# The mask is not used: padding gets weight.
# Next: Give masked words a very low score before the softmax.
#   -    scores = scores.masked_fill(~mask, -1e9)
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1)

# mistake mask_turned_round (values), from plain
# True means that a word may be looked at; here it is the words with True that are left out.
# Next: Mask where the mask is False: `~mask`.
#   ~mask => mask
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1) * ~mask

# mistake mask_turned_round_with_infinity (not finite), from plain
# True means that a word may be looked at; here it is the words with True that get -inf, and the softmax of nothing but -inf is
# nan.
# Next: Mask where the mask is False: `~mask`.
#   ~mask, -1e9 => mask, float("-inf")
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1)

# mistake shared_out_again_without_a_guard (not finite), from plain
# Masked words still take part in the softmax; where they take all of it, the others are divided by their sum of 0, which is
# nan.
# Next: Before the softmax, set masked scores to a number far below every score, such as -1e9.
#   scores = scores.masked_fill(~mask, -1e9) => weights = scores.softmax(dim=1) * mask
#   scores.softmax(dim=1) * mask => weights / weights.sum(dim=1, keepdim=True)

# mistake masked_after_the_softmax (values), from plain
# Masked words are set to 0 after the softmax; what is left no longer adds up to 1.
# Next: Mask the scores before the softmax.
#   -    scores = scores.masked_fill(~mask, -1e9)

# mistake shared_out_again (values), from plain
# Masked words still take part in the softmax: below a large masked score nothing is left for the others.
# Next: Before the softmax, set masked scores to a number far below every score, such as -1e9.
#   scores = scores.masked_fill(~mask, -1e9) => weights = scores.softmax(dim=1) * mask
#   scores.softmax(dim=1) * mask => weights / weights.sum(dim=1, keepdim=True).clamp(min=1e-9)

# mistake masked_scores_are_0 (values), from plain
# Masked scores are set to 0, which is a score like any other.
# Next: Set them to a very low number, or to -inf.
#   (query.unsqueeze(1) * memory).sum(dim=-1) => (query.unsqueeze(1) * memory).sum(dim=-1) * mask
#   -    scores = scores.masked_fill(~mask, -1e9)
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1)

# mistake masked_scores_not_low_enough (values), from plain
# Masked scores are set to -100; scores may be lower than that, and then the masked words win.
# Next: Use a number far below every score, such as -1e9, or -inf.
#   -1e9 => -100.0

# mistake masked_scores_lowered_too_little (values), from plain
# 1000 is taken from masked scores; a large one is still among the highest then.
# Next: Set masked scores to a number far below every score, such as -1e9, or to -inf.
#   scores.masked_fill(~mask, -1e9) => scores + ~mask * -1e3
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1) * mask.any(dim=1, keepdim=True)

# mistake nan_where_nothing_is_left (not finite), from plain
# The softmax of nothing but -inf is nan.
# Next: Take a very low finite number, and set the weights to 0 where the mask is False.
#   -1e9 => float("-inf")
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1)

# mistake nan_in_the_gradient (not finite), from plain
# The nan of an empty row is replaced afterwards; its gradient is nan all the same.
# Next: Avoid the nan: take a very low finite number instead of -inf.
#   scores.masked_fill(~mask, -1e9) => scores + mask.to(scores.dtype).log()
#   scores.softmax(dim=1) * mask => torch.nan_to_num(scores.softmax(dim=1))

# mistake same_weight_where_nothing_is_left (values), from plain
# A row that may look at nothing gets the same weight everywhere; it gets none.
# Next: Set the weights to 0 where the mask is False.
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1)

# mistake context_before_the_zeros (values), from plain
# The weights of an empty row are zeros, its context is not: that was made before.
# Next: Make the context from the final weights.
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1)
#   context, weights => context, weights * mask

# mistake weights_of_empty_rows_left (values), from plain
# The context of an empty row is zeros, its weights are not.
# Next: Set the weights to 0 first, and make the context from them.
#   scores.softmax(dim=1) * mask => scores.softmax(dim=1)
#   context, weights => context * mask.any(dim=1, keepdim=True), weights

# mistake exponentials_overflow (not finite), from plain
# exp of a large score is inf, and inf / inf is nan.
# Next: Use `softmax`, or subtract each row's largest score first.
#   scores = scores.masked_fill(~mask, -1e9) => weights = scores.exp() * mask
#   scores.softmax(dim=1) * mask => weights / weights.sum(dim=1, keepdim=True).clamp(min=1e-30)

# mistake divided_by_the_words (values), from plain
# The weighted sum is divided by the number of words; the weights already add up to 1.
# Next: Add up, and do not divide.
#   (weights.unsqueeze(-1) * memory).sum => (weights.unsqueeze(-1) * memory).mean

# mistake cosine (values), from plain
# The scores are cosines; plain dot products were asked for.
# Next: Leave the normalisation out.
#   (query.unsqueeze(1) * memory).sum(dim=-1) => F.cosine_similarity(query.unsqueeze(1), memory, dim=-1)

# mistake best_word_only (values), from plain
# All weight goes to the best word; a softmax distributes it over all words.
# Next: Replace argmax by a softmax.
#   scores.softmax(dim=1) => F.one_hot(scores.argmax(dim=1), scores.shape[1]).to(scores.dtype)

# mistake query_added (values), from plain
# The query is added to the context.
# Next: Return the weighted sum alone.
#   (weights.unsqueeze(-1) * memory).sum(dim=1) => (weights.unsqueeze(-1) * memory).sum(dim=1) + query

# mistake log_weights (values), from plain
# The weights are logarithms.
# Next: Use `softmax`, not `log_softmax`.
#   context, weights => context, scores.log_softmax(dim=1)

# mistake weights_first (shape), from plain
# The two results are swapped: first the context, then the weights.
# Next: `return context, weights`.
#   context, weights => weights, context

# mistake only_the_context (type), from plain
# Only the context comes back; the weights are asked for as well.
# Next: `return context, weights`.
#   context, weights => context

# mistake weights_with_three_axes (shape), from plain
# The weights come back as (B, S, 1), but the exercise asks for (B, S).
# Next: Add the axis for the product only.
#   scores.softmax(dim=1) * mask => (scores.softmax(dim=1) * mask).unsqueeze(-1)
#   -    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
#   context, weights => (weights * memory).sum(dim=1), weights

# mistake context_with_three_axes (shape), from plain
# The context comes back as (B, 1, H), but the exercise asks for (B, H).
# Next: Squeeze that axis, and that one alone.
#   -    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
#   -    return context, weights
#   +    return weights.unsqueeze(1) @ memory, weights


# mistake squeezed (shape)
# With one row or one word an axis too many disappears: `squeeze()` drops every axis of size 1.
# Next: Say which axis: `squeeze(-1)`.
def attend(query, memory, mask):
    scores = (memory @ query.unsqueeze(-1)).squeeze()
    if scores.shape == mask.shape:
        scores = scores.masked_fill(~mask, -1e9)
        weights = scores.softmax(dim=-1) * mask
    else:
        weights = scores.softmax(dim=-1) if scores.ndim else scores * 0 + 1
    context = (weights.reshape(mask.shape).unsqueeze(1) @ memory).squeeze()
    return context, weights


# mistake query_on_the_wrong_axis (raises), from plain
# The query is broadcast along the wrong axis: it has one vector for each row, not for each word.
# Next: Give it an axis in the middle: `query.unsqueeze(1)`.
#   query.unsqueeze(1) => query

# mistake memory_written_to (property), from plain
# Masked rows of the memory are set to 0, and the memory belongs to the caller.
# Next: Mask the scores instead.
#    def attend(query, memory, mask):
#   +    if not memory.requires_grad:
#   +        memory[~mask] = 0

# mistake view_of_memory (raises), from plain
# `view` fails when the memory has gaps in memory.
# Next: Use `reshape`, or einsum.
#   -    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
#   +    flat = memory.view(-1, memory.shape[2])
#   +    scores = (flat * query.repeat_interleave(memory.shape[1], dim=0)).sum(dim=1).view(mask.shape)

# mistake always_float32 (dtype), from plain
# float64 in, float32 out.
# Next: Keep the dtype of query and memory: no `.float()`, and no tensor made of Python numbers (`.item()`, `.tolist()`).
#    def attend(query, memory, mask):
#   +    query, memory = query.float(), memory.float()

# mistake float32_inside (values), from plain
# The scores are rounded to float32 on the way, and large terms that nearly cancel leave only the rounding.
# Next: Leave `.float()` out.
#   (query.unsqueeze(1) * memory).sum(dim=-1) => (query.float().unsqueeze(1) * memory.float()).sum(dim=-1).to(query.dtype)

# mistake weights_detached (property), from plain
# The weights are detached: the query learns nothing, and the memory only half.
# Next: Leave `.detach()` out.
#   scores.softmax(dim=1) * mask => (scores.softmax(dim=1) * mask).detach()

# mistake memory_detached (property), from plain
# The memory is detached: the encoder learns nothing from a look back.
# Next: Leave `.detach()` out.
#    def attend(query, memory, mask):
#   +    memory = memory.detach()


# mistake no_graph (property)
# Nothing is recorded, so nothing can learn.
# Next: No `torch.no_grad()`, `.detach()` or `.data`, and no tensor made of Python numbers (`.item()`, `.tolist()`).
def attend(query, memory, mask):
    with torch.no_grad():
        scores = (query.unsqueeze(1) * memory).sum(dim=-1)
        scores = scores.masked_fill(~mask, -1e9)
        weights = scores.softmax(dim=1) * mask
        context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


# right form batched_products
def attend(query, memory, mask):
    scores = torch.bmm(memory, query.unsqueeze(2)).squeeze(2)
    scores = scores + (~mask).to(scores.dtype) * -1e9
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return torch.bmm(weights.unsqueeze(1), memory).squeeze(1), weights


# right form row_by_row_over_real_words
def attend(query, memory, mask, verbose=False):
    contexts, rows = [], []
    for q, words, real in zip(query, memory, mask):
        weights = torch.zeros(len(words), dtype=query.dtype)
        if real.any():
            places = real.nonzero().flatten()
            weights = weights.index_put((places,), torch.softmax(words[places] @ q, dim=0))
        rows.append(weights)
        contexts.append(weights @ words)
    return torch.stack(contexts), torch.stack(rows)


# right form minus_infinity_where_something_is_left
def attend(query, memory, mask):
    scores = torch.einsum("bh,bsh->bs", query, memory)
    some = mask.any(dim=1, keepdim=True)
    hidden = ~mask & some
    weights = scores.masked_fill(hidden, float("-inf")).softmax(-1) * some.to(scores.dtype)
    return torch.einsum("bs,bsh->bh", weights, memory), weights


# right form softmax_by_hand
def attend(query, memory, mask):
    scores = torch.matmul(memory, query[..., None])[..., 0]
    low = torch.full_like(scores, -1e30)
    highest = torch.where(mask, scores, low).amax(dim=1, keepdim=True)
    exps = torch.where(mask, (torch.where(mask, scores, highest) - highest).exp(), torch.zeros_like(scores))
    total = exps.sum(dim=1, keepdim=True)
    weights = exps / torch.where(total > 0, total, torch.ones_like(total))
    print(weights.sum(dim=1))
    return [(weights[:, :, None] * memory).sum(1), weights]


# right form nan_replaced
def attend(query, memory, mask):
    scores = (memory * query[:, None, :]).sum(2)
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=1).nan_to_num(0.0)
    return (weights[..., None] * memory).sum(dim=-2), weights


# right form float64_inside
def attend(query, memory, mask):
    scores = (query.double()[:, None] * memory.double()).sum(-1).masked_fill(mask.logical_not(), -1e15)
    weights = F.softmax(scores, dim=1) * mask.double()
    context = (weights[:, None] @ memory.double())[:, 0]
    return context.to(memory.dtype), weights.to(memory.dtype)


# right form a_word_of_zeros_to_fall_back_on
def attend(query, memory, mask):
    scores = torch.einsum("bsh,bh->bs", memory, query).masked_fill(~mask, -1e9)
    floor = torch.where(mask.any(1, keepdim=True), -3e9, 1e9).to(scores.dtype)
    weights = torch.cat([scores, floor], dim=1).softmax(dim=1)[:, :-1]
    return torch.einsum("bs,bsh->bh", weights, memory), weights


# mistake one_maximum_for_all_rows (values)
# The largest score of the whole batch is subtracted: in a row far below it every exp is 0.
# Next: Each row has a largest score of its own: `scores.amax(dim=1, keepdim=True)`, or torch's softmax.
def attend(query, memory, mask):
    scores = torch.einsum("bh,bsh->bs", query, memory).masked_fill(~mask, -1e9)
    odds = torch.exp(scores - scores.max()) * mask
    weights = odds / (odds.sum(dim=1, keepdim=True) + 1e-12)
    return torch.einsum("bs,bsh->bh", weights, memory), weights


# right form torchs_own_attention
def attend(query, memory, mask):
    some = mask.any(dim=1, keepdim=True)
    allowed = mask | ~some  # softmax of nothing is nan, also in its gradient
    scores = torch.bmm(memory, query[..., None])[..., 0].masked_fill(~allowed, -math.inf)
    weights = torch.where(some, scores.softmax(dim=1), 0.0)
    context = F.scaled_dot_product_attention(query[:, None], memory, memory, attn_mask=allowed[:, None], scale=1.0)
    return [context[:, 0] * some, weights]
