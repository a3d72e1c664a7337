"""PyTorch's own attention and encoder layer with the learner's weights: do both say the same?"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

__all__ = ["encoder_layer", "torch_attention"]


@torch.no_grad()
def _fill(own: nn.Module, given: Any) -> None:
    """Copy the projections of `given`, in whichever of the two allowed forms they are, into an nn.MultiheadAttention."""
    mine: Any = own
    rows = [given.qkv_proj] if hasattr(given, "qkv_proj") else [given.q_proj, given.k_proj, given.v_proj]
    mine.in_proj_weight.copy_(torch.cat([row.weight for row in rows]))
    mine.out_proj.weight.copy_(given.out_proj.weight)
    if mine.in_proj_bias is not None:
        mine.in_proj_bias.copy_(torch.cat([row.bias for row in rows]))
        mine.out_proj.bias.copy_(given.out_proj.bias)


def torch_attention(given: nn.Module, heads: int) -> nn.MultiheadAttention:
    """nn.MultiheadAttention with the weights of a `MultiHeadAttention` as exercise 07 describes it."""
    out: Any = given.out_proj
    own = nn.MultiheadAttention(out.out_features, heads, bias=out.bias is not None, batch_first=True)
    _fill(own, given)
    return own.eval()


def encoder_layer(given: nn.Module, heads: int, norm: str) -> nn.TransformerEncoderLayer:
    """nn.TransformerEncoderLayer with the weights of a `TransformerBlock` as exercise 07 describes it (exact GELU)."""
    block: Any = given
    width, d_ff = block.ff1.in_features, block.ff1.out_features
    own = nn.TransformerEncoderLayer(width, heads, d_ff, 0.0, F.gelu, batch_first=True, norm_first=norm == "pre")
    _fill(own.self_attn, block.attention)
    with torch.no_grad():
        pairs = ((own.linear1, block.ff1), (own.linear2, block.ff2), (own.norm1, block.norm1), (own.norm2, block.norm2))
        for mine, other in pairs:
            mine.weight.copy_(other.weight)
            mine.bias.copy_(other.bias)
    return own.eval()
