"""Attention: wrong answers about scores, softmax, axes and gradients, by name."""

import math

import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake

ATTENTION = "07.scaled_dot_product_attention"


@base("plain")
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


altered(
    ATTENTION, "no_scale", "plain", {" / math.sqrt(q.shape[-1])": ""}, stage="values",
    diagnosis="The scores are not divided by the square root of dk.",
    next_step="Divide q kᵀ by `math.sqrt(q.shape[-1])`: without it the softmax grows sharper as dk grows.",
)

altered(
    ATTENTION, "divides_by_dk", "plain", {"math.sqrt(q.shape[-1])": "q.shape[-1]"}, stage="values",
    diagnosis="The scores are divided by dk itself; the scale is its square root.",
    next_step="Use `math.sqrt(q.shape[-1])`: it gives the scores of random vectors a standard deviation of 1.",
)

altered(
    ATTENTION, "multiplies_by_the_root", "plain", {"-1) / math.sqrt(": "-1) * math.sqrt("}, stage="values",
    diagnosis="The scores are multiplied by the square root of dk; they should be divided by it.",
    next_step="Turn the `*` into a `/`.",
)

altered(
    ATTENTION, "root_of_the_values_width", "plain",
    {"/ math.sqrt(q.shape[-1])": "/ math.sqrt(v.shape[-1])"},
    stage="values",
    diagnosis="The scale is taken from the width of the values; it belongs to queries and keys.",
    next_step="Use `q.shape[-1]`; v may have another width.",
)

altered(
    ATTENTION, "root_of_the_number_of_keys", "plain", {"sqrt(q.shape[-1])": "sqrt(k.shape[-2])"}, stage="values",
    diagnosis="The scale is taken from the number of keys; it is the square root of their width dk.",
    next_step="The width stands on the last axis of k, the number of keys on the one before.",
)

altered(
    ATTENTION, "softmax_over_the_queries", "plain", {"(scores, dim=-1)": "(scores, dim=-2)"}, stage="values",
    diagnosis="The softmax goes over the queries; each query's weights over the keys should sum to 1.",
    next_step="Print `weights.sum(-1)`: it should be all ones. Use dim=-1.",
)

altered(
    ATTENTION, "softmax_over_axis_1", "plain", {"dim=-1": "dim=1"}, stage="values",
    diagnosis="`dim=1` is the axis of the keys only where there are no leading axes.",
    next_step="Count from the end: the keys are always dim=-1.",
)

altered(
    ATTENTION, "one_batch_axis_only", "plain",
    {"q @ k.transpose(-2, -1)": "torch.matmul(q, k.transpose(1, 2))", "weights @ v": "torch.matmul(weights, v)"},
    stage="raises",
    diagnosis="`transpose(1, 2)` fits one number of axes only; here there may be none before (T, dk), or two.",
    next_step="Swap the last two axes, counted from the end: `k.transpose(-2, -1)`.",
)

altered(
    ATTENTION, "heads_only", "plain",
    {
        "q @ k.transpose(-2, -1)": 'torch.einsum("bhtd,bhsd->bhts", q, k)',
        "weights @ v": 'torch.einsum("bhts,bhsd->bhtd", weights, v)',
    },
    stage="raises",
    diagnosis="It takes four axes for granted, (B, h, T, dk); there may be any number of leading axes.",
    next_step="Use `...` in einsum, or `@` with axes counted from the end.",
)

altered(
    ATTENTION, "all_axes_reversed", "plain", {"transpose(-2, -1)": "T"}, stage="raises",
    diagnosis="`.T` and `.mT` are not the same: `.T` turns all axes round, which fits matrices only.",
    next_step="Use `k.transpose(-2, -1)` or `k.mT`.",
)


@mistake(
    ATTENTION, "no_softmax", stage="values",
    diagnosis="The raw scores are used as weights; there is no softmax.",
    next_step="Weights are positive and sum to 1 for each query: `torch.softmax(scores, dim=-1)`.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "returns_the_scores", stage="values",
    diagnosis="The second result is the scores; asked for are the weights, after the softmax.",
    next_step="Return what you multiply v with.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return torch.softmax(scores, dim=-1) @ v, scores
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0)
    return weights @ v, scores


altered(
    ATTENTION, "weights_first", "plain", {" @ v, weights": ", weights @ v"}, stage="shape",
    diagnosis="The two results are in the other order; asked for is (output, weights).",
    next_step="Return `output, weights`.",
)


@mistake(
    ATTENTION, "output_only", stage="type",
    diagnosis="The weights do not come back; asked for is the pair (output, weights).",
    next_step="Compute the weights yourself, and return both: `return output, weights`.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@mistake(
    ATTENTION, "exp_overflows", stage="not finite",
    diagnosis="exp of a large score is inf, and inf / inf is nan.",
    next_step="Subtract each row's largest score before exp, or use `torch.softmax`, which does.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.exp(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
    if mask is not None:
        scores = scores * mask
    total = scores.sum(dim=-1, keepdim=True)
    weights = scores / torch.where(total == 0, torch.ones_like(total), total)
    return weights @ v, weights


@mistake(
    ATTENTION, "one_maximum_for_all", stage="values",
    diagnosis="The largest of all scores is subtracted; a query on a lower level then loses all its weights.",
    next_step="Each query has a largest score of its own: `amax(dim=-1, keepdim=True)`.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    largest = scores.max()
    exponential = torch.exp(scores - largest if torch.isfinite(largest) else scores)
    total = exponential.sum(dim=-1, keepdim=True)
    weights = exponential / torch.where(total == 0, torch.ones_like(total), total)
    return weights @ v, weights


altered(
    ATTENTION, "scores_clamped", "plain",
    {
        "q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])":
            "(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).clamp(-80, 80)",
    },
    stage="values",
    diagnosis="Large scores are cut off: keys of very different scores come out equal.",
    next_step="Leave the scores alone; a softmax that subtracts the row's largest score needs no clamp.",
)

altered(
    ATTENTION, "always_float32", "plain",
    {"q @ k.": "q.float() @ k.float().", "@ v, weights": "@ v.float(), weights"},
    stage="dtype",
    diagnosis="The results are float32 whatever comes in; they should have the dtype of the inputs.",
    next_step="Leave `.float()` out.",
)

altered(
    ATTENTION, "rounds_to_float32", "plain",
    {"(scores, dim=-1)": "(scores, dim=-1, dtype=torch.float32).to(q.dtype)"},
    stage="values",
    diagnosis="float64 inputs pass through a float32 softmax: half of the digits are lost.",
    next_step="Leave the `dtype=` of the softmax out.",
)


@mistake(
    ATTENTION, "no_gradient", stage="property",
    diagnosis="Gradients cannot flow: the computation is cut off from its inputs.",
    next_step="Take out `torch.no_grad`, `.detach()`, `.data` and `.numpy()`: the model has to learn through this.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    q, k, v = q.detach(), k.detach(), v.detach()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


altered(
    ATTENTION, "weights_cut_off", "plain", {"(scores, dim=-1)": "(scores, dim=-1).detach()"}, stage="property",
    diagnosis="The weights are detached before they are used, so queries and keys get no gradient.",
    next_step="Leave `.detach()` out.",
)


@mistake(
    ATTENTION, "queries_scaled_in_place", stage="property",
    diagnosis="`q /= ...` changes the caller's queries.",
    next_step="Make a new tensor: `q = q / math.sqrt(q.shape[-1])`.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    q /= math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "view_of_the_heads", stage="raises",
    diagnosis="The leading axes are joined by `view`, which fails on what split_heads hands out: a view whose axes do not lie "
    "in order.",
    next_step="`@` works on the last two axes and lets the others stand; or use `reshape`.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    flat = [part.view(-1, *part.shape[-2:]) for part in (q, k, v)]
    scores = torch.bmm(flat[0], flat[1].transpose(1, 2)) / math.sqrt(q.shape[-1])
    scores = scores.view(*lead, *scores.shape[1:])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


altered(
    ATTENTION, "keys_instead_of_values", "plain", {"@ v,": "@ k,"}, stage="shape",
    diagnosis="The weights are multiplied with the keys; what is mixed are the values.",
    next_step="The output is weights @ v.",
)

altered(
    ATTENTION, "cosine_scores", "plain", {"q @ k": "F.normalize(q, dim=-1) @ F.normalize(k, dim=-1)"}, stage="values",
    diagnosis="Queries and keys are normalised first; attention takes plain dot products, in which length counts.",
    next_step="Leave `F.normalize` out.",
)


@mistake(
    ATTENTION, "weights_detached", stage="values",
    diagnosis="The weights come back cut off from their graph: nothing can be learned through them.",
    next_step="Return the weights as they are; whoever only wants to look at them can detach them.",
)
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    weights = scores.masked_fill(~allowed, -1e9).softmax(dim=-1).masked_fill(~allowed, 0.0)
    return weights @ v, weights.detach()
