"""Notebook 07: attention, its heads, its layers, and a test for looking ahead."""

from __future__ import annotations

from .attention import causal_mask, scaled_dot_product_attention
from .block import TransformerBlock
from .heads import merge_heads, split_heads
from .layers import count_encoder_parameters, feed_forward, layer_norm
from .leaking import leaks
from .multi_head import MultiHeadAttention

__all__ = ["EXERCISES"]

EXERCISES = (
    scaled_dot_product_attention,
    causal_mask,
    split_heads,
    merge_heads,
    MultiHeadAttention,
    feed_forward,
    layer_norm,
    TransformerBlock,
    count_encoder_parameters,
    leaks,
)
