"""Wrong answers about attention by name, and unusual right ones."""

import math

import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

ATTEND = "05.attend"


@base("plain")
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=1) * mask
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


altered(
    ATTEND, "scaled", "plain", {"(dim=-1)": "(dim=-1) / math.sqrt(query.shape[1])"}, stage="values",
    diagnosis="The scores are divided by the root of H; this attention has no scale.",
    next_step="Leave the division out.",
)


@mistake(
    ATTEND, "no_softmax", stage="values",
    diagnosis="The scores themselves are used as weights.",
    next_step="Put the scores through a softmax, so that they add up to 1.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    weights = scores * mask
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


altered(
    ATTEND, "softmax_over_the_batch", "plain", {"(dim=1) ": "(dim=0) "}, stage="values",
    diagnosis="The softmax runs over the batch: the weights of a row do not add up to 1.",
    next_step="Use `dim=1`, the words.",
)


@mistake(
    ATTEND, "mask_ignored", stage="values",
    diagnosis="The mask is not used: padding gets weight.",
    next_step="Give masked words a very low score before the softmax.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    weights = scores.softmax(dim=1)
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "mask_turned_round", stage="values",
    diagnosis="True means that a word may be looked at; here it is the words with True that are left out.",
    next_step="Mask where the mask is False: `~mask`.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(mask, -1e9)
    weights = scores.softmax(dim=1) * ~mask
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "mask_turned_round_with_infinity", stage="not finite",
    diagnosis="True means that a word may be looked at; here it is the words with True that get -inf, and the softmax of "
    "nothing but -inf is nan.",
    next_step="Mask where the mask is False: `~mask`.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(dim=1)
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "shared_out_again_without_a_guard", stage="not finite",
    diagnosis="Masked words still take part in the softmax; where they take all of it, the others are divided by their sum "
    "of 0, which is nan.",
    next_step="Before the softmax, set masked scores to a number far below every score, such as -1e9.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    weights = scores.softmax(dim=1) * mask
    weights = weights / weights.sum(dim=1, keepdim=True)
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


altered(
    ATTEND, "masked_after_the_softmax", "plain",
    {"\n    scores = scores.masked_fill(~mask, -1e9)\n": "\n"},
    stage="values",
    diagnosis="Masked words are set to 0 after the softmax; what is left no longer adds up to 1.",
    next_step="Mask the scores before the softmax.",
)


@mistake(
    ATTEND, "shared_out_again", stage="values",
    diagnosis="Masked words still take part in the softmax: below a large masked score nothing is left for the others.",
    next_step="Before the softmax, set masked scores to a number far below every score, such as -1e9.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    weights = scores.softmax(dim=1) * mask
    weights = weights / weights.sum(dim=1, keepdim=True).clamp(min=1e-9)
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "masked_scores_are_0", stage="values",
    diagnosis="Masked scores are set to 0, which is a score like any other.",
    next_step="Set them to a very low number, or to -inf.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1) * mask
    weights = scores.softmax(dim=1)
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


altered(
    ATTEND, "masked_scores_not_low_enough", "plain", {"(~mask, -1e9)": "(~mask, -100.0)"}, stage="values",
    diagnosis="Masked scores are set to -100; scores may be lower than that, and then the masked words win.",
    next_step="Use a number far below every score, such as -1e9, or -inf.",
)


@mistake(
    ATTEND, "masked_scores_lowered_too_little", stage="values",
    diagnosis="1000 is taken from masked scores; a large one is still among the highest then.",
    next_step="Set masked scores to a number far below every score, such as -1e9, or to -inf.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores + ~mask * -1e3
    weights = scores.softmax(dim=1) * mask.any(dim=1, keepdim=True)
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "nan_where_nothing_is_left", stage="not finite",
    diagnosis="The softmax of nothing but -inf is nan.",
    next_step="Take a very low finite number, and set the weights to 0 where the mask is False.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=1)
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "nan_in_the_gradient", stage="not finite",
    diagnosis="The nan of an empty row is replaced afterwards; its gradient is nan all the same.",
    next_step="Avoid the nan: take a very low finite number instead of -inf.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores + mask.to(scores.dtype).log()
    weights = torch.nan_to_num(scores.softmax(dim=1))
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


altered(
    ATTEND, "same_weight_where_nothing_is_left", "plain", {" * mask": ""}, stage="values",
    diagnosis="A row that may look at nothing gets the same weight everywhere; it gets none.",
    next_step="Set the weights to 0 where the mask is False.",
)

altered(
    ATTEND, "context_before_the_zeros", "plain", {" * mask": "", ", weights": ", weights * mask"}, stage="values",
    diagnosis="The weights of an empty row are zeros, its context is not: that was made before.",
    next_step="Make the context from the final weights.",
)

altered(
    ATTEND, "weights_of_empty_rows_left", "plain",
    {" * mask": "", "context,": "context * mask.any(dim=1, keepdim=True),"},
    stage="values",
    diagnosis="The context of an empty row is zeros, its weights are not.",
    next_step="Set the weights to 0 first, and make the context from them.",
)


@mistake(
    ATTEND, "exponentials_overflow", stage="not finite",
    diagnosis="exp of a large score is inf, and inf / inf is nan.",
    next_step="Use `softmax`, or subtract each row's largest score first.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    weights = scores.exp() * mask
    weights = weights / weights.sum(dim=1, keepdim=True).clamp(min=1e-30)
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


altered(
    ATTEND, "divided_by_the_words", "plain", {"memory).sum(dim=1": "memory).mean(dim=1"}, stage="values",
    diagnosis="The weighted sum is divided by the number of words; the weights already add up to 1.",
    next_step="Add up, and do not divide.",
)

altered(
    ATTEND, "cosine", "plain",
    {
        "scores = (query.unsqueeze(1) * memory).sum(dim=-1)":
            "scores = F.cosine_similarity(query.unsqueeze(1), memory, dim=-1)",
    },
    stage="values",
    diagnosis="The scores are cosines; plain dot products were asked for.",
    next_step="Leave the normalisation out.",
)

altered(
    ATTEND, "best_word_only", "plain",
    {"scores.softmax(dim=1)": "F.one_hot(scores.argmax(dim=1), scores.shape[1]).to(scores.dtype)"},
    stage="values",
    diagnosis="All weight goes to the best word; a softmax distributes it over all words.",
    next_step="Replace argmax by a softmax.",
)

altered(
    ATTEND, "query_added", "plain", {"sum(dim=1)": "sum(dim=1) + query"}, stage="values",
    diagnosis="The query is added to the context.",
    next_step="Return the weighted sum alone.",
)

altered(
    ATTEND, "log_weights", "plain", {", weights": ", scores.log_softmax(dim=1)"}, stage="values",
    diagnosis="The weights are logarithms.",
    next_step="Use `softmax`, not `log_softmax`.",
)

altered(
    ATTEND, "weights_first", "plain", {"context, weights": "weights, context"}, stage="shape",
    diagnosis="The two results are swapped: first the context, then the weights.",
    next_step="`return context, weights`.",
)

altered(
    ATTEND, "only_the_context", "plain", {", weights": ""}, stage="type",
    diagnosis="Only the context comes back; the weights are asked for as well.",
    next_step="`return context, weights`.",
)


@mistake(
    ATTEND, "weights_with_three_axes", stage="shape",
    diagnosis="The weights come back as (B, S, 1); asked for is (B, S).",
    next_step="Add the axis for the product only.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(~mask, -1e9)
    weights = (scores.softmax(dim=1) * mask).unsqueeze(-1)
    return (weights * memory).sum(dim=1), weights


@mistake(
    ATTEND, "context_with_three_axes", stage="shape",
    diagnosis="The context comes back as (B, 1, H); asked for is (B, H).",
    next_step="Squeeze that axis, and that one alone.",
)
def attend(query, memory, mask):
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=1) * mask
    return weights.unsqueeze(1) @ memory, weights


@mistake(
    ATTEND, "squeezed", stage="shape",
    diagnosis="With one row or one word an axis too many disappears: `squeeze()` drops every axis of size 1.",
    next_step="Say which axis: `squeeze(-1)`.",
)
def attend(query, memory, mask):
    scores = (memory @ query.unsqueeze(-1)).squeeze()
    if scores.shape == mask.shape:
        scores = scores.masked_fill(~mask, -1e9)
        weights = scores.softmax(dim=-1) * mask
    else:
        weights = scores.softmax(dim=-1) if scores.ndim else scores * 0 + 1
    context = (weights.reshape(mask.shape).unsqueeze(1) @ memory).squeeze()
    return context, weights


altered(
    ATTEND, "query_on_the_wrong_axis", "plain", {".unsqueeze(1)": ""}, stage="raises",
    diagnosis="The query is broadcast along the wrong axis: it has one vector for each row, not for each word.",
    next_step="Give it an axis in the middle: `query.unsqueeze(1)`.",
)


@mistake(
    ATTEND, "memory_written_to", stage="property",
    diagnosis="Masked rows of the memory are set to 0, and the memory belongs to the caller.",
    next_step="Mask the scores instead.",
)
def attend(query, memory, mask):
    if not memory.requires_grad:
        memory[~mask] = 0
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=1) * mask
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "view_of_memory", stage="raises",
    diagnosis="`view` fails when the memory has gaps in memory.",
    next_step="Use `reshape`, or einsum.",
)
def attend(query, memory, mask):
    flat = memory.view(-1, memory.shape[2])
    scores = (flat * query.repeat_interleave(memory.shape[1], dim=0)).sum(dim=1).view(mask.shape)
    scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=1) * mask
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "always_float32", stage="dtype",
    diagnosis="float64 in, float32 out.",
    next_step="Keep the dtype of query and memory: no `.float()`, and no tensor made of Python numbers "
    "(`.item()`, `.tolist()`).",
)
def attend(query, memory, mask):
    query, memory = query.float(), memory.float()
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=1) * mask
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


altered(
    ATTEND, "float32_inside", "plain",
    {"unsqueeze(1) * memory).sum(dim=-1": "float().unsqueeze(1) * memory.float()).sum(dim=-1).to(query.dtype"},
    stage="values",
    diagnosis="The scores are rounded to float32 on the way, and large terms that nearly cancel leave only the rounding.",
    next_step="Leave `.float()` out.",
)

altered(
    ATTEND, "weights_detached", "plain",
    {"scores.softmax(dim=1) * mask": "(scores.softmax(dim=1) * mask).detach()"},
    stage="property",
    diagnosis="The weights are detached: the query learns nothing, and the memory only half.",
    next_step="Leave `.detach()` out.",
)


@mistake(
    ATTEND, "memory_detached", stage="property",
    diagnosis="The memory is detached: the encoder learns nothing from a look back.",
    next_step="Leave `.detach()` out.",
)
def attend(query, memory, mask):
    memory = memory.detach()
    scores = (query.unsqueeze(1) * memory).sum(dim=-1)
    scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=1) * mask
    context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@mistake(
    ATTEND, "no_graph", stage="property",
    diagnosis="Nothing is recorded, so nothing can learn.",
    next_step="No `torch.no_grad()`, `.detach()` or `.data`, and no tensor made of Python numbers (`.item()`, `.tolist()`).",
)
def attend(query, memory, mask):
    with torch.no_grad():
        scores = (query.unsqueeze(1) * memory).sum(dim=-1)
        scores = scores.masked_fill(~mask, -1e9)
        weights = scores.softmax(dim=1) * mask
        context = (weights.unsqueeze(-1) * memory).sum(dim=1)
    return context, weights


@right_form(ATTEND, "batched_products")
def attend(query, memory, mask):
    scores = torch.bmm(memory, query.unsqueeze(2)).squeeze(2)
    scores = scores + (~mask).to(scores.dtype) * -1e9
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return torch.bmm(weights.unsqueeze(1), memory).squeeze(1), weights


@right_form(ATTEND, "row_by_row_over_real_words")
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


@right_form(ATTEND, "minus_infinity_where_something_is_left")
def attend(query, memory, mask):
    scores = torch.einsum("bh,bsh->bs", query, memory)
    some = mask.any(dim=1, keepdim=True)
    hidden = ~mask & some
    weights = scores.masked_fill(hidden, float("-inf")).softmax(-1) * some.to(scores.dtype)
    return torch.einsum("bs,bsh->bh", weights, memory), weights


@right_form(ATTEND, "softmax_by_hand")
def attend(query, memory, mask):
    scores = torch.matmul(memory, query[..., None])[..., 0]
    low = torch.full_like(scores, -1e30)
    highest = torch.where(mask, scores, low).amax(dim=1, keepdim=True)
    exps = torch.where(mask, (torch.where(mask, scores, highest) - highest).exp(), torch.zeros_like(scores))
    total = exps.sum(dim=1, keepdim=True)
    weights = exps / torch.where(total > 0, total, torch.ones_like(total))
    print(weights.sum(dim=1))
    return [(weights[:, :, None] * memory).sum(1), weights]


@right_form(ATTEND, "nan_replaced")
def attend(query, memory, mask):
    scores = (memory * query[:, None, :]).sum(2)
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=1).nan_to_num(0.0)
    return (weights[..., None] * memory).sum(dim=-2), weights


@right_form(ATTEND, "float64_inside")
def attend(query, memory, mask):
    scores = (query.double()[:, None] * memory.double()).sum(-1).masked_fill(mask.logical_not(), -1e15)
    weights = F.softmax(scores, dim=1) * mask.double()
    context = (weights[:, None] @ memory.double())[:, 0]
    return context.to(memory.dtype), weights.to(memory.dtype)


@right_form(ATTEND, "a_word_of_zeros_to_fall_back_on")
def attend(query, memory, mask):
    scores = torch.einsum("bsh,bh->bs", memory, query).masked_fill(~mask, -1e9)
    floor = torch.where(mask.any(1, keepdim=True), -3e9, 1e9).to(scores.dtype)
    weights = torch.cat([scores, floor], dim=1).softmax(dim=1)[:, :-1]
    return torch.einsum("bs,bsh->bh", weights, memory), weights


@mistake(
    ATTEND, "one_maximum_for_all_rows", stage="values",
    diagnosis="The largest score of the whole batch is subtracted: in a row far below it every exp is 0.",
    next_step="Each row has a largest score of its own: `scores.amax(dim=1, keepdim=True)`, or torch's softmax.",
)
def attend(query, memory, mask):
    scores = torch.einsum("bh,bsh->bs", query, memory).masked_fill(~mask, -1e9)
    odds = torch.exp(scores - scores.max()) * mask
    weights = odds / (odds.sum(dim=1, keepdim=True) + 1e-12)
    return torch.einsum("bs,bsh->bh", weights, memory), weights


@right_form(ATTEND, "torchs_own_attention")
def attend(query, memory, mask):
    some = mask.any(dim=1, keepdim=True)
    allowed = mask | ~some  # softmax of nothing is nan, also in its gradient
    scores = torch.bmm(memory, query[..., None])[..., 0].masked_fill(~allowed, -math.inf)
    weights = torch.where(some, scores.softmax(dim=1), 0.0)
    context = F.scaled_dot_product_attention(query[:, None], memory, memory, attn_mask=allowed[:, None], scale=1.0)
    return [context[:, 0] * some, weights]
