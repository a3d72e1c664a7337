# exercise 07.scaled_dot_product_attention
"""Attention: wrong answers about scores, softmax, axes and gradients, by name."""

import math

import torch
import torch.nn.functional as F


# base plain
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


# mistake no_scale (values), from plain
# The scores are not divided by the square root of dk.
# Next: Divide q kᵀ by `math.sqrt(q.shape[-1])`: without it the softmax grows sharper as dk grows.
#   q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) => q @ k.transpose(-2, -1)

# mistake divides_by_dk (values), from plain
# The scores are divided by dk itself; the scale is its square root.
# Next: Use `math.sqrt(q.shape[-1])`: it gives the scores of random vectors a standard deviation of 1.
#   math.sqrt(q.shape[-1]) => q.shape[-1]

# mistake multiplies_by_the_root (values), from plain
# The scores are multiplied by the square root of dk; they should be divided by it.
# Next: Turn the `*` into a `/`.
#   q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) => q @ k.transpose(-2, -1) * math.sqrt(q.shape[-1])

# mistake root_of_the_values_width (values), from plain
# The scale is taken from the width of the values; it belongs to queries and keys.
# Next: Use `q.shape[-1]`; v may have another width.
#   q.shape => v.shape

# mistake root_of_the_number_of_keys (values), from plain
# The scale is taken from the number of keys; it is the square root of their width dk.
# Next: The width stands on the last axis of k, the number of keys on the one before.
#   q.shape[-1] => k.shape[-2]

# mistake softmax_over_the_queries (values), from plain
# The softmax goes over the queries; each query's weights over the keys should sum to 1.
# Next: Print `weights.sum(-1)`: it should be all ones. Use dim=-1.
#   dim=-1 => dim=-2

# mistake softmax_over_axis_1 (values), from plain
# `dim=1` is the axis of the keys only where there are no leading axes.
# Next: Count from the end: the keys are always dim=-1.
#   dim=-1 => dim=1

# mistake one_batch_axis_only (raises), from plain
# `transpose(1, 2)` fits one number of axes only; here there may be none before (T, dk), or two.
# Next: Swap the last two axes, counted from the end: `k.transpose(-2, -1)`.
#   q @ k.transpose(-2, -1) => torch.matmul(q, k.transpose(1, 2))
#   weights @ v => torch.matmul(weights, v)

# mistake heads_only (raises), from plain
# It takes four axes for granted, (B, h, T, dk); there may be any number of leading axes.
# Next: Use `...` in einsum, or `@` with axes counted from the end.
#   q @ k.transpose(-2, -1) => torch.einsum("bhtd,bhsd->bhts", q, k)
#   weights @ v => torch.einsum("bhts,bhsd->bhtd", weights, v)

# mistake all_axes_reversed (raises), from plain
# `.T` and `.mT` are not the same: `.T` turns all axes round, which fits matrices only.
# Next: Use `k.transpose(-2, -1)` or `k.mT`.
#   k.transpose(-2, -1) => k.T


# mistake no_softmax (values)
# The raw scores are used as weights; there is no softmax.
# Next: Weights are positive and sum to 1 for each query: `torch.softmax(scores, dim=-1)`.
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


# mistake returns_the_scores (values)
# The second result is the scores, but the exercise asks for the weights, after the softmax.
# Next: Return what you multiply v with.
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return torch.softmax(scores, dim=-1) @ v, scores
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0)
    return weights @ v, scores


# mistake weights_first (shape), from plain
# The two results are in the other order, but the exercise asks for (output, weights).
# Next: Return `output, weights`.
#   weights @ v, weights => weights, weights @ v


# mistake output_only (type)
# The weights do not come back, but the exercise asks for the pair (output, weights).
# Next: Compute the weights yourself, and return both: `return output, weights`.
def scaled_dot_product_attention(q, k, v, mask=None):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


# mistake exp_overflows (not finite)
# exp of a large score is inf, and inf / inf is nan.
# Next: Subtract each row's largest score before exp, or use `torch.softmax`, which does.
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.exp(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
    if mask is not None:
        scores = scores * mask
    total = scores.sum(dim=-1, keepdim=True)
    weights = scores / torch.where(total == 0, torch.ones_like(total), total)
    return weights @ v, weights


# mistake one_maximum_for_all (values)
# The largest of all scores is subtracted; a query on a lower level then loses all its weights.
# Next: Each query has a largest score of its own: `amax(dim=-1, keepdim=True)`.
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    largest = scores.max()
    exponential = torch.exp(scores - largest if torch.isfinite(largest) else scores)
    total = exponential.sum(dim=-1, keepdim=True)
    weights = exponential / torch.where(total == 0, torch.ones_like(total), total)
    return weights @ v, weights


# mistake scores_clamped (values), from plain
# Large scores are cut off: keys of very different scores come out equal.
# Next: Leave the scores alone; a softmax that subtracts the row's largest score needs no clamp.
#   q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) => (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).clamp(-80, 80)

# mistake always_float32 (dtype), from plain
# The results are float32 whatever comes in; they should have the dtype of the inputs.
# Next: Leave `.float()` out.
#   q @ k.transpose(-2, -1) => q.float() @ k.float().transpose(-2, -1)
#   weights @ v => weights @ v.float()

# mistake rounds_to_float32 (values), from plain
# float64 inputs pass through a float32 softmax: half of the digits are lost.
# Next: Leave the `dtype=` of the softmax out.
#   torch.softmax(scores, dim=-1) => torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)

# mistake no_gradient (property), from plain
# Gradients cannot flow: the computation is cut off from its inputs.
# Next: Take out `torch.no_grad`, `.detach()`, `.data` and `.numpy()`: the model has to learn through this.
#    def scaled_dot_product_attention(q, k, v, mask=None):
#   +    q, k, v = q.detach(), k.detach(), v.detach()

# mistake weights_cut_off (property), from plain
# The weights are detached before they are used, so queries and keys get no gradient.
# Next: Leave `.detach()` out.
#   torch.softmax(scores, dim=-1) => torch.softmax(scores, dim=-1).detach()

# mistake queries_scaled_in_place (property), from plain
# `q /= ...` changes the caller's queries.
# Next: Make a new tensor: `q = q / math.sqrt(q.shape[-1])`.
#   -    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +    q /= math.sqrt(q.shape[-1])
#   +    scores = q @ k.transpose(-2, -1)

# mistake view_of_the_heads (raises), from plain
# The leading axes are joined by `view`, which fails on what split_heads hands out: a view whose axes do not lie in order.
# Next: `@` works on the last two axes and lets the others stand; or use `reshape`.
#   -    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +    lead = q.shape[:-2]
#   +    flat = [part.view(-1, *part.shape[-2:]) for part in (q, k, v)]
#   +    scores = torch.bmm(flat[0], flat[1].transpose(1, 2)) / math.sqrt(q.shape[-1])
#   +    scores = scores.view(*lead, *scores.shape[1:])

# mistake keys_instead_of_values (shape), from plain
# The weights are multiplied with the keys; what is mixed are the values.
# Next: The output is weights @ v.
#   weights @ v => weights @ k

# mistake cosine_scores (values), from plain
# Queries and keys are normalised first; attention takes plain dot products, in which length counts.
# Next: Leave `F.normalize` out.
#   q @ k.transpose(-2, -1) => F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)


# mistake weights_detached (values)
# The weights come back cut off from their graph: nothing can be learned through them.
# Next: Return the weights with their graph; the caller can detach them.
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    weights = scores.masked_fill(~allowed, -1e9).softmax(dim=-1).masked_fill(~allowed, 0.0)
    return weights @ v, weights.detach()
