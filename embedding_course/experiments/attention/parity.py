"""Build PyTorch's own attention and encoder layer with the learner's weights, to compare the outputs."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn


@torch.no_grad()
def projections(given: Any) -> tuple[nn.Linear, nn.Linear, nn.Linear, nn.Linear]:
    """Return copies of the projections to queries, keys, values and output of a `MultiHeadAttention` in either form.

    Examples
    --------
    >>> attention = nn.Module()
    >>> attention.qkv_proj, attention.out_proj = nn.Linear(4, 12), nn.Linear(4, 4)
    >>> [tuple(layer.weight.shape) for layer in projections(attention)]
    [(4, 4), (4, 4), (4, 4), (4, 4)]
    """
    q, k, v = (
        [(given.qkv_proj, part) for part in range(3)]
        if hasattr(given, "qkv_proj")
        else [(given.q_proj, None), (given.k_proj, None), (given.v_proj, None)]
    )
    return _copy(*q), _copy(*k), _copy(*v), _copy(given.out_proj)


def _copy(layer: nn.Linear, part: int | None = None) -> nn.Linear:
    """Return a copy of the layer, or of one third of its rows."""

    def rows(values: torch.Tensor) -> torch.Tensor:
        return values if part is None else values.chunk(3)[part]

    own = nn.Linear(layer.in_features, len(rows(layer.weight)), bias=layer.bias is not None)
    own.weight.copy_(rows(layer.weight))
    if layer.bias is not None:
        own.bias.copy_(rows(layer.bias))
    return own


@torch.no_grad()
def _fill(own: nn.Module, given: Any) -> None:
    """Copy the projections of `given`, in either of the allowed forms, into an nn.MultiheadAttention."""
    mine: Any = own
    rows = [given.qkv_proj] if hasattr(given, "qkv_proj") else [given.q_proj, given.k_proj, given.v_proj]
    mine.in_proj_weight.copy_(torch.cat([row.weight for row in rows]))
    mine.out_proj.weight.copy_(given.out_proj.weight)
    if mine.in_proj_bias is not None:
        mine.in_proj_bias.copy_(torch.cat([row.bias for row in rows]))
        mine.out_proj.bias.copy_(given.out_proj.bias)


def torch_attention(given: nn.Module, heads: int) -> nn.MultiheadAttention:
    """Return an nn.MultiheadAttention with the weights of a `MultiHeadAttention` of notebook 07."""
    out: Any = given.out_proj
    own = nn.MultiheadAttention(out.out_features, heads, bias=out.bias is not None, batch_first=True)
    _fill(own, given)
    return own.eval()


def encoder_layer(given: nn.Module, heads: int, norm: str) -> nn.TransformerEncoderLayer:
    """Return an nn.TransformerEncoderLayer with the weights of a `TransformerBlock` of notebook 07 (exact GELU)."""
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
