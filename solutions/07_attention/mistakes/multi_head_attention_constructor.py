# exercise 07.MultiHeadAttention
"""Multi-head attention: wrong answers in what the constructor makes, by name."""

import torch
import torch.nn as nn


# mistake bias_ignored (property)
# The projections have biases even with bias=False.
# Next: Hand `bias=bias` on to all four nn.Linear.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


# base plain
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


# mistake output_bias_always (property), from plain
# With bias=False out_proj still has a bias.
# Next: Hand `bias=bias` on to out_proj as well.
#   self.out_proj = nn.Linear(d_model, d_model, bias=bias) => self.out_proj = nn.Linear(d_model, d_model)

# mistake output_bias_never (property), from plain
# out_proj has no bias even where biases are asked for.
# Next: Hand `bias=bias` on to out_proj as well.
#   self.out_proj = nn.Linear(d_model, d_model, bias=bias) => self.out_proj = nn.Linear(d_model, d_model, bias=False)

# mistake no_bias_by_default (property), from plain
# Without a word all four projections should have biases; here one at least has none.
# Next: Keep the signature, bias=True, and hand `bias` to all four.
#   bias=True => bias=False

# mistake no_value_error (property), from plain
# Sizes that do not fit are accepted by the constructor; the error comes later, or never.
# Next: Begin the constructor with `if d_model % heads: raise ValueError(...)`.
#   -        if d_model % heads:
#   -            raise ValueError("heads must divide d_model")

# mistake assertion (raises), from plain
# `assert` raises an AssertionError, but the exercise asks for a ValueError.
# Next: Write `if d_model % heads: raise ValueError(...)`.
#   -        if d_model % heads:
#   -            raise ValueError("heads must divide d_model")
#   +        assert d_model % heads == 0


# mistake other_names (property)
# The projections are not found: one has another name than asked for, or is not stored on `self`.
# Next: Store them as `self.q_proj`, `self.k_proj`, `self.v_proj` and `self.out_proj`.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.query = nn.Linear(d_model, d_model, bias=bias)
        self.key = nn.Linear(d_model, d_model, bias=bias)
        self.value = nn.Linear(d_model, d_model, bias=bias)
        self.output = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.query(x), self.heads)
        k = split_heads(self.key(source), self.heads)
        v = split_heads(self.value(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.output(merge_heads(mixed))


# mistake a_projection_for_each_head (property), from plain
# A projection is something else than an nn.Linear, such as a list with a layer for each head, but the exercise asks for one
# nn.Linear for all heads.
# Next: A linear layer from d to d is the same as h layers from d to d / h side by side.
#   -        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
#   -        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
#   -        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
#   +        self.q_proj = nn.ModuleList(nn.Linear(d_model, d_model // heads, bias=bias) for _ in range(heads))
#   +        self.k_proj = nn.ModuleList(nn.Linear(d_model, d_model // heads, bias=bias) for _ in range(heads))
#   +        self.v_proj = nn.ModuleList(nn.Linear(d_model, d_model // heads, bias=bias) for _ in range(heads))
#   split_heads(self.q_proj(x), self.heads) => torch.stack([layer(x) for layer in self.q_proj], dim=1)
#   split_heads(self.k_proj(source), self.heads) => torch.stack([layer(source) for layer in self.k_proj], dim=1)
#   split_heads(self.v_proj(source), self.heads) => torch.stack([layer(source) for layer in self.v_proj], dim=1)


# mistake bare_parameters (property)
# The projections are bare matrices, but the exercise asks for nn.Linear layers.
# Next: `nn.Linear(d_model, d_model, bias=bias)` holds matrix and bias.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Parameter(torch.randn(d_model, d_model))
        self.k_proj = nn.Parameter(torch.randn(d_model, d_model))
        self.v_proj = nn.Parameter(torch.randn(d_model, d_model))
        self.out_proj = nn.Parameter(torch.randn(d_model, d_model))

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(x @ self.q_proj, self.heads)
        k = split_heads(source @ self.k_proj, self.heads)
        v = split_heads(source @ self.v_proj, self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(mixed) @ self.out_proj


# mistake projections_as_wide_as_a_head (property)
# A projection has the wrong size, as if it led to d / h numbers; each leads from d to d, and the split comes afterwards.
# Next: `nn.Linear(d_model, d_model)`.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model // heads, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model // heads, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model // heads, bias=bias)
        self.out_proj = nn.Linear(d_model // heads, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q, k, v = (part[:, None] for part in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


# mistake dropout_by_default (property), from plain
# There is dropout, so the output changes in training mode; the task has none.
# Next: Leave it out, or let its default be 0.
#            self.heads = heads
#   +        self.dropout = nn.Dropout(0.1)
#   merge_heads(mixed) => self.dropout(merge_heads(mixed))

# mistake super_forgotten (raises), from plain
# torch refuses to keep layers before `super().__init__()` was called.
# Next: Call it first in the constructor.
#   -        super().__init__()

# mistake a_norm_of_its_own (values), from plain
# The input is normalised first; that belongs to the block.
# Next: Project x as it comes.
#            self.heads = heads
#   +        self.norm = nn.LayerNorm(d_model)
#        def forward(self, x, context=None, mask=None):
#   +        x = self.norm(x)

# mistake qkv_inside_each_head (values), from plain
# The rows of qkv_proj are read head by head, each with its q, k and v; the order is all of q, then all of k, then all of v.
# Next: Cut the output in three first, then each third into heads.
#   -        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
#   -        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
#   -        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
#   +        self.qkv_proj = nn.Linear(d_model, 3 * d_model, bias=bias)
#   -        q = split_heads(self.q_proj(x), self.heads)
#   -        k = split_heads(self.k_proj(source), self.heads)
#   -        v = split_heads(self.v_proj(source), self.heads)
#   +        q = split_heads(self.qkv_proj(x), self.heads).chunk(3, dim=-1)[0]
#   +        _, k, v = split_heads(self.qkv_proj(source), self.heads).chunk(3, dim=-1)
