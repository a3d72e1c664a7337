# exercise 07.scaled_dot_product_attention
"""Scaled dot-product attention: wrong answers about which axis is meant, by name."""

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


# mistake root_of_axis_1 (values), from plain
# The scale is the root of `q.shape[1]`: that is dk only where there are no leading axes; with a batch it is the number of
# queries, with heads the number of heads.
# Next: dk is the size of the last axis, however many there are before it: `q.shape[-1]`.
#   q.shape[-1] => q.shape[1]

# mistake root_of_axis_2 (values), from plain
# The scale is the root of `q.shape[2]`: that is dk only with one leading axis; with heads it is the number of queries.
# Next: dk is the size of the last axis, however many there are before it: `q.shape[-1]`.
#   q.shape[-1] => q.shape[2 if q.ndim > 2 else 1]

# mistake root_of_the_first_axis (values), from plain
# The scale is the root of the size of q's first axis, the number of queries or of sentences; dk is the last one.
# Next: dk is the size of the last axis, however many there are before it: `q.shape[-1]`.
#   q.shape[-1] => q.shape[0]

# mistake softmax_without_axis (values), from plain
# The softmax is not told along which axis; torch then takes axis 0 of a tensor with one or three axes and axis 1 of others, and
# that is not always the keys' axis.
# Next: Name the axis: the keys are always `dim=-1`.
#   torch.softmax(scores, dim=-1) => F.softmax(scores)
