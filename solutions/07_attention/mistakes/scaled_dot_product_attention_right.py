# exercise 07.scaled_dot_product_attention
import math

import numpy as np
import torch
import torch.nn.functional as F


# right form torchs_own_twice
def scaled_dot_product_attention(q, k, v, mask=None):
    # with the identity as values, torch's own function returns the weights
    eye = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], k.shape[-2])
    some = None if mask is None else mask | ~mask.any(dim=-1, keepdim=True)
    weights = F.scaled_dot_product_attention(q, k, eye, attn_mask=some)
    if mask is not None:
        weights = weights * mask.any(dim=-1, keepdim=True)
    return weights @ v, weights


# right form einsum_and_nan_to_num
def scaled_dot_product_attention(q, k, v, mask=None, dropout=0.0):
    scores = torch.einsum("...td,...sd->...ts", q, k) * q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
    weights = scores.softmax(-1).nan_to_num()
    return torch.einsum("...ts,...sd->...td", weights, v), weights


# right form large_constant_added
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.mT) / torch.tensor(q.shape[-1], dtype=q.dtype).sqrt()
    if mask is not None:
        scores = scores + (~mask).to(q.dtype) * -1e9
    weights = torch.exp(torch.log_softmax(scores, dim=-1))
    if mask is not None:
        weights = weights * mask.to(q.dtype)
    return [torch.matmul(weights, v), weights]


# right form by_hand_in_float64
def scaled_dot_product_attention(q, k, v, mask=None):
    dtype, q, k, v = q.dtype, q.double(), k.double(), v.double()
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(dim=-1) / np.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    scores = scores.masked_fill(~allowed, -1e30)
    raised = torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * allowed
    weights = raised / (raised.sum(dim=-1, keepdim=True) + 1e-12)
    return (weights @ v).to(dtype), weights.to(dtype)


# right form loops_over_everything
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


# right form scaled_before_the_product
def scaled_dot_product_attention(q, k, v, mask=None):
    root = q.shape[-1] ** 0.25
    scores = (q / root) @ (k / root).swapaxes(-1, -2)
    if mask is None:
        mask = torch.tensor(True)
    scores = scores.masked_fill(mask.logical_not(), torch.finfo(q.dtype).min)
    weights = F.softmax(scores, -1) * mask.any(-1, keepdim=mask.dim() > 0)
    return weights @ v, weights


# right form minus_ten_thousand
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e4)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return torch.matmul(weights, v), weights
