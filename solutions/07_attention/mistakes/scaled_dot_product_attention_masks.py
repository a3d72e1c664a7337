# exercise 07.scaled_dot_product_attention
"""Attention: wrong answers about masks and queries without a key, by name."""

import math

import torch


# base plain
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


# mistake mask_turned_round (values), from plain
# The mask is read the wrong way round: True means that a key may be attended to.
# Next: Fill with minus infinity where the mask is False: `masked_fill(~mask, -math.inf)`.
#   scores.masked_fill(~mask, -1e9) => scores.masked_fill(mask, float("-inf"))
#   ~mask, 0 => mask, 0


# mistake mask_ignored (values)
# The mask is not used.
# Next: Between the scores and the softmax, give the forbidden positions the score minus infinity.
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ v, weights


# base added_minus_infinity
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


# mistake masked_scores_are_zero (values), from added_minus_infinity
# Forbidden scores are set to 0, and exp(0) is 1: those keys still count.
# Next: Fill with `-math.inf`, whose exp is 0.
#   scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf")) => scores * mask


# mistake masked_after_the_softmax (values)
# The mask is applied after the softmax: the weights that are left no longer sum to 1.
# Next: Mask the scores, before the softmax.
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


# mistake masked_and_divided_afterwards (values), from masked_after_the_softmax
# Masking after the softmax and dividing by what is left fails where a forbidden key had all the weight: the others are 0 by
# then.
# Next: Mask the scores, before the softmax; then nothing needs to be divided.
#            weights = weights * mask
#   +        weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-30)

# mistake small_mask_constant (values), from plain
# A forbidden score of -100 is not low enough: real scores may be lower.
# Next: Use `-math.inf`, or a constant far below every possible score such as -1e9.
#   ~mask, -1e9 => ~mask, -100.0
#   ~mask, 0 => ~mask.any(dim=-1, keepdim=True), 0

# mistake small_mask_constant_then_zeros (values), from plain
# A forbidden score of -100 is not low enough: where real scores are lower, the forbidden keys take the weight. Zeros behind the
# softmax do not give it back.
# Next: Use `-math.inf`, or a constant far below every possible score such as -1e9.
#   ~mask, -1e9 => ~mask, -100.0
#   weights.masked_fill(~mask, 0) => weights * mask

# mistake constant_of_a_thousand_then_zeros (values), from plain
# A forbidden score of -1000 is not low enough: where real scores come close to it, forbidden keys take weight, and zeros behind
# the softmax do not give it back.
# Next: Use `-math.inf`, or a constant far below every possible score such as -1e9.
#   ~mask, -1e9 => ~mask, -1000.0
#   weights.masked_fill(~mask, 0) => weights * mask

# mistake mask_constant_of_a_thousand (values), from plain
# A forbidden score of -1000 is not low enough: real scores come close to it.
# Next: Use `-math.inf`, or a constant far below every possible score such as -1e9.
#   ~mask, -1e9 => ~mask, -1000.0
#   ~mask, 0 => ~mask.any(dim=-1, keepdim=True), 0

# mistake a_thousand_taken_off (values), from plain
# A forbidden score is made smaller by 1000; one that was large may still be the largest.
# Next: Set it to `-math.inf` with `masked_fill`, or take off far more, such as 1e9.
#   scores.masked_fill(~mask, -1e9) => scores - 1000.0 * ~mask
#   ~mask, 0 => ~mask.any(dim=-1, keepdim=True), 0

# mistake nan_replaced_in_place (raises), from added_minus_infinity
# The nan are overwritten in the softmax's own result, which the backward pass still needs.
# Next: Make a new tensor: `weights.masked_fill(~mask, 0.0)`, without an underscore and without `weights[...] =`.
#   scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf")) => scores.masked_fill(~mask, float("-inf"))
#        weights = torch.softmax(scores, dim=-1)
#   +    weights[torch.isnan(weights)] = 0.0

# mistake output_mended_only (values), from plain
# Only the output of a query without keys becomes zeros; its weights are still equal and not 0.
# Next: Put the zeros into the weights; the output follows.
#        weights = torch.softmax(scores, dim=-1)
#   +    output = weights @ v
#   weights = weights.masked_fill(~mask, 0) => output = output.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
#   weights @ v => output

# mistake nan_without_keys (not finite), from added_minus_infinity
# A row in which everything is forbidden becomes nan: softmax divides 0 by 0 there.
# Next: After the softmax put zeros wherever the mask is False: `weights.masked_fill(~mask, 0.0)`.
#   scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf")) => scores.masked_fill(~mask, float("-inf"))

# mistake uniform_without_keys (values), from added_minus_infinity
# A query that may attend to nothing gets equal weights; it should get zeros.
# Next: All scores of such a row are the same constant. Put zeros where the mask is False after the softmax.
#   scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf")) => scores.masked_fill(~mask, -1e9)

# mistake nan_left_in_the_weights (not finite), from added_minus_infinity
# The output is mended, the weights still hold nan.
# Next: Mend the weights, before they are multiplied with v: then both results are right.
#   scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf")) => scores.masked_fill(~mask, float("-inf"))
#   weights @ v => (weights @ v).nan_to_num(0.0)

# mistake weights_mended_too_late (values), from plain
# The weights of a query without keys become zeros only after the output was computed from them.
# Next: Put the zeros into the weights first, then multiply with v.
#        weights = torch.softmax(scores, dim=-1)
#   +    output = weights @ v
#   weights @ v => output

# mistake nan_in_the_gradients (not finite), from added_minus_infinity
# Forward all is well, but backward nan comes back from the empty rows.
# Next: Use `masked_fill` twice, minus infinity into the scores before the softmax and 0 into the weights behind it: it passes
# no gradient on at forbidden positions.
#   torch.softmax(scores, dim=-1) => torch.softmax(scores, dim=-1).nan_to_num(0.0)


# mistake exp_of_forbidden_scores (not finite)
# exp is taken of forbidden scores as well; where one is far above the allowed ones that is inf, which is replaced forward and
# comes back as nan.
# Next: Fill the scores with minus infinity before exp: what is replaced behind it still takes part in backward.
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    top = scores.masked_fill(~allowed, -1e9).amax(dim=-1, keepdim=True).detach()
    top = top.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0)
    raised = torch.where(allowed, torch.exp(scores - top), 0.0)
    weights = raised / raised.sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return weights @ v, weights


# mistake mask_changed_in_place (property)
# Rows without keys are opened in the caller's own mask.
# Next: Work on a copy (`mask.clone()`), or put the zeros in after the softmax.
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
        return weights @ v, weights
    empty = ~mask.any(dim=-1)
    mask[empty] = True
    weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    weights = weights * ~empty.unsqueeze(-1)
    return weights @ v, weights


# mistake mask_of_full_shape_only (raises)
# The mask is used as an index, so it must have the shape of the scores; it may be any that broadcasts.
# Next: `masked_fill` and `torch.where` broadcast, and so does `mask.expand(scores.shape)`.
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
        return weights @ v, weights
    low = torch.full_like(scores, float("-inf"))
    low[mask] = scores[mask]
    weights = torch.softmax(low, dim=-1).masked_fill(~mask, 0)
    return weights @ v, weights


# mistake mask_gets_an_axis (shape), from plain
# The mask gets an axis for heads of its own accord; it broadcasts as it is.
# Next: Leave `mask.unsqueeze(1)` out: the mask already has its shape.
#   -        scores = scores.masked_fill(~mask, -1e9)
#   +        mask = mask.unsqueeze(1) if mask.dim() > 1 else mask
#   +        scores = scores.masked_fill(~mask, float("-inf"))


# mistake weights_from_before_the_mask (values)
# The output is right, but the weights that come back were made before the mask was applied.
# Next: Return the weights that the values are multiplied by.
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    unmasked = torch.softmax(scores, dim=-1)
    weights = unmasked
    if mask is not None:
        weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1).masked_fill(~mask, 0)
    return weights @ v, unmasked
