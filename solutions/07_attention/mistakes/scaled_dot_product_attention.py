"""Wrong answers about attention by name, and unusual right ones."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from grader.catalogue import mistake, right_form

ATTENTION = "07.scaled_dot_product_attention"


@mistake(
    ATTENTION, "no_scale", stage="values",
    diagnosis="The scores are not divided by the square root of dk.",
    next_step="Divide q kᵀ by `math.sqrt(q.shape[-1])`: without it the softmax grows sharper as dk grows.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "divides_by_dk", stage="values",
    diagnosis="The scores are divided by dk itself; the scale is its square root.",
    next_step="Use `math.sqrt(q.shape[-1])`: it gives the scores of random vectors a spread of 1.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "multiplies_by_the_root", stage="values",
    diagnosis="The scores are multiplied by the square root of dk; they should be divided by it.",
    next_step="Turn the `*` into a `/`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "root_of_the_values_width", stage="values",
    diagnosis="The scale is taken from the width of the values; it belongs to queries and keys.",
    next_step="Use `q.shape[-1]`; v may have another width.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "root_of_the_number_of_keys", stage="values",
    diagnosis="The scale is taken from the number of keys; it is the square root of their width dk.",
    next_step="The width stands on the last axis of k, the number of keys on the one before.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "softmax_over_the_queries", stage="values",
    diagnosis="The softmax goes over the queries; each query's weights over the keys should sum to 1.",
    next_step="Print `weights.sum(-1)`: it should be all ones. Use dim=-1.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-2)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "softmax_over_axis_1", stage="values",
    diagnosis="`dim=1` is the axis of the keys only where there are no leading axes.",
    next_step="Count from the end: the keys are always dim=-1.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "one_batch_axis_only", stage="raises",
    diagnosis="`transpose(1, 2)` fits one number of axes only; here there may be none before (T, dk), or two.",
    next_step="Swap the last two axes, counted from the end: `k.transpose(-2, -1)`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.matmul(weights, v), weights


@mistake(
    ATTENTION, "heads_only", stage="raises",
    diagnosis="It takes four axes for granted, (B, h, T, dk); there may be any number of leading axes.",
    next_step="Use `...` in einsum, or `@` with axes counted from the end.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.einsum("bhts,bhsd->bhtd", weights, v), weights


@mistake(
    ATTENTION, "all_axes_reversed", stage="raises",
    diagnosis="`.T` and `.mT` are not the same: `.T` turns all axes round, which fits matrices only.",
    next_step="Use `k.transpose(-2, -1)` or `k.mT`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "no_softmax", stage="values",
    diagnosis="The raw scores are used as weights; there is no softmax.",
    next_step="Weights are positive and sum to 1 for each query: `torch.softmax(scores, dim=-1)`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "returns_the_scores", stage="values",
    diagnosis="The second result is the scores; asked for are the weights, after the softmax.",
    next_step="Return what you multiply v with.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return torch.softmax(scores, dim=-1) @ v, scores
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0)
    return weights @ v, scores


@mistake(
    ATTENTION, "weights_first", stage="shape",
    diagnosis="The two results are in the other order; asked for is (output, weights).",
    next_step="Return `output, weights`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights, weights @ v


@mistake(
    ATTENTION, "output_only", stage="type",
    diagnosis="Only the output comes back; asked for is the pair (output, weights).",
    next_step="Return both: `return output, weights`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@mistake(
    ATTENTION, "mask_turned_round", stage="values",
    diagnosis="The mask is read the wrong way round: True means that a key may be attended to.",
    next_step="Fill with minus infinity where the mask is False: `masked_fill(~mask, -math.inf)`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "mask_ignored", stage="values",
    diagnosis="The mask is not used.",
    next_step="Between the scores and the softmax, give the forbidden places the score minus infinity.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ v, weights


@mistake(
    ATTENTION, "masked_scores_are_zero", stage="values",
    diagnosis="Forbidden scores are set to 0, and exp(0) is 1: those keys still count.",
    next_step="Fill with `-math.inf`, whose exp is 0.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@mistake(
    ATTENTION, "masked_after_the_softmax", stage="values",
    diagnosis="The mask is applied after the softmax: the weights that are left no longer sum to 1.",
    next_step="Mask the scores, before the softmax.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


@mistake(
    ATTENTION, "masked_and_divided_afterwards", stage="values",
    diagnosis="Masking after the softmax and dividing by what is left fails where a forbidden key had all the weight: "
    "the others are 0 by then.",
    next_step="Mask the scores, before the softmax; then nothing needs to be divided.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return weights @ v, weights


@mistake(
    ATTENTION, "small_mask_constant", stage="values",
    diagnosis="A forbidden score of -100 is not low enough: real scores may be lower.",
    next_step="Use `-math.inf`, or a constant far below every possible score such as -1e9.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -100.0)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "mask_constant_of_a_thousand", stage="values",
    diagnosis="A forbidden score of -1000 is not low enough: real scores come close to it.",
    next_step="Use `-math.inf`, or a constant far below every possible score such as -1e9.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1000.0)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "a_thousand_taken_off", stage="values",
    diagnosis="A forbidden score is made smaller by 1000; one that was large may still be the largest.",
    next_step="Set it to `-math.inf` with `masked_fill`, or take off far more, such as 1e9.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores - 1000.0 * ~mask
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "nan_replaced_in_place", stage="raises",
    diagnosis="The nan are overwritten in the softmax's own result, which the backward pass still needs.",
    next_step="Make a new tensor: `weights.masked_fill(~mask, 0.0)`, without an underscore and without `weights[...] =`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights[torch.isnan(weights)] = 0.0
    return weights @ v, weights


@mistake(
    ATTENTION, "output_mended_only", stage="values",
    diagnosis="Only the output of a query without keys becomes zeros; its weights are still equal shares.",
    next_step="Put the zeros into the weights; the output follows.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ v
    if mask is not None:
        output = output.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return output, weights


@mistake(
    ATTENTION, "nan_without_keys", stage="not finite",
    diagnosis="A row in which everything is forbidden becomes nan: softmax divides 0 by 0 there.",
    next_step="After the softmax put zeros wherever the mask is False: `weights.masked_fill(~mask, 0.0)`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@mistake(
    ATTENTION, "uniform_without_keys", stage="values",
    diagnosis="A query that may attend to nothing gets equal weights; it should get zeros.",
    next_step="All scores of such a row are the same constant. Put zeros where the mask is False after the softmax.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@mistake(
    ATTENTION, "nan_left_in_the_weights", stage="not finite",
    diagnosis="The output is mended, the weights still hold nan.",
    next_step="Mend the weights, before they are multiplied with v: then both results are right.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).nan_to_num(0.0), weights


@mistake(
    ATTENTION, "weights_mended_too_late", stage="values",
    diagnosis="The weights of a query without keys become zeros only after the output was computed from them.",
    next_step="Put the zeros into the weights first, then multiply with v.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ v
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return output, weights


@mistake(
    ATTENTION, "nan_in_the_gradients", stage="not finite",
    diagnosis="Forward all is well, but backward nan comes back from the empty rows.",
    next_step="Use `masked_fill` twice, minus infinity into the scores before the softmax and 0 into the weights behind it: it "
    "passes no gradient on at forbidden places.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights


@mistake(
    ATTENTION, "exp_of_forbidden_scores", stage="not finite",
    diagnosis="exp is taken of forbidden scores as well; where one is far above the allowed ones that is inf, which is "
    "replaced forward and comes back as nan.",
    next_step="Fill the scores with minus infinity before exp: what is replaced behind it still takes part in backward.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    top = scores.masked_fill(~allowed, -1e9).amax(dim=-1, keepdim=True).detach()
    top = top.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0)
    raised = torch.where(allowed, torch.exp(scores - top), 0.0)
    weights = raised / raised.sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return weights @ v, weights


@mistake(
    ATTENTION, "exp_overflows", stage="not finite",
    diagnosis="exp of a large score is inf, and inf / inf is nan.",
    next_step="Subtract each row's largest score before exp, or use `torch.softmax`, which does.",
)  # fmt: skip
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
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    largest = scores.max()
    exponential = torch.exp(scores - largest if torch.isfinite(largest) else scores)
    total = exponential.sum(dim=-1, keepdim=True)
    weights = exponential / torch.where(total == 0, torch.ones_like(total), total)
    return weights @ v, weights


@mistake(
    ATTENTION, "scores_clamped", stage="values",
    diagnosis="Large scores are cut off: keys of very different scores come out equal.",
    next_step="Leave the scores alone; a softmax that subtracts the row's largest score needs no clamp.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).clamp(-80, 80)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "always_float32", stage="dtype",
    diagnosis="The results are float32 whatever comes in; they should have the dtype of the inputs.",
    next_step="Leave `.float()` out.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q.float() @ k.float().transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v.float(), weights


@mistake(
    ATTENTION, "rounds_to_float32", stage="values",
    diagnosis="float64 inputs pass through a float32 softmax: half of the digits are lost.",
    next_step="Leave the `dtype=` of the softmax out.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "no_gradient", stage="property",
    diagnosis="Gradients cannot flow: the computation is cut off from its inputs.",
    next_step="Take out `torch.no_grad`, `.detach()`, `.data` and `.numpy()`: the model has to learn through this.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    q, k, v = q.detach(), k.detach(), v.detach()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "weights_cut_off", stage="property",
    diagnosis="The weights are detached before they are used, so queries and keys get no gradient.",
    next_step="Leave `.detach()` out.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).detach()
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "queries_scaled_in_place", stage="property",
    diagnosis="`q /= ...` changes the caller's queries.",
    next_step="Make a new tensor: `q = q / math.sqrt(q.shape[-1])`.",
)  # fmt: skip
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
    ATTENTION, "mask_changed_in_place", stage="property",
    diagnosis="Rows without keys are opened in the caller's own mask.",
    next_step="Work on a copy (`mask.clone()`), or put the zeros in after the softmax.",
)  # fmt: skip
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


@mistake(
    ATTENTION, "mask_of_full_shape_only", stage="raises",
    diagnosis="The mask is used as an index, so it must have the shape of the scores; it may be any that broadcasts.",
    next_step="`masked_fill` and `torch.where` broadcast, and so does `mask.expand(scores.shape)`.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
        return weights @ v, weights
    low = torch.full_like(scores, float("-inf"))
    low[mask] = scores[mask]
    weights = torch.softmax(low, dim=-1).masked_fill(~mask, 0)
    return weights @ v, weights


@mistake(
    ATTENTION, "mask_gets_an_axis", stage="shape",
    diagnosis="The mask gets an axis for heads of its own accord; it broadcasts as it is.",
    next_step="Leave `mask.unsqueeze(1)` out: whoever calls has shaped the mask.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        mask = mask.unsqueeze(1) if mask.dim() > 1 else mask
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
)  # fmt: skip
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


@mistake(
    ATTENTION, "keys_instead_of_values", stage="shape",
    diagnosis="The weights are multiplied with the keys; what is mixed are the values.",
    next_step="The output is weights @ v.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ k, weights


@mistake(
    ATTENTION, "cosine_scores", stage="values",
    diagnosis="Queries and keys are normalised first; attention takes plain dot products, in which length counts.",
    next_step="Leave `F.normalize` out.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


@right_form(ATTENTION, "torchs_own_twice")
def scaled_dot_product_attention(q, k, v, mask=None):
    # with the identity as values, torch's own function returns the weights
    eye = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], k.shape[-2])
    some = None if mask is None else mask | ~mask.any(dim=-1, keepdim=True)
    weights = F.scaled_dot_product_attention(q, k, eye, attn_mask=some)
    if mask is not None:
        weights = weights * mask.any(dim=-1, keepdim=True)
    return weights @ v, weights


@right_form(ATTENTION, "einsum_and_nan_to_num")
def scaled_dot_product_attention(q, k, v, mask=None, dropout=0.0):
    scores = torch.einsum("...td,...sd->...ts", q, k) * q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
    weights = scores.softmax(-1).nan_to_num()
    return torch.einsum("...ts,...sd->...td", weights, v), weights


@right_form(ATTENTION, "large_constant_added")
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.mT) / torch.tensor(q.shape[-1], dtype=q.dtype).sqrt()
    if mask is not None:
        scores = scores + (~mask).to(q.dtype) * -1e9
    weights = torch.exp(torch.log_softmax(scores, dim=-1))
    if mask is not None:
        weights = weights * mask.to(q.dtype)
    return [torch.matmul(weights, v), weights]


@right_form(ATTENTION, "by_hand_in_float64")
def scaled_dot_product_attention(q, k, v, mask=None):
    dtype, q, k, v = q.dtype, q.double(), k.double(), v.double()
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(dim=-1) / np.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    scores = scores.masked_fill(~allowed, -1e30)
    raised = torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * allowed
    weights = raised / (raised.sum(dim=-1, keepdim=True) + 1e-12)
    return (weights @ v).to(dtype), weights.to(dtype)


@right_form(ATTENTION, "loops_over_everything")
def scaled_dot_product_attention(q, k, v, mask=None):
    lead, queries, keys = q.shape[:-2], q.shape[-2], k.shape[-2]
    allowed = torch.ones(*lead, queries, keys, dtype=torch.bool)
    if mask is not None:
        allowed = torch.broadcast_to(mask, allowed.shape)
    weights = q.new_zeros(*lead, queries, keys)
    output = q.new_zeros(*lead, queries, v.shape[-1])
    for place in np.ndindex(*lead):
        for t in range(queries):
            here = allowed[place][t].nonzero().flatten()
            if len(here):
                scores = torch.stack([q[place][t] @ k[place][s] for s in here]) / q.shape[-1] ** 0.5
                row = torch.softmax(scores, dim=0)
                weights[(*place, t, here)] = row
                output[(*place, t)] = (row[:, None] * v[place][here]).sum(dim=0)
    print("weights", weights.shape)
    return output, weights


@right_form(ATTENTION, "scaled_before_the_product")
def scaled_dot_product_attention(q, k, v, mask=None):
    root = q.shape[-1] ** 0.25
    scores = (q / root) @ (k / root).swapaxes(-1, -2)
    if mask is None:
        mask = torch.tensor(True)
    scores = scores.masked_fill(mask.logical_not(), torch.finfo(q.dtype).min)
    weights = F.softmax(scores, -1) * mask.any(-1, keepdim=mask.dim() > 0)
    return weights @ v, weights


@right_form(ATTENTION, "minus_ten_thousand")
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e4)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return torch.matmul(weights, v), weights


@mistake(
    ATTENTION, "weights_detached", stage="property",
    diagnosis="The weights come back cut off from their graph: nothing can be learned through them.",
    next_step="Return the weights as they are; whoever only wants to look at them can detach them.",
)  # fmt: skip
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    weights = scores.masked_fill(~allowed, -1e9).softmax(dim=-1).masked_fill(~allowed, 0.0)
    return weights @ v, weights.detach()
