"""Notebook 07: attention, its heads, its layers, and a test for looking ahead."""

from .causal_mask import causal_mask
from .count_encoder_parameters import count_encoder_parameters
from .feed_forward import feed_forward
from .layer_norm import layer_norm
from .leaks import leaks
from .merge_heads import merge_heads
from .multi_head_attention import MultiHeadAttention
from .scaled_dot_product_attention import scaled_dot_product_attention
from .split_heads import split_heads
from .tiny_lm import TinyLM
from .transformer_block import TransformerBlock

EXERCISES = (
    scaled_dot_product_attention,
    causal_mask,
    split_heads,
    merge_heads,
    MultiHeadAttention,
    feed_forward,
    layer_norm,
    TransformerBlock,
    TinyLM,
    count_encoder_parameters,
    leaks,
)
